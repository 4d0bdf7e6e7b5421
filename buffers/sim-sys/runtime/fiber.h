// Stacks that simulated threads run on, and switching between them.
//
// A worker fiber runs one kernel thread after another on one stack; only a thread that waits makes the
// executor take another fiber. A kernel without synchronisation thus runs on one stack, as a plain loop.
#pragma once
#include <cstddef>

#ifdef CN_SIM_ASAN
#include <sanitizer/common_interface_defs.h>
#endif

// Saves the callee-saved registers and the stack pointer of one fiber and loads those of another.
extern "C" void cn_sim_switch(void **save, void *load);

namespace cn_sim::sim {

struct Fiber {
  void *stack_pointer = nullptr;  // while the fiber is not running
  char *stack = nullptr;
  size_t size = 0;
  // Unused bytes at the top: stacks that begin at the same offset in a page would share sets of the L1 cache.
  size_t colour = 0;
  void *fake_stack = nullptr;  // AddressSanitizer's

  bool contains(const void *p) const { return p >= stack && p < stack + size; }
};

enum class Leaving { ToReturn, ForEver };

// The fiber of the calling operating-system thread's own stack.
void adopt_thread_stack(Fiber &fiber);
// Takes a fiber from the pool, or makes one of `bytes`; it begins at `entry` when first switched to.
Fiber *take_fiber(size_t bytes, size_t colour_index, void (*entry)());
// Resets the fiber, so that it begins at `entry` again.
void reset_fiber(Fiber &fiber, void (*entry)());
void give_fiber(Fiber *fiber);

inline void switch_fiber(Fiber &from, Fiber &to, [[maybe_unused]] Leaving leaving) {
#ifdef CN_SIM_ASAN
  void **keep = leaving == Leaving::ForEver ? nullptr : &from.fake_stack;
  __sanitizer_start_switch_fiber(keep, to.stack, to.size);
#endif
  cn_sim_switch(&from.stack_pointer, to.stack_pointer);
#ifdef CN_SIM_ASAN
  __sanitizer_finish_switch_fiber(from.fake_stack, nullptr, nullptr);
#endif
}
// Must be the first call of a fiber's entry function.
void finish_first_switch();

}  // namespace cn_sim::sim
