// Beginning and ending blocks and threads.
#include <cstdlib>

#include "executor.h"

namespace cn_sim::sim {

void Executor::begin_block(Block &block) {
  uint64_t ordinal = next_block++;
  unsigned rank = block_order.empty() ? (unsigned)ordinal : block_order[ordinal];
  block.rank = rank;
  block.index = {rank % config.grid.x, rank / config.grid.x % config.grid.y,
                 rank / config.grid.x / config.grid.y};
  block.next_index = {0, 0, 0};
  block.begun = block.returned = block.at_barrier = 0;
  block.barrier_time = block.barrier_acquired = 0;
  block.active = true;
  for (unsigned w = 0; w < block_warps; w++) {
    unsigned left = block_threads - w * 32;
    block.warps[w].returned = left >= 32 ? 0u : ~((1u << left) - 1);
    block.warps[w].waiting = 0;
  }
}

void Executor::end_block(Block &block) {
  for (size_t id = 0; id < block.shared.size(); id++) {
    if (!block.shared[id]) continue;
#ifdef CN_SIM_ASAN
    free(block.shared[id]);  // a later use through a stale pointer is found
#else
    if (free_shared.size() <= id) free_shared.resize(id + 1);
    free_shared[id].push_back(block.shared[id]);
#endif
    block.shared[id] = nullptr;
  }
  free(block.dynamic_shared);
  block.dynamic_shared = nullptr;
  block.active = false;
  finished_blocks++;
  if (next_block < grid_blocks && !failed) {
    begin_block(block);
  } else if (starting == &block) {
    starting = nullptr;
  }
}

Block *Executor::startable() {
  auto can_start = [this](const Block &block) { return block.active && block.begun < block_threads; };
  if (!random && starting && can_start(*starting)) return starting;
  unsigned offset = random ? (unsigned)(random_number() % resident) : 0;
  for (unsigned i = 0; i < resident; i++) {
    Block *block = slots[(i + offset) % resident].get();
    if (can_start(*block)) return starting = block;
  }
  return nullptr;
}

void Executor::begin_thread(Block &block) {
  Thread &thread = block.threads[block.begun];
  thread.index = block.next_index;
  thread.rank = block.begun;
  thread.warp = block.begun / 32;
  thread.lane = block.begun % 32;
  thread.block = &block;
  thread.fiber = fiber;
  thread.state = State::Runnable;
  thread.acquired = 0;
  thread.fenced = false;
  block.begun++;
  uint3 &next = block.next_index;
  if (++next.x == config.block.x) {
    next.x = 0;
    if (++next.y == config.block.y) {
      next.y = 0;
      next.z++;
    }
  }
  set_running(thread);
}

void Executor::finish_thread(Thread &thread) {
  Block &block = *thread.block;
  Warp &warp = block.warps[thread.warp];
  thread.state = State::Returned;
  block.returned++;
  warp.returned |= 1u << thread.lane;
  progress();
  if (warp.waiting) recheck_warp(block, thread.warp);
  if (block.at_barrier) {
    if (asked.strict_exit) {
      fail("thread %u returned while %u threads wait at %s:%d", thread.rank, block.at_barrier,
           block.barrier_file, block.barrier_line);
    }
    if (block.at_barrier == block_threads - block.returned) release_barrier(block, nullptr);
  }
  running = nullptr;
  if (block.returned == block_threads) end_block(block);
}

bool next_thread() {
  Executor &e = *Executor::current;
  e.in_runtime = 1;
  if (e.running) e.finish_thread(*e.running);
  bool begun = false;
  // Ready threads go first, so that few are in progress at a time; in a random schedule either may.
  if (e.ready == 0 || (e.random && !(e.random_number() & 1))) {
    if (Block *block = e.startable()) {
      e.begin_thread(*block);
      begun = true;
    }
  }
  e.in_runtime = 0;
  return begun;
}

}  // namespace cn_sim::sim
