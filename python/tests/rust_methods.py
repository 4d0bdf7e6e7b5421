"""The public methods of Rust's `Expr`, `Series`, `DataFrame` and `GroupBy`, as the sources have them."""

import pathlib
import re

ROOT = pathlib.Path(__file__).parents[2]
FOLDERS = [ROOT / "ops" / "src" / "expression", ROOT / "engine" / "src"]
TYPES = {"Expr", "Series", "DataFrame", "GroupBy"}


def _block(text, start):
    """What is in the braces that open at or after a position."""
    opened = text.index("{", start)
    depth = 0
    for at in range(opened, len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return text[opened + 1 : at]
    raise AssertionError("braces without an end")


def _without_comments(text):
    # Braces in texts are even, but for those of characters.
    return re.sub(r"'[{}]'", "' '", re.sub(r"//[^\n]*", "", text))


def methods():
    """The names for each type."""
    found = {name: set() for name in TYPES}
    for folder in FOLDERS:
        for path in sorted(folder.rglob("*.rs")):
            if "test" in path.stem:
                continue
            text = _without_comments(path.read_text())
            macros = {}
            for macro in re.finditer(r"macro_rules! (\w+)", text):
                body = _block(text, macro.end())
                for of in re.findall(r"impl(?:<[^{]*?>)? (\w+)(?:<[^{]*?>)? \{", body):
                    if of in TYPES and re.search(r"pub (?:const )?fn \$name", body):
                        macros.setdefault(macro[1], set()).add(of)
            for name, types in macros.items():
                for call in re.finditer(rf"^{name}! ", text, re.M):
                    names = re.findall(r"^    (\w+)(?: => |\(| [A-Z])", _block(text, call.end() - 1), re.M)
                    for of in types:
                        found[of] |= set(names)
            for block in re.finditer(r"^impl(?:<[^{]*?>)? (\w+)(?:<[^{]*?>)? \{", text, re.M):
                if block[1] in TYPES:
                    body = _block(text, block.end() - 1)
                    found[block[1]] |= set(re.findall(r"^    pub (?:const )?fn (\w+)", body, re.M))
    return found
