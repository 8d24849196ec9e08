"""Filters over many keys: which substreams have more than v in a window. A §4.

>>> from swagcore.substreams import SubstreamFilter
>>> volume = SubstreamFilter("sum", p=4)
>>> for time, (symbol, shares) in enumerate([("ABC", 500), ("XYZ", 20), ("ABC", 800)]):
...     volume.insert(symbol, time, shares)
>>> volume.above(1000, range=3, now=2)
{'ABC'}
"""

from swagcore.substreams.collective import CICount, CISum
from swagcore.substreams.per_key import PerKey
from swagcore.substreams.substream_filter import SubstreamFilter

__all__ = ["CICount", "CISum", "PerKey", "SubstreamFilter"]
