#include "executor.h"

namespace cn_sim {

__thread uint3 threadIdx;
__thread uint3 blockIdx;
__thread dim3 blockDim;
__thread dim3 gridDim;

namespace sim {

__thread Executor *Executor::current;
__thread int preempt_budget = 4096;

void worker_main() {
  finish_first_switch();
  Executor &e = *Executor::current;
  for (;;) {
    Fiber &self = *e.fiber;
    e.kernel.function(e.kernel.context);
    e.in_runtime = 1;
    e.idle.push_back(&self);
    if (Thread *thread = e.pop_ready()) {
      e.resume(*thread, self);
    } else {
      e.running = nullptr;
      e.jump(self, e.main);
    }
    e.in_runtime = 0;
  }
}

Fiber &Executor::idle_fiber() {
  if (idle.empty()) {
    fibers.push_back(take_fiber(asked.stack_bytes, fibers.size(), worker_main));
    return *fibers.back();
  }
  Fiber *fiber = idle.back();
  idle.pop_back();
  return *fiber;
}

void Executor::deschedule() {
  Fiber &self = *fiber;
  bool begin = random && ready && random_number() % 4 == 0 && startable();
  if (!begin) {
    if (Thread *thread = pop_ready()) return resume(*thread, self);
  }
  if (begin || startable()) {
    Fiber &worker = idle_fiber();
    running = nullptr;
    return jump(self, worker);
  }
  if (Thread *thread = pop_spinning()) return resume(*thread, self);
  running = nullptr;
  jump(self, main);
}

void Executor::yield(const char *file, int line) {
  running->file = file;
  running->line = line;
  // Every resident thread may spin many times while one makes progress; far more spins are a livelock.
  if (++yields > 2000000 + 64ull * block_threads * resident) {
    fail("livelock: %llu yields with no thread making progress; this thread spins at %s:%d",
         (unsigned long long)yields, file, line);
  }
  if (random) {
    push_ready(*running);
  } else {
    spinning.push_back(running);
  }
  deschedule();
}

void spin_hint(const char *file, int line) {
  Executor *e = Executor::current;
  if (!e || !e->running) return;
  // A waiting thread gets less time than a working one.
  constexpr int cost = 64;
  preempt_budget -= cost;
  if (preempt_budget >= 0) return;
  preempt_budget = e->asked.preempt_steps;
  if (e->in_runtime) return;
  RuntimeScope scope(*e);
  e->yield(file, line);
}

void preempt_slow(const char *file, int line) {
  preempt_budget = options().preempt_steps;
  Executor *e = Executor::current;
  if (!e || !e->running || e->in_runtime) return;
  RuntimeScope scope(*e);
  e->yield(file, line);
}

void quiet(bool on) {
  if (Executor *e = Executor::current) e->in_runtime = on;
}

}  // namespace sim
}  // namespace cn_sim
