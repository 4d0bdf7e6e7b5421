"""The typed stubs: compared with the compiled part by mypy's `stubtest`, and used by a program that mypy checks."""

import contextlib
import importlib.util
import io
import pathlib
import sys

import columnade
import pytest

PACKAGE = pathlib.Path(columnade.__file__).parent
PROGRAM = pathlib.Path(__file__).parent / "typed" / "program.py"
CONFIGURATION = """
[mypy]
{path}
cache_dir = {cache}
[mypy-numpy.*,pandas.*,pyarrow.*]
ignore_missing_imports = True
follow_imports = skip
"""


@pytest.fixture
def configuration(tmp_path):
    file = tmp_path / "mypy.ini"
    # What is installed is found without it, and refused.
    path = "" if PACKAGE.parent.name == "site-packages" else f"mypy_path = {PACKAGE.parent}"
    file.write_text(CONFIGURATION.format(path=path, cache=tmp_path / "cache"))
    return str(file)


def test_stubs_are_those_of_the_compiled_part(configuration):
    from mypy import stubtest

    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        status = stubtest.test_stubs(stubtest.parse_options(["columnade", "--concise", "--mypy-config-file", configuration]))
    assert (status, said.getvalue()) == (0, ""), said.getvalue()


def test_program_of_a_user_is_checked(configuration):
    from mypy import api

    found, problems, status = api.run(["--strict", "--config-file", configuration, "--python-executable", sys.executable, "--no-error-summary", str(PROGRAM)])
    assert problems == "" and status == 1, problems
    lines = PROGRAM.read_text().splitlines()
    expected = [number for number, line in enumerate(lines, 1) if line.endswith("# error")]
    reported = sorted({int(line.split(":")[1]) for line in found.splitlines() if ": error:" in line})
    assert reported == expected, found


def test_program_of_a_user_runs(monkeypatch):
    found = importlib.util.spec_from_file_location("program", PROGRAM)
    program = importlib.util.module_from_spec(found)
    monkeypatch.setitem(sys.modules, "program", program)
    found.loader.exec_module(program)
    assert program.frame.shape == (3, 3)
