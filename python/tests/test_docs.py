"""The examples of the guide run."""

import pathlib
import re

GUIDE = pathlib.Path(__file__).parents[2] / "docs" / "python.md"


def test_examples_of_the_guide_run(monkeypatch, tmp_path):
    # Some write files.
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", GUIDE.read_text(), flags=re.S)
    names = {}
    for block in blocks:
        exec(compile(block, str(GUIDE), "exec"), names)
    assert len(blocks) >= 4 and names["revenue"].shape == (2, 2)
