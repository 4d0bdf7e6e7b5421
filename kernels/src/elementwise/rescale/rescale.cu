// Rescales decimals: one thread per row, computed in 128 bits. A valid row that overflows sets a bit of its
// own and one word (atomic or, so the order does not matter).
#include "rescale.abi.h"
#include "arithmetic.cuh"
#include "overflow.cuh"

namespace CN_BUILD {
namespace {

template <class S, class D>
__global__ void rescale_values(ColumnDesc input, int32_t divide, int128 factor, int128 limit, D *out, Overflow overflow) {
  int64_t row = thread_index();
  bool bad = false;
  if (row < input.rows) {
    int128 value = input.at<S>(row);
    int128 result;
    if (divide) {
      int128 rest = value % factor;
      result = value / factor;
      // Twice the remainder may overflow; comparing it with the rest of the factor does not.
      if (magnitude(rest) >= factor - magnitude(rest)) result += value < 0 ? -1 : 1;
    } else {
      bad = mul_overflows(value, factor);
      result = mul(value, factor);
    }
    D narrow = static_cast<D>(result);
    out[row] = narrow;
    bad = bad || result >= limit || result <= -limit || static_cast<int128>(narrow) != result;
    bad = bad && input.valid(row);
  }
  overflow.store(row, input.rows, bad);
}

template <class S, class D>
cudaError_t run(const RescaleArgs &args, cudaStream_t stream) {
  int64_t rows = args.input.rows;
  D *out = args.alloc.output<D>(0, rows);
  Overflow overflow(args.alloc, rows, stream);
  if (out == nullptr || !overflow.allocated()) return cudaErrorMemoryAllocation;
  if (rows == 0) return cudaSuccess;
  return launch(rescale_values<S, D>, blocks_for(rows, kThreads), kThreads, 0, stream, args.input, args.divide,
                from_halves(args.factor), from_halves(args.limit), out, overflow);
}

template <class S>
cudaError_t run_from(const RescaleArgs &args, cudaStream_t stream) {
  switch (args.to) {
    case I32: return run<S, int32_t>(args, stream);
    case I64: return run<S, int64_t>(args, stream);
    default: return run<S, int128>(args, stream);
  }
}

}  // namespace

ENTRY(rescale)(const RescaleArgs *args, cudaStream_t stream) {
  switch (args->input.storage) {
    case I32: return run_from<int32_t>(*args, stream);
    case I64: return run_from<int64_t>(*args, stream);
    default: return run_from<int128>(*args, stream);
  }
}

}  // namespace CN_BUILD
