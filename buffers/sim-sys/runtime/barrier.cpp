// Barriers of a block and of a cooperative grid.
#include <cstring>

#include "executor.h"
#include "race.h"

namespace cn_sim::sim {

void Executor::release_barrier(Block &block, Thread *caller) {
  unsigned waiting = block.at_barrier, holds = 0;
  for (unsigned i = 0; i < block.begun; i++) {
    const Thread &thread = block.threads[i];
    if (thread.state == State::AtBarrier) holds += (unsigned)thread.predicate;
  }
  unsigned result = 0;
  switch (block.barrier_kind) {
    case BarrierKind::Plain: break;
    case BarrierKind::Count: result = holds; break;
    case BarrierKind::And: result = holds == waiting; break;
    case BarrierKind::Or: result = holds > 0; break;
  }
  block.at_barrier = 0;
  progress();
  note_barrier(*this, block);
  for (unsigned i = 0; i < block.begun; i++) {
    Thread &thread = block.threads[i];
    if (thread.state != State::AtBarrier) continue;
    thread.result = result;
    if (&thread == caller) {
      thread.state = State::Runnable;
    } else {
      make_ready(thread);
    }
  }
}

int barrier(BarrierKind kind, int predicate, const char *file, int line) {
  Executor &e = *Executor::current;
  RuntimeScope scope(e);
  Thread &self = *e.running;
  Block &block = *self.block;
  // All threads of a block must reach the same barrier in the source, identified by its file and line. The
  // name of one file may be at several addresses.
  bool same = block.barrier_line == line && block.barrier_kind == kind &&
              (block.barrier_file == file || !strcmp(block.barrier_file, file));
  if (block.at_barrier && !same) {
    unsigned other = 0;
    while (block.threads[other].state != State::AtBarrier) other++;
    fail("divergent barrier in block (%u,%u,%u): thread %u waits at %s:%d, thread %u reached %s:%d",
         block.index.x, block.index.y, block.index.z, other, block.barrier_file, block.barrier_line,
         self.rank, file, line);
  }
  block.barrier_file = self.file = file;
  block.barrier_line = self.line = line;
  block.barrier_kind = kind;
  self.predicate = predicate;
  self.state = State::AtBarrier;
  block.at_barrier++;
  if (block.at_barrier < e.block_threads - block.returned) {
    e.deschedule();
  } else {
    e.release_barrier(block, &self);
    if (e.random) {
      e.push_ready(self);
      e.deschedule();
    }
  }
  return (int)self.result;
}

void grid_barrier(const char *file, int line) {
  Executor &e = *Executor::current;
  RuntimeScope scope(e);
  Thread &self = *e.running;
  if (!e.config.cooperative) fail("grid sync at %s:%d in a launch that is not cooperative", file, line);
  self.file = file;
  self.line = line;
  self.state = State::AtGrid;
  e.at_grid_barrier++;
  uint64_t alive = 0;
  for (unsigned s = 0; s < e.resident; s++) {
    if (e.slots[s]->active) alive += e.block_threads - e.slots[s]->returned;
  }
  if (e.at_grid_barrier < alive) return e.deschedule();
  e.at_grid_barrier = 0;
  e.progress();
  note_grid_barrier(e);
  for (unsigned s = 0; s < e.resident; s++) {
    Block &block = *e.slots[s];
    if (!block.active) continue;
    for (unsigned i = 0; i < block.begun; i++) {
      Thread &thread = block.threads[i];
      if (thread.state != State::AtGrid) continue;
      if (&thread == &self) {
        thread.state = State::Runnable;
      } else {
        e.make_ready(thread);
      }
    }
  }
}

bool is_cooperative() { return Executor::current->config.cooperative; }

}  // namespace cn_sim::sim
