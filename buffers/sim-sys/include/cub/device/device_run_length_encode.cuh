#pragma once
#include "two_phase.cuh"

namespace cn_sim {
namespace cub {

struct DeviceRunLengthEncode {
  template <class In, class Unique, class Lengths, class Count, class N>
  static cudaError_t Encode(void *temp, size_t &bytes, In in, Unique unique, Lengths lengths, Count runs, N n,
                            cudaStream_t stream = 0) {
    return sim_detail::two_phase(temp, bytes, sim_detail::tile_bytes(n), stream, [=]() mutable {
      N run = 0;
      for (N i = 0; i < n; run++) {
        auto value = in[i];
        N begin = i;
        for (i++; i < n && value == in[i];) i++;
        unique[run] = value;
        lengths[run] = i - begin;
      }
      *runs = run;
    });
  }
};

}  // namespace cub
}  // namespace cn_sim
