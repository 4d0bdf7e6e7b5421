// Atomics and fences. The overloads are exactly CUDA's, so that code that compiles here compiles under nvcc:
// there is no overload for unsigned long (uint64_t), only for unsigned long long.
#pragma once
#include "execution.h"

namespace cn_sim {
namespace sim {

// Returns the old value; `next` maps it to the new one.
template <class T, class F>
inline T atomic_update(T *p, F next) {
  T old = __atomic_load_n(p, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(p, &old, next(old), true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
  return old;
}

// The same for a floating-point type, through the integer of its size.
template <class Bits, class F>
inline F atomic_add_float(F *p, F addend) {
  static_assert(sizeof(Bits) == sizeof(F), "");
  Bits old = atomic_update((Bits *)p, [addend](Bits bits) {
    F value;
    memcpy(&value, &bits, sizeof value);
    value += addend;
    memcpy(&bits, &value, sizeof value);
    return bits;
  });
  F value;
  memcpy(&value, &old, sizeof value);
  return value;
}

}  // namespace sim

// Here block scope and system scope equal device scope.
#define CN_SIM_ATOMIC(name, T, expression)                                \
  inline T name(T *p, T v, SIM_LOC) {                                     \
    sim::preempt(SIM_L);                                                  \
    return expression;                                                    \
  }                                                                       \
  inline T name##_block(T *p, T v, SIM_LOC) { return name(p, v, SIM_L); } \
  inline T name##_system(T *p, T v, SIM_LOC) { return name(p, v, SIM_L); }

#define CN_SIM_ATOMICS(T)                                                   \
  CN_SIM_ATOMIC(atomicAdd, T, __atomic_fetch_add(p, v, __ATOMIC_RELAXED))   \
  CN_SIM_ATOMIC(atomicExch, T, __atomic_exchange_n(p, v, __ATOMIC_RELAXED)) \
  CN_SIM_ATOMIC(atomicAnd, T, __atomic_fetch_and(p, v, __ATOMIC_RELAXED))   \
  CN_SIM_ATOMIC(atomicOr, T, __atomic_fetch_or(p, v, __ATOMIC_RELAXED))     \
  CN_SIM_ATOMIC(atomicXor, T, __atomic_fetch_xor(p, v, __ATOMIC_RELAXED))
CN_SIM_ATOMICS(int)
CN_SIM_ATOMICS(unsigned)
CN_SIM_ATOMICS(unsigned long long)
#undef CN_SIM_ATOMICS

#define CN_SIM_ATOMICS(T)                                                                      \
  CN_SIM_ATOMIC(atomicMin, T, sim::atomic_update(p, [v](T old) { return old < v ? old : v; })) \
  CN_SIM_ATOMIC(atomicMax, T, sim::atomic_update(p, [v](T old) { return old < v ? v : old; }))
CN_SIM_ATOMICS(int)
CN_SIM_ATOMICS(unsigned)
CN_SIM_ATOMICS(long long)
CN_SIM_ATOMICS(unsigned long long)
#undef CN_SIM_ATOMICS

CN_SIM_ATOMIC(atomicAnd, long long, __atomic_fetch_and(p, v, __ATOMIC_RELAXED))
CN_SIM_ATOMIC(atomicOr, long long, __atomic_fetch_or(p, v, __ATOMIC_RELAXED))
CN_SIM_ATOMIC(atomicXor, long long, __atomic_fetch_xor(p, v, __ATOMIC_RELAXED))
CN_SIM_ATOMIC(atomicSub, int, __atomic_fetch_sub(p, v, __ATOMIC_RELAXED))
CN_SIM_ATOMIC(atomicSub, unsigned, __atomic_fetch_sub(p, v, __ATOMIC_RELAXED))
CN_SIM_ATOMIC(atomicInc, unsigned,
              sim::atomic_update(p, [v](unsigned old) { return old >= v ? 0 : old + 1; }))
CN_SIM_ATOMIC(atomicDec, unsigned,
              sim::atomic_update(p, [v](unsigned old) { return old == 0 || old > v ? v : old - 1; }))
CN_SIM_ATOMIC(atomicAdd, float, sim::atomic_add_float<uint32_t>(p, v))
CN_SIM_ATOMIC(atomicAdd, double, sim::atomic_add_float<uint64_t>(p, v))
#undef CN_SIM_ATOMIC

inline float atomicExch(float *p, float v, SIM_LOC) {
  unsigned bits;
  memcpy(&bits, &v, sizeof bits);
  bits = atomicExch((unsigned *)p, bits, SIM_L);
  memcpy(&v, &bits, sizeof bits);
  return v;
}

#define CN_SIM_ATOMIC_CAS(T)                                                                            \
  inline T atomicCAS(T *p, T expected, T v, SIM_LOC) {                                                  \
    sim::preempt(SIM_L);                                                                                \
    __atomic_compare_exchange_n(p, &expected, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);            \
    return expected;                                                                                    \
  }                                                                                                     \
  inline T atomicCAS_block(T *p, T expected, T v, SIM_LOC) { return atomicCAS(p, expected, v, SIM_L); } \
  inline T atomicCAS_system(T *p, T expected, T v, SIM_LOC) { return atomicCAS(p, expected, v, SIM_L); }
CN_SIM_ATOMIC_CAS(unsigned short)
CN_SIM_ATOMIC_CAS(int)
CN_SIM_ATOMIC_CAS(unsigned)
CN_SIM_ATOMIC_CAS(unsigned long long)
#undef CN_SIM_ATOMIC_CAS

// All threads of a grid run on one host thread, so a compiler barrier suffices.
inline void __threadfence(SIM_LOC) {
  sim::preempt(SIM_L);
  sim::fence();
  asm volatile("" ::: "memory");
}
inline void __threadfence_block(SIM_LOC) { __threadfence(SIM_L); }
inline void __threadfence_system(SIM_LOC) { __threadfence(SIM_L); }

}  // namespace cn_sim
