// Which thread runs next: the parts that every wait goes through.
//
// In order: ready threads first in, first out; then a new thread; then threads that yielded at a spin. With a
// seed, ready threads are drawn at random and new threads may begin earlier.
#pragma once
#include "executor.h"

namespace cn_sim::sim {

inline void Executor::progress() {
  yields = 0;
  progressed = progressed + 1;
}

inline uint64_t Executor::random_number() {
  uint64_t x = random_state;
  x ^= x << 13;
  x ^= x >> 7;
  x ^= x << 17;
  return random_state = x;
}

inline void Executor::push_ready(Thread &thread) {
  ring[(ring_head + ready++) & (ring.size() - 1)] = &thread;
}

inline void Executor::make_ready(Thread &thread) {
  thread.state = State::Runnable;
  push_ready(thread);
}

inline Thread *Executor::pop_ready() {
  if (!ready) return nullptr;
  size_t wrap = ring.size() - 1;
  if (random) std::swap(ring[ring_head & wrap], ring[(ring_head + random_number() % ready) & wrap]);
  Thread *thread = ring[ring_head & wrap];
  ring_head++;
  ready--;
  return thread;
}

inline Thread *Executor::pop_spinning() {
  if (spinning.empty()) return nullptr;
  Thread *thread = spinning.front();
  spinning.pop_front();
  return thread;
}

inline void Executor::set_running(Thread &thread) {
  running = &thread;
  threadIdx = thread.index;
  blockIdx = thread.block->index;
  switches = switches + 1;
  int steps = asked.preempt_steps;
  preempt_budget = random ? (int)(random_number() % (2 * (uint64_t)steps + 1)) : steps;
}

inline void Executor::jump(Fiber &from, Fiber &to, Leaving leaving) {
  fiber = &to;
  if (&from != &to) switch_fiber(from, to, leaving);
}

inline void Executor::resume(Thread &thread, Fiber &from) {
  set_running(thread);
  jump(from, *thread.fiber);
}

}  // namespace cn_sim::sim
