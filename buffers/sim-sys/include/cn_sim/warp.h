// Warp collectives. Values are passed as 64 bits; the runtime matches the lanes and computes the results.
#pragma once
#include "execution.h"

namespace cn_sim {
namespace sim {

enum class WarpOp : uint8_t {
  Sync,
  Shuffle,
  ShuffleUp,
  ShuffleDown,
  ShuffleXor,
  Ballot,
  Any,
  All,
  MatchAny,
  MatchAll,
  Add,
  MinUnsigned,
  MaxUnsigned,
  MinSigned,
  MaxSigned,
  And,
  Or,
  Xor,
  ActiveMask,
};

// Waits until every lane of `mask` that has not returned arrives, and returns this lane's result.
uint64_t warp_op(WarpOp op, unsigned mask, uint64_t value, int argument, int width, SIM_LOC);
unsigned lane_id();

template <class T>
uint64_t to_bits(T value) {
  static_assert(std::is_arithmetic<T>::value && (sizeof(T) == 4 || sizeof(T) == 8),
                "warp collectives take arithmetic types of 4 and 8 bytes");
  uint64_t bits = 0;
  memcpy(&bits, &value, sizeof value);
  return bits;
}
template <class T>
T from_bits(uint64_t bits) {
  T value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

}  // namespace sim

inline void __syncwarp(unsigned mask = 0xffffffffu, SIM_LOC) {
  sim::warp_op(sim::WarpOp::Sync, mask, 0, 0, 32, SIM_L);
}

#define CN_SIM_SHUFFLE(name, op, Argument)                                                                 \
  template <class T>                                                                                       \
  inline T name(unsigned mask, T value, Argument argument, int width = 32, SIM_LOC) {                      \
    uint64_t bits = sim::warp_op(sim::WarpOp::op, mask, sim::to_bits(value), (int)argument, width, SIM_L); \
    return sim::from_bits<T>(bits);                                                                        \
  }
CN_SIM_SHUFFLE(__shfl_sync, Shuffle, int)
CN_SIM_SHUFFLE(__shfl_up_sync, ShuffleUp, unsigned)
CN_SIM_SHUFFLE(__shfl_down_sync, ShuffleDown, unsigned)
CN_SIM_SHUFFLE(__shfl_xor_sync, ShuffleXor, int)
#undef CN_SIM_SHUFFLE

inline unsigned __ballot_sync(unsigned mask, int predicate, SIM_LOC) {
  return (unsigned)sim::warp_op(sim::WarpOp::Ballot, mask, !!predicate, 0, 32, SIM_L);
}
inline int __any_sync(unsigned mask, int predicate, SIM_LOC) {
  return (int)sim::warp_op(sim::WarpOp::Any, mask, !!predicate, 0, 32, SIM_L);
}
inline int __all_sync(unsigned mask, int predicate, SIM_LOC) {
  return (int)sim::warp_op(sim::WarpOp::All, mask, !!predicate, 0, 32, SIM_L);
}
inline unsigned __activemask(SIM_LOC) {
  return (unsigned)sim::warp_op(sim::WarpOp::ActiveMask, 0, 0, 0, 32, SIM_L);
}
template <class T>
inline unsigned __match_any_sync(unsigned mask, T value, SIM_LOC) {
  return (unsigned)sim::warp_op(sim::WarpOp::MatchAny, mask, sim::to_bits(value), 0, 32, SIM_L);
}
template <class T>
inline unsigned __match_all_sync(unsigned mask, T value, int *all, SIM_LOC) {
  auto matched = (unsigned)sim::warp_op(sim::WarpOp::MatchAll, mask, sim::to_bits(value), 0, 32, SIM_L);
  *all = matched != 0;
  return matched;
}

#define CN_SIM_WARP_REDUCE(name, T, op)                                           \
  inline T name(unsigned mask, T value, SIM_LOC) {                                \
    return (T)sim::warp_op(sim::WarpOp::op, mask, (uint32_t)value, 0, 32, SIM_L); \
  }
CN_SIM_WARP_REDUCE(__reduce_add_sync, unsigned, Add)
CN_SIM_WARP_REDUCE(__reduce_add_sync, int, Add)
CN_SIM_WARP_REDUCE(__reduce_min_sync, unsigned, MinUnsigned)
CN_SIM_WARP_REDUCE(__reduce_max_sync, unsigned, MaxUnsigned)
CN_SIM_WARP_REDUCE(__reduce_min_sync, int, MinSigned)
CN_SIM_WARP_REDUCE(__reduce_max_sync, int, MaxSigned)
CN_SIM_WARP_REDUCE(__reduce_and_sync, unsigned, And)
CN_SIM_WARP_REDUCE(__reduce_or_sync, unsigned, Or)
CN_SIM_WARP_REDUCE(__reduce_xor_sync, unsigned, Xor)
#undef CN_SIM_WARP_REDUCE

}  // namespace cn_sim
