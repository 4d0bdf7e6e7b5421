"""The options of the memory layer: names, values, and what is refused."""

import json
import os
import subprocess
import sys
import time

import columnade as cn
import pytest


@pytest.fixture(autouse=True)
def kept():
    before = cn.memory.options()
    yield
    cn.memory.set_options(**before)


# Values as they are set, and as they are returned.
OPTIONS = {
    "spill": [(True, True), (False, False)],
    "on_demand": [(False, False)],
    "device_limit": [("2GiB", 2 * 2**30), ("80%", "80%"), (2**30, 2**30), (None, None)],
    "soft": [(True, True)],
    "statistics": [(1, 1), (2, 2), (0, 0)],
    "copy_on_write": [(False, False)],
    "watermarks": [((90, 80), (90, 80)), ("95%, 70%", (95, 70)), ([50, 50], (50, 50)), (None, None)],
    "pinned_limit": [("1MiB", 2**20), (None, None)],
    "pageable_limit": [("1.5 GB", 1_500_000_000)],
    "disk_limit": [(4096, 4096)],
    "folder": [("/tmp", "/tmp"), (None, None)],
    "disk_access": [("cached", "cached"), ("direct", "direct")],
    "eviction": [("least_recently_used", "least_recently_used"), ("predictive", "predictive")],
}


def plain(value):
    return str(value) if hasattr(value, "__fspath__") else value


@pytest.mark.parametrize("name", OPTIONS)
def test_options_are_set_and_returned(device, name):
    for value, expected in OPTIONS[name]:
        cn.memory.set_options(**{name: value})
        assert plain(cn.memory.options()[name]) == expected
        # What is returned can be set.
        cn.memory.set_options(**cn.memory.options())
        assert plain(cn.memory.options()[name]) == expected


def test_every_option_is_there():
    assert list(cn.memory.options()) == list(OPTIONS)


@pytest.mark.parametrize(
    ("changes", "kind", "text"),
    [
        ({"watermarks": (80, 90)}, ValueError, "COLUMNADE_SPILL_WATERMARKS"),
        ({"watermarks": "90,80"}, ValueError, 'watermarks are two percentages such as "90%,80%"'),
        ({"watermarks": (90,)}, cn.ColumnadeError, "watermarks"),
        ({"watermarks": 90}, TypeError, "watermarks"),
        ({"watermarks": (300, 80)}, cn.ColumnadeError, "watermarks"),
        ({"disk_access": "fast"}, ValueError, 'disk_access is "fast", and not one of "direct", "cached", "gpu-direct"'),
        ({"disk_access": "gpu-direct"}, NotImplementedError, "GPU Direct Storage"),
        ({"disk_access": 1}, TypeError, "disk_access"),
        ({"eviction": "fifo"}, ValueError, 'eviction is "fifo", and not one of "predictive", "least_recently_used"'),
        ({"host_retention": 0}, NotImplementedError, "COLUMNADE_HOST_RETENTION"),
        ({"folder": "/there/is/no/such/folder"}, cn.ColumnadeError, "/there/is/no/such/folder"),
        ({"speed": 11}, ValueError, "there is no option \"speed\", only spill, on_demand, .*, eviction$"),
    ],
)
def test_wrong_options_change_nothing(device, changes, kind, text):
    before = cn.memory.options()
    with pytest.raises(kind, match=text) as error:
        cn.memory.set_options(soft=True, **changes)
    assert isinstance(error.value, cn.ColumnadeError) and error.value.operation == "memory.set_options"
    assert cn.memory.options() == before


def test_environment_gives_the_options_of_a_new_process():
    variables = {
        "COLUMNADE_SPILL_WATERMARKS": "90%,80%", "COLUMNADE_SPILL_DISK_ACCESS": "cached", "COLUMNADE_SPILL_HOST_LIMIT": "1MiB",
        "COLUMNADE_SPILL_DEVICE_LIMIT": "1GiB",
    }
    program = "import columnade, json; print(json.dumps(columnade.memory.options()))"
    done = subprocess.run([sys.executable, "-c", program], env={**os.environ, **variables}, capture_output=True, text=True, check=True)
    options = json.loads(done.stdout)
    assert options["watermarks"] == [90, 80] and options["disk_access"] == "cached" and options["pageable_limit"] == 2**20
    assert options["spill"] is True and options["device_limit"] == 2**30


def test_watermarks_spill_in_the_background(host, tmp_path):
    cn.memory.set_options(spill=True, device_limit="64MiB", watermarks=(50, 25), statistics=1, folder=tmp_path, disk_access="cached")
    kept = [cn.Series(list(range(250_000))) for _ in range(20)]
    end = time.monotonic() + 20
    while cn.memory.report().device_bytes > 32 * 2**20 and time.monotonic() < end:
        time.sleep(0.01)
    assert cn.memory.report().device_bytes <= 32 * 2**20
    assert "watermark" in str(cn.memory.report()) and all(len(series) == 250_000 for series in kept)


def test_an_option_leaves_the_others_as_they_are(device):
    chosen = {"eviction": "least_recently_used", "watermarks": (90, 80), "disk_access": "cached", "soft": True, "disk_limit": 4096}
    cn.memory.set_options(**chosen)
    for change in ({"statistics": 1}, {"on_demand": False}, {"folder": None}):
        cn.memory.set_options(**change)
        options = cn.memory.options()
        assert {name: options[name] for name in chosen} == chosen
