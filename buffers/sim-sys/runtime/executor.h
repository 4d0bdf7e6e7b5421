// The executor: runs grids on the calling operating-system thread, one kernel thread at a time.
//
// Every operating-system thread has its own, so that launches from several threads do not wait for each
// other. Each method is in the file named after its part:
//
//   launch.cpp         checking a configuration, running a grid from its first block to its last
//   block.cpp          starting and ending blocks and threads
//   scheduler.h, .cpp  which thread runs next; yielding at a spin
//   warp.cpp           collectives of a warp
//   barrier.cpp        barriers of a block and of the grid
//   shared_memory.cpp  shared objects of a block
//   watchdog.cpp       preempting and ending threads that neither wait nor return
//   report.cpp         reports of failed launches
//   race.cpp           the race checker, in its flavour only
#pragma once
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "cuda_runtime.h"
#include "fiber.h"
#include "options.h"

namespace cn_sim::sim {

struct Block;

enum class State : uint8_t { Fresh, Runnable, AtBarrier, AtWarp, AtGrid, Returned };

// One thread of the kernel.
struct Thread {
  uint3 index;
  unsigned rank;  // in its block
  unsigned warp, lane;
  Block *block;
  Fiber *fiber;
  State state;

  // Where it waits, or last spun.
  const char *file;
  int line;

  // Its operand in a warp collective, and its result (of a barrier too).
  WarpOp op;
  unsigned mask;
  int argument, width;
  uint64_t value, result;

  int predicate;  // for a barrier that counts or votes

  // Race checker: the time of its last acquire, and whether it ever issued a fence.
  uint64_t acquired;
  bool fenced;
};

struct Warp {
  // Lanes as bits. Lanes beyond the block's end count as returned.
  unsigned returned, waiting;

  // Race checker: times of the last __syncwarp of all lanes, and of each pair of lanes.
  uint64_t all_synced = 0;
  std::unique_ptr<uint64_t[][32]> pair_synced;
};

// A resident block. The object is reused for a later block.
struct Block {
  uint3 index;
  unsigned rank;  // in the grid
  bool active = false;
  uint3 next_index;
  unsigned begun, returned, at_barrier;  // threads

  // The barrier that threads wait at.
  const char *barrier_file;
  int barrier_line;
  BarrierKind barrier_kind;

  // Race checker: the time of the last barrier, and of the last acquire before it.
  uint64_t barrier_time, barrier_acquired;

  std::unique_ptr<Thread[]> threads;
  std::unique_ptr<Warp[]> warps;
  std::vector<void *> shared;  // by SharedSite::id
  void *dynamic_shared = nullptr;
};

class RaceChecker;

struct Executor {
  // The calling thread's, null before its first launch.
  static __thread Executor *current;
  static Executor &of_this_thread();

  Executor();
  ~Executor();
  Executor(const Executor &) = delete;
  Executor &operator=(const Executor &) = delete;

  // launch.cpp
  cudaError_t run(const LaunchConfig &config, Kernel kernel);
  void prepare(const LaunchConfig &config, Kernel kernel);
  void abandon();

  // block.cpp
  void begin_block(Block &block);
  void end_block(Block &block);
  // A block with threads not begun; null when there is none.
  Block *startable();
  void begin_thread(Block &block);
  void finish_thread(Thread &thread);

  // scheduler.h, scheduler.cpp
  void make_ready(Thread &thread);
  void push_ready(Thread &thread);
  Thread *pop_ready();
  Thread *pop_spinning();
  void set_running(Thread &thread);
  void jump(Fiber &from, Fiber &to, Leaving leaving = Leaving::ToReturn);
  void resume(Thread &thread, Fiber &from);
  // Runs something else until the running thread is runnable again.
  void deschedule();
  // The same, with the running thread last in line.
  void yield(const char *file, int line);
  Fiber &idle_fiber();
  void progress();
  uint64_t random_number();

  // warp.cpp
  void complete_collective(Block &block, unsigned warp, unsigned lanes, Thread *caller);
  void recheck_warp(Block &block, unsigned warp);
  bool release_active_masks();

  // barrier.cpp
  void release_barrier(Block &block, Thread *caller);

  // watchdog.cpp
  void start_watchdog();
  void stop_watchdog();
  void delete_timer();
  void tick();

  // report.cpp
  [[noreturn]] void fail_launch(const std::string &text);
  void report_deadlock();

  // ---- the launch ----
  LaunchConfig config;
  Kernel kernel;
  unsigned block_threads = 0, block_warps = 0;
  unsigned slots_threads = 0;  // threads that the objects in `slots` have capacity for
  uint64_t grid_blocks = 0, next_block = 0, finished_blocks = 0;
  std::vector<unsigned> block_order;  // empty: in order
  std::vector<std::unique_ptr<Block>> slots;
  unsigned resident = 0;  // slots in use
  uint64_t launch_number = 0;
  uint64_t at_grid_barrier = 0;
  bool failed = false, raced = false;
  std::string report;

  // ---- scheduling ----
  const Options &asked = options();
  Thread *running = nullptr;
  Fiber *fiber = nullptr;
  Fiber main;
  std::vector<Fiber *> idle, fibers;
  std::vector<Thread *> ring;  // ready threads: a power of two in size
  size_t ring_head = 0, ready = 0;
  std::deque<Thread *> spinning;  // gave way at a spin: last in line
  Block *starting = nullptr;
  bool random = false;
  uint64_t random_state = 1;
  uint64_t yields = 0;  // since the last progress

  // ---- watchdog; written by the signal handler's thread only, but between any two instructions ----
  volatile int in_runtime = 0;  // code of the simulator runs, not of the kernel
  volatile bool launched = false;
  volatile uint64_t switches = 0, progressed = 0;
  uint64_t switches_seen = 0, progressed_seen = 0;
  int stuck_ticks = 0;
  void *timer = nullptr;
  bool has_timer = false;

  // ---- shared memory that ended blocks left behind, by SharedSite::id ----
  std::vector<std::vector<void *>> free_shared;

  std::unique_ptr<RaceChecker> races;
};

// Marks code of the simulator: no preemption by the watchdog, no race checks.
struct RuntimeScope {
  Executor &executor;
  explicit RuntimeScope(Executor &executor) : executor(executor) { executor.in_runtime = 1; }
  ~RuntimeScope() { executor.in_runtime = 0; }
};

// What a worker fiber runs: one thread of the kernel after another.
void worker_main();

const char *op_name(WarpOp op);
// The shared-memory site, for reports.
const SharedSite &shared_site(size_t id);

// The set bits of a lane mask, lowest first: for (unsigned lane : Lanes{mask}).
struct Lanes {
  unsigned mask;
  struct Iterator {
    unsigned rest;
    unsigned operator*() const { return (unsigned)__builtin_ctz(rest); }
    void operator++() { rest &= rest - 1; }
    bool operator!=(Iterator) const { return rest != 0; }
  };
  Iterator begin() const { return {mask}; }
  Iterator end() const { return {0}; }
};

}  // namespace cn_sim::sim

#include "scheduler.h"
