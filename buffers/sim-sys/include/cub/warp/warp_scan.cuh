#pragma once
#include "warp_reduce.cuh"

namespace cn_sim {
namespace cub {

template <class T, int Width = 32>
class WarpScan {
 public:
  struct TempStorage {
    T values[Width];
  };
  explicit WarpScan(TempStorage &temp) : temp_(temp) {}

  void InclusiveSum(T input, T &output, SIM_LOC) { InclusiveScan(input, output, std::plus<>{}, SIM_L); }
  void InclusiveSum(T input, T &output, T &aggregate, SIM_LOC) {
    InclusiveScan(input, output, std::plus<>{}, aggregate, SIM_L);
  }
  void ExclusiveSum(T input, T &output, SIM_LOC) { ExclusiveScan(input, output, T{}, std::plus<>{}, SIM_L); }
  void ExclusiveSum(T input, T &output, T &aggregate, SIM_LOC) {
    ExclusiveScan(input, output, T{}, std::plus<>{}, aggregate, SIM_L);
  }

  template <class Op>
  void InclusiveScan(T input, T &output, Op op, SIM_LOC) {
    T aggregate;
    InclusiveScan(input, output, op, aggregate, SIM_L);
  }
  template <class Op>
  void InclusiveScan(T input, T &output, Op op, T &aggregate, SIM_LOC) {
    unsigned lane = exchange(input, SIM_L);
    T running = temp_.values[0];
    for (unsigned i = 1; i <= lane; i++) running = op(running, temp_.values[i]);
    output = running;
    aggregate = total(op);
  }
  template <class Op>
  void ExclusiveScan(T input, T &output, T initial, Op op, SIM_LOC) {
    T aggregate;
    ExclusiveScan(input, output, initial, op, aggregate, SIM_L);
  }
  template <class Op>
  void ExclusiveScan(T input, T &output, T initial, Op op, T &aggregate, SIM_LOC) {
    unsigned lane = exchange(input, SIM_L);
    T running = initial;
    for (unsigned i = 0; i < lane; i++) running = op(running, temp_.values[i]);
    output = running;
    aggregate = total(op);
  }

 private:
  unsigned exchange(const T &input, SIM_LOC) {
    unsigned lane = sim::lane_id() & (Width - 1);
    temp_.values[lane] = input;
    __syncwarp(sim_detail::warp_mask<Width>(), SIM_L);
    return lane;
  }
  template <class Op>
  T total(Op op) const {
    T result = temp_.values[0];
    for (int i = 1; i < Width; i++) result = op(result, temp_.values[i]);
    return result;
  }

  TempStorage &temp_;
};

}  // namespace cub
}  // namespace cn_sim
