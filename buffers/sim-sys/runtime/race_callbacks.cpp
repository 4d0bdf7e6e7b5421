// The functions that the compiler's thread instrumentation calls, in place of its own library.
//
// Kernels of the race flavour are compiled with -fsanitize=thread, which turns every access and atomic into a
// call. Every access is also a place where the schedule may change.
#ifdef CN_SIM_RACE
#include "race.h"

namespace cn_sim::sim {
namespace {

enum class Preemption { Allowed, Withheld };

void on_access(const volatile void *p, size_t size, bool write, bool atomic, const void *pc,
               Preemption preemption = Preemption::Allowed) {
  Executor *e = Executor::current;
  if (!e || !e->running || e->in_runtime) return;
  if (e->fiber->contains((const void *)p)) return;  // the thread's own local memory
  if (preemption == Preemption::Allowed && --preempt_budget < 0) preempt_slow("(memory access)", 0);
  RuntimeScope scope(*e);
  e->races->check(*e, Access{(uintptr_t)p, (unsigned)size, write, atomic, pc});
}

// The macro that precedes an atomic is its preemption point.
void on_atomic(const volatile void *p, size_t size, bool write, const void *pc) {
  on_access(p, size, write, true, pc, Preemption::Withheld);
}

// A relaxed atomic is not an acquire, unless the thread issues a fence.
void on_acquire(int order) {
  Executor *e = Executor::current;
  if (!e || !e->running) return;
  if (order != __ATOMIC_RELAXED || e->running->fenced) e->running->acquired = e->races->tick();
}

}  // namespace
}  // namespace cn_sim::sim

using namespace cn_sim::sim;
#define CN_SIM_PC __builtin_return_address(0)

extern "C" {

void __tsan_init() {}
void __tsan_func_entry(void *) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void **, void *) {}
void __tsan_vptr_read(void **) {}
void __tsan_atomic_thread_fence(int) {}
void __tsan_atomic_signal_fence(int) {}

#define CN_SIM_ACCESS(size)                                                                          \
  void __tsan_read##size(void *p) { on_access(p, size, false, false, CN_SIM_PC); }                   \
  void __tsan_write##size(void *p) { on_access(p, size, true, false, CN_SIM_PC); }                   \
  void __tsan_unaligned_read##size(void *p) { on_access(p, size, false, false, CN_SIM_PC); }         \
  void __tsan_unaligned_write##size(void *p) { on_access(p, size, true, false, CN_SIM_PC); }         \
  void __tsan_volatile_read##size(void *p) { on_access(p, size, false, true, CN_SIM_PC); }           \
  void __tsan_volatile_write##size(void *p) { on_access(p, size, true, true, CN_SIM_PC); }           \
  void __tsan_unaligned_volatile_read##size(void *p) { on_access(p, size, false, true, CN_SIM_PC); } \
  void __tsan_unaligned_volatile_write##size(void *p) { on_access(p, size, true, true, CN_SIM_PC); }
CN_SIM_ACCESS(1)
CN_SIM_ACCESS(2)
CN_SIM_ACCESS(4)
CN_SIM_ACCESS(8)
CN_SIM_ACCESS(16)
#undef CN_SIM_ACCESS

void __tsan_read_range(void *p, unsigned long size) { on_access(p, size, false, false, CN_SIM_PC); }
void __tsan_write_range(void *p, unsigned long size) { on_access(p, size, true, false, CN_SIM_PC); }

#define CN_SIM_FETCH(bits, T, name)                                         \
  T __tsan_atomic##bits##_fetch_##name(volatile T *p, T value, int order) { \
    on_atomic(p, sizeof(T), true, CN_SIM_PC);                               \
    on_acquire(order);                                                      \
    return __atomic_fetch_##name(p, value, __ATOMIC_SEQ_CST);               \
  }

#define CN_SIM_COMPARE_EXCHANGE(bits, T, name)                                                             \
  int __tsan_atomic##bits##_compare_exchange_##name(volatile T *p, T *expected, T value, int order, int) { \
    on_atomic(p, sizeof(T), true, CN_SIM_PC);                                                              \
    on_acquire(order);                                                                                     \
    return __atomic_compare_exchange_n(p, expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);     \
  }

#define CN_SIM_ATOMICS(bits, T)                                                                      \
  T __tsan_atomic##bits##_load(const volatile T *p, int order) {                                     \
    on_atomic(p, sizeof(T), false, CN_SIM_PC);                                                       \
    T value = __atomic_load_n(p, __ATOMIC_SEQ_CST);                                                  \
    on_acquire(order);                                                                               \
    return value;                                                                                    \
  }                                                                                                  \
  void __tsan_atomic##bits##_store(volatile T *p, T value, int) {                                    \
    on_atomic(p, sizeof(T), true, CN_SIM_PC);                                                        \
    __atomic_store_n(p, value, __ATOMIC_SEQ_CST);                                                    \
  }                                                                                                  \
  T __tsan_atomic##bits##_exchange(volatile T *p, T value, int order) {                              \
    on_atomic(p, sizeof(T), true, CN_SIM_PC);                                                        \
    on_acquire(order);                                                                               \
    return __atomic_exchange_n(p, value, __ATOMIC_SEQ_CST);                                          \
  }                                                                                                  \
  CN_SIM_FETCH(bits, T, add)                                                                         \
  CN_SIM_FETCH(bits, T, sub)                                                                         \
  CN_SIM_FETCH(bits, T, and)                                                                         \
  CN_SIM_FETCH(bits, T, or)                                                                          \
  CN_SIM_FETCH(bits, T, xor)                                                                         \
  CN_SIM_COMPARE_EXCHANGE(bits, T, strong)                                                           \
  CN_SIM_COMPARE_EXCHANGE(bits, T, weak)                                                             \
  T __tsan_atomic##bits##_compare_exchange_val(volatile T *p, T expected, T value, int order, int) { \
    on_atomic(p, sizeof(T), true, CN_SIM_PC);                                                        \
    on_acquire(order);                                                                               \
    __atomic_compare_exchange_n(p, &expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);     \
    return expected;                                                                                 \
  }
CN_SIM_ATOMICS(8, uint8_t)
CN_SIM_ATOMICS(16, uint16_t)
CN_SIM_ATOMICS(32, uint32_t)
CN_SIM_ATOMICS(64, uint64_t)

}  // extern "C"
#endif
