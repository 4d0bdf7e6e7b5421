// CUB's two-phase contract: without temporary storage a call returns the size that it needs; with it, the
// work is queued on the stream.
#pragma once
#include <iterator>
#include <vector>

#include "../../cn_sim/runtime_api.h"
#include "../../cuda/functional"

namespace cn_sim {
namespace cub {
namespace sim_detail {

// The value type of an iterator, and the accumulator type of an operator over it.
template <class It>
using value_t = std::decay_t<decltype(*std::declval<It>())>;
template <class Op, class Init, class It>
using accumulator_t =
    std::decay_t<decltype(std::declval<Op>()(std::declval<Init>(), std::declval<value_t<It>>()))>;

// Real CUB needs about this much for its tile states.
inline size_t tile_bytes(int64_t n) { return 256 + (size_t)n / 64; }

template <class F>
cudaError_t two_phase(void *temp, size_t &bytes, size_t needed, cudaStream_t stream, F run) {
  if (!temp) {
    bytes = needed;
    return cudaSuccess;
  }
  if (bytes < needed) return cudaErrorInvalidValue;
  return sim::on_stream(stream, [=]() mutable {
    // Temporary storage is overwritten, so that a buffer that is too small or freed too early is detected.
    ::memset(temp, 0xEE, needed);
    run();
    return cudaSuccess;
  });
}

}  // namespace sim_detail
}  // namespace cub
}  // namespace cn_sim
