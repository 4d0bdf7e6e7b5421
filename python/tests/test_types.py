"""The typed stubs: compared with the compiled part by mypy's `stubtest`, and used by a program that mypy checks."""

import ast
import builtins
import contextlib
import importlib.util
import io
import pathlib
import sys
import types

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


def test_stubs_are_those_of_the_compiled_part(configuration, tmp_path):
    from mypy import stubtest

    # Names of Python's functions and modules are public for type checkers alone.
    allowed = tmp_path / "allowed"
    allowed.write_text("columnade\\.__all__\n")
    said = io.StringIO()
    options = ["columnade", "--concise", "--mypy-config-file", configuration, "--allowlist", str(allowed)]
    with contextlib.redirect_stdout(said):
        status = stubtest.test_stubs(stubtest.parse_options(options))
    assert (status, said.getvalue()) == (0, ""), said.getvalue()


def test_public_names_are_exported_for_type_checkers():
    """Those of `__all__`, and those that a program with `from columnade import *` does not get."""
    tree = ast.parse((PACKAGE / "__init__.py").read_text())
    listed = {name.value for node in ast.walk(tree) if isinstance(node, (ast.Assign, ast.AugAssign)) for name in getattr(node.value, "elts", [])}
    public = {name for name, value in vars(columnade).items() if name[0] != "_" and not isinstance(value, types.ModuleType)} - {"annotations", "TYPE_CHECKING"}
    assert public - listed == set() and set(columnade.__all__) <= listed
    assert {name for name in listed - set(columnade.__all__)} == {name for name in listed if hasattr(builtins, name) or name in sys.stdlib_module_names} - {"len", "selectors"}


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
