#pragma once
#include <limits>

#include "two_phase.cuh"

namespace cn_sim {
namespace cub {

struct DeviceReduce {
  template <class In, class Out, class N, class Op, class Init>
  static cudaError_t Reduce(void *temp, size_t &bytes, In in, Out out, N n, Op op, Init init,
                            cudaStream_t stream = 0) {
    return sim_detail::two_phase(temp, bytes, 256, stream, [=] {
      sim_detail::accumulator_t<Op, Init, In> result = init;
      for (N i = 0; i < n; i++) result = op(result, in[i]);
      *out = result;
    });
  }

  template <class In, class Out, class N>
  static cudaError_t Sum(void *temp, size_t &bytes, In in, Out out, N n, cudaStream_t stream = 0) {
    using T = sim_detail::value_t<Out>;
    return Reduce(temp, bytes, in, out, n, std::plus<>{}, T{}, stream);
  }

  template <class In, class Out, class N>
  static cudaError_t Min(void *temp, size_t &bytes, In in, Out out, N n, cudaStream_t stream = 0) {
    using T = sim_detail::value_t<In>;
    return Reduce(temp, bytes, in, out, n, cuda::minimum<>{}, std::numeric_limits<T>::max(), stream);
  }

  template <class In, class Out, class N>
  static cudaError_t Max(void *temp, size_t &bytes, In in, Out out, N n, cudaStream_t stream = 0) {
    using T = sim_detail::value_t<In>;
    return Reduce(temp, bytes, in, out, n, cuda::maximum<>{}, std::numeric_limits<T>::lowest(), stream);
  }

  // One aggregate for each run of equal keys.
  template <class Keys, class Unique, class Values, class Aggregates, class Count, class Op, class N>
  static cudaError_t ReduceByKey(void *temp, size_t &bytes, Keys keys, Unique unique, Values values,
                                 Aggregates aggregates, Count runs, Op op, N n, cudaStream_t stream = 0) {
    return sim_detail::two_phase(temp, bytes, sim_detail::tile_bytes(n), stream, [=] {
      N run = 0;
      for (N i = 0; i < n; run++) {
        auto key = keys[i];
        sim_detail::value_t<Values> aggregate = values[i];
        for (i++; i < n && key == keys[i]; i++) aggregate = op(aggregate, values[i]);
        unique[run] = key;
        aggregates[run] = aggregate;
      }
      *runs = run;
    });
  }
};

}  // namespace cub
}  // namespace cn_sim
