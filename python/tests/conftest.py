"""Tests run on every device of the build; `COLUMNADE_TEST_DEVICES` selects some."""

import importlib
import os

import columnade as cn
import pytest

SELECTED = os.environ.get("COLUMNADE_TEST_DEVICES")
DEVICES = SELECTED.split(",") if SELECTED else cn.available_devices()


def default(device):
    """A device as the default one, until the generator goes on."""
    before = cn.default_device()
    cn.set_default_device(device)
    yield device
    cn.set_default_device(before)


@pytest.fixture(params=DEVICES)
def device(request):
    """Each device, as the default one of the test."""
    yield from default(request.param)


@pytest.fixture
def host():
    """The host as the default device."""
    yield from default("host")


@pytest.fixture
def sim():
    """The simulator as the default device."""
    if "sim" not in DEVICES:
        pytest.skip("the build has no simulator")
    yield from default("sim")


@pytest.fixture
def heavy():
    """Imports a library of `requirements-heavy.txt`. Without it the test is skipped, with `--heavy` it fails."""

    def load(name):
        try:
            return importlib.import_module(name)
        except ImportError:
            if os.environ.get("COLUMNADE_TEST_HEAVY"):
                raise
            pytest.skip(f"{name} is not installed: `cargo xtask python --heavy` installs it")

    return load
