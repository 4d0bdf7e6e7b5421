"""The typed stubs name what the compiled part has."""

import ast
import inspect
import pathlib

import columnade._columnade as native

STUBS = ast.parse((pathlib.Path(native.__file__).parent / "_columnade.pyi").read_text())


def parameters(function):
    given = function.args
    names = [item.arg for item in given.args + given.kwonlyargs]
    return [name for name in names if name not in ("self", "slf")]


def test_stubs_have_every_class_method_and_parameter():
    functions = {node.name: node for node in STUBS.body if isinstance(node, ast.FunctionDef)}
    classes = {node.name: node for node in STUBS.body if isinstance(node, ast.ClassDef)}
    compared = 0
    for name, value in vars(native).items():
        if inspect.isbuiltin(value):
            assert parameters(functions[name]) == named(value), name
            compared += 1
        if inspect.isclass(value):
            methods = {node.name: node for node in classes[name].body if isinstance(node, ast.FunctionDef)}
            for method, member in vars(value).items():
                if method.startswith("_"):
                    continue
                assert method in methods, f"{name}.{method}"
                if inspect.ismethoddescriptor(member):
                    assert parameters(methods[method]) == named(member), f"{name}.{method}"
                    compared += 1
    assert compared > 300


def named(function):
    kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    items = inspect.signature(function).parameters.values()
    return [item.name for item in items if item.kind not in kinds and item.name not in ("self", "slf")]
