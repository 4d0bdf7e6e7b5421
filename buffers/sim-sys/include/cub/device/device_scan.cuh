#pragma once
#include "two_phase.cuh"

namespace cn_sim {
namespace cub {

struct DeviceScan {
  template <class In, class Out, class Op, class Init, class N>
  static cudaError_t ExclusiveScan(void *temp, size_t &bytes, In in, Out out, Op op, Init init, N n,
                                   cudaStream_t stream = 0) {
    return sim_detail::two_phase(temp, bytes, sim_detail::tile_bytes(n), stream, [=] {
      sim_detail::accumulator_t<Op, Init, In> running = init;
      for (N i = 0; i < n; i++) {
        auto value = in[i];  // read first: the scan may be in place
        out[i] = running;
        running = op(running, value);
      }
    });
  }

  template <class In, class Out, class Op, class N>
  static cudaError_t InclusiveScan(void *temp, size_t &bytes, In in, Out out, Op op, N n,
                                   cudaStream_t stream = 0) {
    return sim_detail::two_phase(temp, bytes, sim_detail::tile_bytes(n), stream, [=] {
      if (n <= 0) return;
      sim_detail::accumulator_t<Op, sim_detail::value_t<In>, In> running = in[0];
      out[0] = running;
      for (N i = 1; i < n; i++) {
        running = op(running, in[i]);
        out[i] = running;
      }
    });
  }

  template <class In, class Out, class N>
  static cudaError_t ExclusiveSum(void *temp, size_t &bytes, In in, Out out, N n, cudaStream_t stream = 0) {
    return ExclusiveScan(temp, bytes, in, out, std::plus<>{}, sim_detail::value_t<In>{}, n, stream);
  }

  template <class In, class Out, class N>
  static cudaError_t InclusiveSum(void *temp, size_t &bytes, In in, Out out, N n, cudaStream_t stream = 0) {
    return InclusiveScan(temp, bytes, in, out, std::plus<>{}, n, stream);
  }
};

}  // namespace cub
}  // namespace cn_sim
