#pragma once
#include "block_reduce.cuh"

namespace cn_sim {
namespace cub {

enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

template <class T, int X, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1>
class BlockScan {
 public:
  static constexpr int threads = X * Y * Z;
  struct TempStorage {
    T values[threads];
  };
  explicit BlockScan(TempStorage &temp) : temp_(temp) {}

  void InclusiveSum(T input, T &output, SIM_LOC) {
    T aggregate;
    InclusiveSum(input, output, aggregate, SIM_L);
  }
  void InclusiveSum(T input, T &output, T &aggregate, SIM_LOC) {
    one(input, output, nullptr, Kind::Inclusive, std::plus<>{}, aggregate, SIM_L);
  }
  template <int Items>
  void InclusiveSum(T (&input)[Items], T (&output)[Items], SIM_LOC) {
    T aggregate;
    scan(input, output, nullptr, Kind::Inclusive, std::plus<>{}, aggregate, SIM_L);
  }
  template <int Items>
  void InclusiveSum(T (&input)[Items], T (&output)[Items], T &aggregate, SIM_LOC) {
    scan(input, output, nullptr, Kind::Inclusive, std::plus<>{}, aggregate, SIM_L);
  }

  void ExclusiveSum(T input, T &output, SIM_LOC) {
    T aggregate;
    ExclusiveSum(input, output, aggregate, SIM_L);
  }
  void ExclusiveSum(T input, T &output, T &aggregate, SIM_LOC) {
    T zero{};
    one(input, output, &zero, Kind::Exclusive, std::plus<>{}, aggregate, SIM_L);
  }
  template <int Items>
  void ExclusiveSum(T (&input)[Items], T (&output)[Items], SIM_LOC) {
    T aggregate;
    ExclusiveSum(input, output, aggregate, SIM_L);
  }
  template <int Items>
  void ExclusiveSum(T (&input)[Items], T (&output)[Items], T &aggregate, SIM_LOC) {
    T zero{};
    scan(input, output, &zero, Kind::Exclusive, std::plus<>{}, aggregate, SIM_L);
  }

  template <class Op>
  void InclusiveScan(T input, T &output, Op op, SIM_LOC) {
    T aggregate;
    one(input, output, nullptr, Kind::Inclusive, op, aggregate, SIM_L);
  }
  template <class Op>
  void InclusiveScan(T input, T &output, Op op, T &aggregate, SIM_LOC) {
    one(input, output, nullptr, Kind::Inclusive, op, aggregate, SIM_L);
  }
  template <int Items, class Op>
  void InclusiveScan(T (&input)[Items], T (&output)[Items], Op op, SIM_LOC) {
    T aggregate;
    scan(input, output, nullptr, Kind::Inclusive, op, aggregate, SIM_L);
  }
  template <class Op>
  void ExclusiveScan(T input, T &output, T initial, Op op, SIM_LOC) {
    T aggregate;
    one(input, output, &initial, Kind::Exclusive, op, aggregate, SIM_L);
  }
  template <class Op>
  void ExclusiveScan(T input, T &output, T initial, Op op, T &aggregate, SIM_LOC) {
    one(input, output, &initial, Kind::Exclusive, op, aggregate, SIM_L);
  }

 private:
  enum class Kind { Inclusive, Exclusive };

  template <class Op>
  void one(T input, T &output, const T *initial, Kind kind, Op op, T &aggregate, SIM_LOC) {
    T in[1] = {input}, out[1];
    scan(in, out, initial, kind, op, aggregate, SIM_L);
    output = out[0];
  }

  // Every thread writes its sum, then adds those before it; the aggregate excludes the initial value.
  template <int Items, class Op>
  void scan(T (&input)[Items], T (&output)[Items], const T *initial, Kind kind, Op op, T &aggregate,
            SIM_LOC) {
    unsigned rank = sim_detail::thread_rank();
    T own = input[0];
    for (int i = 1; i < Items; i++) own = op(own, input[i]);
    temp_.values[rank] = own;
    __syncthreads(SIM_L);
    T running = initial ? *initial : T{};
    bool any = initial != nullptr;
    auto append = [&](const T &value) {
      running = any ? op(running, value) : value;
      any = true;
    };
    for (unsigned before = 0; before < rank; before++) append(temp_.values[before]);
    for (int i = 0; i < Items; i++) {
      T value = input[i];
      if (kind == Kind::Exclusive) output[i] = running;
      append(value);
      if (kind == Kind::Inclusive) output[i] = running;
    }
    aggregate = temp_.values[0];
    for (int i = 1; i < threads; i++) aggregate = op(aggregate, temp_.values[i]);
  }

  TempStorage &temp_;
};

}  // namespace cub
}  // namespace cn_sim
