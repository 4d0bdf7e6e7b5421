// The simulator's environment variables. Read once, on first use.
#pragma once
#include <cstddef>
#include <cstdint>

namespace cn_sim::sim {

struct Options {
  // COLUMNADE_SIM_SEED: not 0 makes the schedule random, and the same again for the same seed.
  uint64_t seed = 0;
  // COLUMNADE_SIM_RESIDENT: how many blocks are resident at a time (3 with a seed, else 1).
  unsigned resident_blocks = 1;
  // COLUMNADE_SIM_SHUFFLE_BLOCKS=1: blocks start in random order.
  bool shuffle_blocks = false;
  // COLUMNADE_SIM_PREEMPT: steps (atomics; in the race flavour every access) between preemptions.
  int preempt_steps = 4096;
  // COLUMNADE_SIM_LAZY_STREAMS=1: work runs only at a synchronisation that needs it.
  bool lazy_streams = false;
  // COLUMNADE_SIM_PROTECT=1: device memory is inaccessible while no operation of a stream runs.
  bool protect_memory = false;
  // COLUMNADE_SIM_LONE_ACTIVEMASK=1: __activemask gives the calling lane only.
  bool lone_active_mask = false;
  // COLUMNADE_SIM_STRICT_EXIT=1: returning while others wait at a barrier is an error.
  bool strict_exit = false;
  // COLUMNADE_SIM_CHECK_ORDER=1: in the flavour ptx, accesses of different threads must be ordered.
  bool check_order = false;
  // COLUMNADE_SIM_SMS: multiprocessors, which bound cooperative grids.
  int multiprocessors = 4;
  // COLUMNADE_SIM_HANG_TICKS: ticks of 20 ms processor time without progress that count as a hang; 0 disables
  // the watchdog.
  int hang_ticks = 500;
  // COLUMNADE_SIM_STACK: bytes of a thread's stack.
  size_t stack_bytes = 256 << 10;
};

const Options &options();

}  // namespace cn_sim::sim
