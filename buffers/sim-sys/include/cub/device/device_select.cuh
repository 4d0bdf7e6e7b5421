#pragma once
#include "two_phase.cuh"

namespace cn_sim {
namespace cub {

struct DeviceSelect {
  template <class In, class Flags, class Out, class Count, class N>
  static cudaError_t Flagged(void *temp, size_t &bytes, In in, Flags flags, Out out, Count count, N n,
                             cudaStream_t stream = 0) {
    return sim_detail::two_phase(temp, bytes, sim_detail::tile_bytes(n), stream, [=]() mutable {
      N selected = 0;
      for (N i = 0; i < n; i++) {
        if (flags[i]) out[selected++] = in[i];
      }
      *count = selected;
    });
  }

  template <class In, class Out, class Count, class N, class Predicate>
  static cudaError_t If(void *temp, size_t &bytes, In in, Out out, Count count, N n, Predicate predicate,
                        cudaStream_t stream = 0) {
    return sim_detail::two_phase(temp, bytes, sim_detail::tile_bytes(n), stream, [=]() mutable {
      N selected = 0;
      for (N i = 0; i < n; i++) {
        auto value = in[i];
        if (predicate(value)) out[selected++] = value;
      }
      *count = selected;
    });
  }

  // The first of each run of equal values.
  template <class In, class Out, class Count, class N>
  static cudaError_t Unique(void *temp, size_t &bytes, In in, Out out, Count count, N n,
                            cudaStream_t stream = 0) {
    return sim_detail::two_phase(temp, bytes, sim_detail::tile_bytes(n), stream, [=]() mutable {
      N selected = 0;
      for (N i = 0; i < n;) {
        auto value = in[i];
        for (i++; i < n && value == in[i];) i++;
        out[selected++] = value;
      }
      *count = selected;
    });
  }
};

}  // namespace cub
}  // namespace cn_sim
