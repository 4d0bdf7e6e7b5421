//! Instruction forms that are more than arithmetic: memory, collectives, barriers, control flow, and the faults
//! that they report.

mod collectives;
mod control;
mod memory;
mod schedules;
