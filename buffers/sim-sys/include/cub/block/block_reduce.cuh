#pragma once
#include "../../cuda_runtime.h"

namespace cn_sim {
namespace cub {

enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
  BLOCK_REDUCE_RAKING,
  BLOCK_REDUCE_WARP_REDUCTIONS,
};

namespace sim_detail {
inline unsigned thread_rank() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
}  // namespace sim_detail

// Only thread 0 gets the result; the value of other threads is unspecified.
template <class T, int X, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1>
class BlockReduce {
 public:
  static constexpr int threads = X * Y * Z;
  struct TempStorage {
    T values[threads];
  };
  explicit BlockReduce(TempStorage &temp) : temp_(temp) {}

  template <class Op>
  T Reduce(T input, Op op, SIM_LOC) {
    return Reduce(input, op, threads, SIM_L);
  }
  // Over the first `valid` threads.
  template <class Op>
  T Reduce(T input, Op op, int valid, SIM_LOC) {
    unsigned rank = sim_detail::thread_rank();
    temp_.values[rank] = input;
    __syncthreads(SIM_L);
    if (rank != 0) return input;
    T result = temp_.values[0];
    for (int i = 1; i < valid; i++) result = op(result, temp_.values[i]);
    return result;
  }
  template <int Items, class Op>
  T Reduce(T (&input)[Items], Op op, SIM_LOC) {
    T own = input[0];
    for (int i = 1; i < Items; i++) own = op(own, input[i]);
    return Reduce(own, op, threads, SIM_L);
  }

  T Sum(T input, SIM_LOC) { return Reduce(input, std::plus<>{}, threads, SIM_L); }
  T Sum(T input, int valid, SIM_LOC) { return Reduce(input, std::plus<>{}, valid, SIM_L); }
  template <int Items>
  T Sum(T (&input)[Items], SIM_LOC) {
    return Reduce(input, std::plus<>{}, SIM_L);
  }

 private:
  TempStorage &temp_;
};

}  // namespace cub
}  // namespace cn_sim
