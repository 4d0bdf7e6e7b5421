"""Spilling: options, and reports of memory use. See docs/memory-guide.md."""

from __future__ import annotations

from typing import Any

from ._columnade import MemoryReport, _memory_options as options, _memory_report as report, _set_memory_options
from ._errors import ColumnadeError, make

__all__ = ["MemoryReport", "options", "report", "set_options"]


def set_options(**changes: Any) -> None:
    """Changes options of the default device's spill manager, for existing frames too. They are those of `SpillOptions` of
    Rust, which docs/memory-reference.md describes: spill, on_demand, device_limit ("2GiB", "80%"), soft, statistics (0 to 2),
    copy_on_write, watermarks ((90, 80) or "90%,80%"), pinned_limit, pageable_limit, disk_limit, folder, disk_access ("direct",
    "cached") and eviction ("predictive", "least_recently_used").
    """
    try:
        _set_memory_options(changes)
    except ColumnadeError as error:
        if error.operation is None:
            error.operation = "memory.set_options"
        raise
    except (TypeError, OverflowError) as error:
        named = ", ".join(f"{name}={value!r}" for name, value in changes.items())
        kind = "TypeError" if isinstance(error, TypeError) else "ValueError"
        reason = f"memory.set_options: {error}: {named}"
    else:
        return
    raise make(kind, reason, operation="memory.set_options")
