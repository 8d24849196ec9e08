"""How many partials a shared plan makes: counting the edges of many windows, exactly, without walking them.

- `count`: edges in one composite slide. `rate`: edges per time unit, of queries. `density`: the same, of classes.
- `bounds`: an interval around the density, at once. `TooHard`: no exact answer in time, with such an interval.
- `methods`: the names. One file each: bitset.py, f1.py, f1_table.py, best.py.
"""

from swagcore.edges.bounds import bounds
from swagcore.edges.counting import TooHard, count, density, methods, rate

__all__ = ["TooHard", "bounds", "count", "density", "methods", "rate"]
