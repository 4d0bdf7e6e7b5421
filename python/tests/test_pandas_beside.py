"""What the golden cases leave out, beside pandas: on frames with rows and on frames without."""

import cases_beside
import pytest

from beside import both


@pytest.mark.parametrize("name", cases_beside.CALLS)
@pytest.mark.parametrize("rows", [None, 0])
def test_calls(name, rows):
    if rows == 0 and name in cases_beside.WITH_ROWS:
        pytest.skip("there is no value to take")
    call, needs = cases_beside.CALLS[name]
    both(call, **{need: cases_beside.FRAMES[need] if rows is None else cases_beside.FRAMES[need].iloc[:0] for need in needs})


@pytest.mark.parametrize("name", cases_beside.LABELS)
def test_labels(name):
    call, needs = cases_beside.LABELS[name]
    both(call, **{need: cases_beside.INDEXES[need] for need in needs})
