#pragma once
#include <limits>

#include "two_phase.cuh"

namespace cn_sim {
namespace cub {

struct DeviceSegmentedReduce {
  template <class In, class Out, class N, class Begin, class End, class Op, class Init>
  static cudaError_t Reduce(void *temp, size_t &bytes, In in, Out out, N segments, Begin begin, End end,
                            Op op, Init init, cudaStream_t stream = 0) {
    return sim_detail::two_phase(temp, bytes, 256, stream, [=] {
      for (N s = 0; s < segments; s++) {
        sim_detail::accumulator_t<Op, Init, In> result = init;
        for (auto i = begin[s]; i < end[s]; i++) result = op(result, in[i]);
        out[s] = result;
      }
    });
  }

  template <class In, class Out, class N, class Begin, class End>
  static cudaError_t Sum(void *temp, size_t &bytes, In in, Out out, N segments, Begin begin, End end,
                         cudaStream_t stream = 0) {
    using T = sim_detail::value_t<Out>;
    return Reduce(temp, bytes, in, out, segments, begin, end, std::plus<>{}, T{}, stream);
  }

  template <class In, class Out, class N, class Begin, class End>
  static cudaError_t Min(void *temp, size_t &bytes, In in, Out out, N segments, Begin begin, End end,
                         cudaStream_t stream = 0) {
    using T = sim_detail::value_t<In>;
    auto init = std::numeric_limits<T>::max();
    return Reduce(temp, bytes, in, out, segments, begin, end, cuda::minimum<>{}, init, stream);
  }

  template <class In, class Out, class N, class Begin, class End>
  static cudaError_t Max(void *temp, size_t &bytes, In in, Out out, N segments, Begin begin, End end,
                         cudaStream_t stream = 0) {
    using T = sim_detail::value_t<In>;
    auto init = std::numeric_limits<T>::lowest();
    return Reduce(temp, bytes, in, out, segments, begin, end, cuda::maximum<>{}, init, stream);
  }
};

}  // namespace cub
}  // namespace cn_sim
