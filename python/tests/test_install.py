"""Methods of Python on compiled classes: each has one definition, and modules are imported in any order."""

import ast
import json
import pathlib
import random
import subprocess
import sys

import columnade
import pytest
from columnade import _install

PACKAGE = pathlib.Path(columnade.__file__).parent
# What an installed attribute is, for each class, after all modules of the package were imported in an order.
IMPORTED = """
import importlib, json, sys, types
package = types.ModuleType("columnade")
package.__path__ = [sys.argv[1]]
sys.modules["columnade"] = package
for name in sys.argv[2:]:
    importlib.import_module(f"columnade.{name}")
from columnade import _install
def shown(value):
    value = getattr(value, "__func__", value)
    code = getattr(getattr(value, "fget", value), "__code__", None)
    return [str(getattr(value, "__qualname__", "")), "" if code is None else f"{code.co_filename}:{code.co_firstlineno}"]
made = {f"{kind.__name__}.{name}": shown(vars(kind)[name]) for kind, name in _install._installed}
print(json.dumps(made, sort_keys=True))
"""


def modules():
    paths = sorted(path.relative_to(PACKAGE).with_suffix("") for path in PACKAGE.rglob("*.py"))
    return [".".join(path.parts) for path in paths if path.name != "__init__"]


def imported(names):
    run = subprocess.run([sys.executable, "-c", IMPORTED, str(PACKAGE), *names], capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


def test_modules_are_imported_in_any_order():
    names = modules()
    expected = imported(names)
    assert len(expected) > 1000
    assert imported(names[::-1]) == expected
    random.Random(0).shuffle(names)
    assert imported(names) == expected


def test_name_is_installed_once():
    before = columnade.DataFrame.merge
    with pytest.raises(AssertionError, match="DataFrame.merge is installed twice"):
        _install.install(columnade.DataFrame, "merge", lambda self: None)
    assert columnade.DataFrame.merge is before


def test_compiled_methods_are_those_of_the_compiled_classes():
    for (kind, name), known in _install._installed.items():
        if known is _install._ABSENT:
            with pytest.raises(AttributeError, match=f"the compiled {kind.__name__} has no {name}"):
                _install.compiled(kind, name)
            continue
        code = getattr(_install.compiled(kind, name), "__code__", None)
        # Groups and bins pass calls on to compiled classes.
        assert code is None or code.co_filename.endswith("_groups/core.py"), (kind, name)


def assigned(tree):
    """What a module sets on other objects than its own classes and instances: the names of these."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "setattr":
            yield ast.unparse(node.args[0])
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                for part in target.elts if isinstance(target, ast.Tuple) else [target]:
                    if isinstance(part, ast.Attribute) and isinstance(part.value, (ast.Name, ast.Attribute)):
                        yield ast.unparse(part.value)


def test_only_install_sets_attributes_of_compiled_classes():
    classes = {name for name, value in vars(columnade._columnade).items() if isinstance(value, type)}
    for name in modules():
        tree = ast.parse((PACKAGE / f"{name.replace('.', '/')}.py").read_text())
        found = {text.split(".")[-1] for text in assigned(tree)} & classes
        assert not found, (name, found)
        loops = {text for text in assigned(tree) if text in ("kind", "_kind", "_class", "_of", "of", "target", "_target", "_windows")}
        assert not loops or name.endswith("_install"), (name, loops)


def outside_of_functions(node):
    """The nodes of a module that are computed when it is imported."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, (ast.FunctionDef, ast.Lambda)):
            yield child
            yield from outside_of_functions(child)


def test_no_module_keeps_a_method_of_another():
    classes = {name for name, value in vars(columnade._columnade).items() if isinstance(value, type)}
    for name in modules():
        tree = ast.parse((PACKAGE / f"{name.replace('.', '/')}.py").read_text())
        for node in outside_of_functions(tree):
            kept = isinstance(node, ast.Attribute) and ast.unparse(node.value).split(".")[-1] in classes
            assert not kept, (name, ast.unparse(node))


def test_callers_reach_a_method_through_one_function():
    for kind, made in _install._methods.items():
        for name, method in made.items():
            found = getattr(kind, name)
            if name[0] != "_" and type(method) in _install._PLAIN and found is not method:
                assert found.__wrapped__ is method, (kind, name)
                assert found.__code__ in _install._public.__code__.co_consts, (kind, name)


FIRST = """
import sys, columnade
from columnade import _install
made = [type(method) for method in vars(columnade.DataFrame).values()]
assert "columnade._argument_errors" not in sys.modules and made.count(_install._Unmade) > 100
method = columnade.DataFrame.merge
assert vars(columnade.DataFrame)["merge"] is method is columnade.DataFrame.merge and method.__name__ == "merge"
"""


def test_methods_are_made_when_they_are_first_taken():
    subprocess.run([sys.executable, "-c", FIRST], check=True)
