// Local time of timestamps: one thread per row, which reads and writes 8 bytes and searches the table of offsets. A
// valid row that overflows sets a bit of its own and one word (atomic or, so the order does not matter).
#include "local_time.abi.h"
#include "arithmetic.cuh"
#include "overflow.cuh"

namespace CN_BUILD {
namespace {

// Seconds in 400 years; PERIOD of zone.rs.
constexpr int64_t kPeriod = int64_t{146097} * 86400;

// The last step that starts at or before `second`; the first one starts before every second.
__device__ __forceinline__ int64_t step_of(const int64_t *starts, int64_t count, int64_t second) {
  int64_t low = 0;
  int64_t high = count;
  while (high - low > 1) {
    int64_t middle = low + (high - low) / 2;
    if (starts[middle] <= second) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

__global__ void local_times(ColumnDesc input, const int64_t *starts, const int32_t *offsets, int64_t count, int64_t repeat_from,
                            int64_t per_second, int64_t *out, Overflow overflow) {
  int64_t row = thread_index();
  bool bad = false;
  if (row < input.rows) {
    int64_t time = input.at<int64_t>(row);
    // Rounded down; the divisor is positive.
    int64_t second = time / per_second - (time % per_second < 0 ? 1 : 0);
    if (second >= repeat_from) second = repeat_from + (second - repeat_from) % kPeriod;
    int64_t offset = offsets[step_of(starts, count, second)] * per_second;
    int64_t local = static_cast<int64_t>(static_cast<uint64_t>(time) + static_cast<uint64_t>(offset));
    out[row] = local;
    bad = (offset >= 0 ? local < time : local > time) && input.valid(row);
  }
  overflow.store(row, input.rows, bad);
}

}  // namespace

ENTRY(local_time)(const LocalTimeArgs *args, cudaStream_t stream) {
  int64_t rows = args->input.rows;
  int64_t *out = args->alloc.output<int64_t>(0, rows);
  Overflow overflow(args->alloc, rows, stream);
  if (out == nullptr || !overflow.allocated()) return cudaErrorMemoryAllocation;
  if (rows == 0) return cudaSuccess;
  return launch(local_times, blocks_for(rows, kThreads), kThreads, 0, stream, args->input, args->starts, args->offsets,
                args->count, args->repeat_from, args->per_second, out, overflow);
}

}  // namespace CN_BUILD
