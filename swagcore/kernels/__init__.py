"""Windows out of slices, over arrays: the kernels that the shared plan runs on workers.

A slice is a row: its run (the events of one key), its start, and the partials of its events. No slice crosses an edge
of a window, so a window is the unbroken piece `[lo, hi)` of the rows of its run (instances.py), and an answer is a
fold over that piece (folds.py). Both are compiled by numba where it is installed, and done by numpy where it is not.

These modules import nothing of swagcore, and one another only by relative imports: their source is sent to workers
whose Python does not have swagcore.
"""

from .compiled import COMPILED
from .folds import add, choose, moments, multiply, multiply_magnitudes
from .instances import windows

__all__ = ["COMPILED", "add", "choose", "moments", "multiply", "multiply_magnitudes", "windows"]
