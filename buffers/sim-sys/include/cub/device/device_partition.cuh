#pragma once
#include "two_phase.cuh"

namespace cn_sim {
namespace cub {

struct DevicePartition {
  // Selected items in order at the front, the others in reverse order at the back.
  template <class In, class Flags, class Out, class Count, class N>
  static cudaError_t Flagged(void *temp, size_t &bytes, In in, Flags flags, Out out, Count count, N n,
                             cudaStream_t stream = 0) {
    return sim_detail::two_phase(temp, bytes, sim_detail::tile_bytes(n), stream, [=]() mutable {
      N selected = 0, rejected = n;
      for (N i = 0; i < n; i++) {
        if (flags[i]) {
          out[selected++] = in[i];
        } else {
          out[--rejected] = in[i];
        }
      }
      *count = selected;
    });
  }
};

}  // namespace cub
}  // namespace cn_sim
