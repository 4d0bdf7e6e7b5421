// Instants of local times: one thread per row, which reads and writes 8 bytes and searches the table of offsets around a day
// before and after. A valid row that is refused sets a bit of its own and one word (atomic or, so the order does not matter).
#include "utc_time.abi.h"
#include "arithmetic.cuh"
#include "overflow.cuh"

namespace CN_BUILD {
namespace {

constexpr int64_t kDay = 86400;
// Seconds in 400 years; PERIOD of zone.rs.
constexpr int64_t kPeriod = int64_t{146097} * kDay;

// The discriminants of Ambiguous and Nonexistent in mod.rs.
enum Ambiguous : int32_t { RAISE_TWICE, EARLIEST, LATEST, NULL_TWICE };
enum Nonexistent : int32_t { RAISE_SKIPPED, SHIFT_FORWARD, SHIFT_BACKWARD, NULL_SKIPPED };

__device__ __forceinline__ int64_t saturating_add(int64_t a, int64_t b) {
  int64_t sum = static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
  if (b >= 0) return sum < a ? INT64_MAX : sum;
  return sum > a ? INT64_MIN : sum;
}

// An offset, and the seconds of UTC from which and before which it holds.
struct Span {
  int64_t start, end, offset;
};

struct Zone {
  const int64_t *starts;
  const int32_t *offsets;
  int64_t count;
  int64_t repeat_from;

  __device__ __forceinline__ Span span(int64_t second) const {
    int64_t reduced = second < repeat_from ? second : repeat_from + (second - repeat_from) % kPeriod;
    int64_t low = 0, high = count;
    while (high - low > 1) {
      int64_t middle = low + (high - low) / 2;
      if (starts[middle] <= reduced) {
        low = middle;
      } else {
        high = middle;
      }
    }
    int64_t start = starts[low], end = low + 1 < count ? starts[low + 1] : INT64_MAX;
    if (second >= repeat_from) {
      start = start > repeat_from ? start : repeat_from;
      end = end < repeat_from + kPeriod ? end : repeat_from + kPeriod;
    }
    int64_t shift = second - reduced;
    return {saturating_add(start, shift), saturating_add(end, shift), offsets[low]};
  }
};

__device__ __forceinline__ bool subtract(int64_t a, int64_t b, int64_t *out) {
  *out = static_cast<int64_t>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
  return b >= 0 ? *out <= a : *out >= a;
}

struct Row {
  int64_t instant;
  bool refused, null;
};

__device__ __forceinline__ Row instant_of(const Zone &zone, int64_t local, int64_t per_second, int32_t ambiguous,
                                          int32_t nonexistent) {
  // Rounded down; the divisor is positive.
  int64_t second = local / per_second - (local % per_second < 0 ? 1 : 0);
  int64_t last = saturating_add(second, kDay);
  Span span = zone.span(saturating_add(second, -kDay));
  int found = 0;
  int64_t one = 0, two = 0, set = 0;
  bool skipped = false;
  while (true) {
    bool starts = span.start == INT64_MIN || second >= saturating_add(span.start, span.offset);
    bool ends = span.end != INT64_MAX && second >= saturating_add(span.end, span.offset);
    if (starts && !ends) {
      if (found == 0) one = span.offset; else two = span.offset;
      ++found;
    }
    // A span without an end ends at the greatest number.
    if (span.end > last || span.end == INT64_MAX) break;
    Span next = zone.span(span.end);
    if (ends && !skipped && second < saturating_add(next.start, next.offset)) {
      skipped = true;
      set = next.start;
    }
    span = next;
  }
  Row row{0, false, false};
  if (found > 0) {
    int64_t first, later;
    bool fits = subtract(local, one * per_second, &first);
    if (found > 1) fits = subtract(local, two * per_second, &later) && fits;
    row.refused = !fits || (found > 1 && ambiguous == RAISE_TWICE);
    row.null = !row.refused && found > 1 && ambiguous == NULL_TWICE;
    row.instant = found > 1 && ambiguous == LATEST ? later : first;
    return row;
  }
  int64_t product = static_cast<int64_t>(static_cast<uint64_t>(set) * static_cast<uint64_t>(per_second));
  row.refused = !skipped || product / per_second != set || nonexistent == RAISE_SKIPPED;
  row.null = !row.refused && nonexistent == NULL_SKIPPED;
  row.instant = nonexistent == SHIFT_BACKWARD ? product - 1 : product;
  return row;
}

__global__ void utc_times(ColumnDesc input, Zone zone, int64_t per_second, int32_t ambiguous, int32_t nonexistent, int64_t *out,
                          Overflow refused, uint32_t *nulls) {
  int64_t index = thread_index();
  Row row{0, false, false};
  if (index < input.rows) {
    row = instant_of(zone, input.at<int64_t>(index), per_second, ambiguous, nonexistent);
    out[index] = row.refused || row.null ? 0 : row.instant;
    bool valid = input.valid(index);
    row.refused = row.refused && valid;
    row.null = row.null && valid;
  }
  refused.store(index, input.rows, row.refused);
  if (nulls != nullptr) store_bit(nulls, index, input.rows, row.null);
}

}  // namespace

ENTRY(utc_time)(const UtcTimeArgs *args, cudaStream_t stream) {
  int64_t rows = args->input.rows;
  int64_t *out = args->alloc.output<int64_t>(0, rows);
  Overflow refused(args->alloc, rows, stream);
  if (out == nullptr || !refused.allocated()) return cudaErrorMemoryAllocation;
  uint32_t *nulls = nullptr;
  if (args->ambiguous == NULL_TWICE || args->nonexistent == NULL_SKIPPED) {
    nulls = args->alloc.output<uint32_t>(3, (rows + 31) / 32);
    if (nulls == nullptr) return cudaErrorMemoryAllocation;
  }
  if (rows == 0) return cudaSuccess;
  Zone zone{args->starts, args->offsets, args->count, args->repeat_from};
  return launch(utc_times, blocks_for(rows, kThreads), kThreads, 0, stream, args->input, zone, args->per_second,
                args->ambiguous, args->nonexistent, out, refused, nulls);
}

}  // namespace CN_BUILD
