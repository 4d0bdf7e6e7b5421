#pragma once
#include "../../cuda_runtime.h"

namespace cn_sim {
namespace cub {
namespace sim_detail {

// The lanes of the calling lane's logical warp of `Width` lanes.
template <int Width>
unsigned warp_mask() {
  static_assert(Width > 0 && Width <= 32 && (Width & (Width - 1)) == 0, "a power of two up to 32");
  unsigned lanes = Width == 32 ? ~0u : (1u << (Width & 31)) - 1;
  return lanes << (sim::lane_id() & ~(unsigned)(Width - 1));
}

}  // namespace sim_detail

// Only lane 0 gets the result. Values have any type, so they are passed through the temporary storage.
template <class T, int Width = 32>
class WarpReduce {
 public:
  struct TempStorage {
    T values[Width];
  };
  explicit WarpReduce(TempStorage &temp) : temp_(temp) {}

  template <class Op>
  T Reduce(T input, Op op, SIM_LOC) {
    return Reduce(input, op, Width, SIM_L);
  }
  // Over the first `valid` lanes.
  template <class Op>
  T Reduce(T input, Op op, int valid, SIM_LOC) {
    unsigned lane = sim::lane_id() & (Width - 1);
    temp_.values[lane] = input;
    __syncwarp(sim_detail::warp_mask<Width>(), SIM_L);
    if (lane != 0) return input;
    T result = temp_.values[0];
    for (int i = 1; i < valid; i++) result = op(result, temp_.values[i]);
    return result;
  }
  T Sum(T input, SIM_LOC) { return Reduce(input, std::plus<>{}, Width, SIM_L); }
  T Sum(T input, int valid, SIM_LOC) { return Reduce(input, std::plus<>{}, valid, SIM_L); }

 private:
  TempStorage &temp_;
};

}  // namespace cub
}  // namespace cn_sim
