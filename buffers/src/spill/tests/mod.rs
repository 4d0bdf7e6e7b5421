//! Tests of the spill manager, with every device.
