"""From a stream to partials: where one window cuts it (panes.py, pairs.py, cutty.py), where many do (cuts.py), and
the shared plan of many queries (shared.py)."""

from swagcore.slicing.cuts import Cuts, partials
from swagcore.slicing.cutty import cutty
from swagcore.slicing.pairs import pairs
from swagcore.slicing.panes import panes
from swagcore.slicing.shared import Edge, SharedPlan

__all__ = ["Cuts", "Edge", "SharedPlan", "cutty", "pairs", "panes", "partials"]
