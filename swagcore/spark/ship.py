"""How the kernels reach the workers: their source travels with the function that Spark sends.

A function made here refers to nothing of swagcore: it carries the text of the few modules that it needs, and the
worker makes modules of them, once a process. A worker that has the very same swagcore installed uses that one, whose
compiled code numba keeps on disk. So a cluster's Python needs pyarrow and numpy, as PySpark itself does for Arrow;
numba if it is to be fast; swagcore not at all.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

MODULES = ("kernels/compiled.py", "kernels/instances.py", "kernels/folds.py", "spark/worker.py")
"""What travels, each after what it imports."""


@cache
def sources() -> dict[str, str]:
    """The modules that travel, by their file.

    >>> list(sources()) == list(MODULES)
    True
    """
    room = Path(__file__).parent.parent
    return {module: (room / module).read_text(encoding="utf-8") for module in MODULES}


def shipped(plan: dict[str, Any]) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """The function for `mapInArrow` that runs a plan (see worker.py) on a worker, whatever is installed there."""
    texts = sources()
    root = "_swagcore_" + hashlib.sha256(repr(texts).encode()).hexdigest()[:16]

    def run(
        batches: Iterator[Any],
    ) -> Iterator[Any]:  # nested, so Spark sends it by value; it names no global
        import importlib
        import os
        import sys
        import types

        def installed() -> Any:
            """The worker's own swagcore, if it is this one."""
            try:
                worker = importlib.import_module("swagcore.spark.worker")
                home = os.path.dirname(os.path.dirname(worker.__file__ or ""))
                for file, text in texts.items():
                    with open(os.path.join(home, file), encoding="utf-8") as opened:
                        if opened.read() != text:
                            return None
                return worker
            except Exception:  # none, another, or one that does not work here
                return None

        def made() -> Any:
            for package in (root, f"{root}.kernels", f"{root}.spark"):
                sys.modules[package] = types.ModuleType(package)
                sys.modules[package].__path__ = []
            for file, text in texts.items():
                name = f"{root}.{file.removesuffix('.py').replace('/', '.')}"
                module = sys.modules[name] = types.ModuleType(name)
                module.__package__ = name.rpartition(".")[0]
                setattr(sys.modules[module.__package__], name.rpartition(".")[2], module)
                exec(compile(text, f"<{name}>", "exec"), module.__dict__)
            return sys.modules[f"{root}.spark.worker"]

        ready = f"{root}_ready"
        if ready not in sys.modules:
            sys.modules[ready] = installed() or made()
        yield from sys.modules[ready].answers(batches, plan)

    return run
