// Parts of dates and times: 16 bytes of inputs per thread; reads 4 or 8 bytes and writes 4. If checked, a valid row whose
// day is beyond those of 32 bits sets a bit of its own and one word (atomic or, so the order does not matter).
// Deterministic.
#include "extract.abi.h"
#include "calendar.cuh"
#include "overflow.cuh"
#include "vectors.cuh"

namespace CN_BUILD {
namespace {

// The discriminants of DatePart in mod.rs.
enum DatePart : int32_t { YEAR, MONTH, DAY, QUARTER, HOUR, MINUTE, SECOND, WEEKDAY, DAY_OF_YEAR };

__device__ __forceinline__ int32_t part_of_day(int32_t part, int64_t day) {
  if (part == WEEKDAY) return weekday_of(day);
  MarchDate date = march_date(day);
  switch (part) {
    case YEAR: return static_cast<int32_t>(date.civil_year());
    case MONTH: return date.civil_month();
    case DAY: return date.day_of_month() + 1;
    case QUARTER: return (date.civil_month() - 1) / 3 + 1;
    default: return date.day_of_civil_year();
  }
}

__device__ __forceinline__ int32_t part_of_second(int32_t part, int32_t second) {
  switch (part) {
    case HOUR: return second / 3600;
    case MINUTE: return second / 60 % 60;
    default: return second % 60;
  }
}

// kPerSecond: units a second, with which divisions become multiplications; 0: a day.
template <int64_t kPerSecond>
__device__ __forceinline__ int32_t part_of(int32_t part, int64_t value) {
  bool time = part == HOUR || part == MINUTE || part == SECOND;
  if constexpr (kPerSecond == 0) {
    return time ? 0 : part_of_day(part, value);
  } else {
    int64_t day = floor_quotient(value, kDaySeconds * kPerSecond);
    if (time) {
      // Uses the remainder: the start of the first day of the range does not fit in 64 bits.
      int64_t rest = value % (kDaySeconds * kPerSecond);
      if (rest < 0) rest += kDaySeconds * kPerSecond;
      return part_of_second(part, static_cast<int32_t>(rest / kPerSecond));
    }
    day = day < INT32_MIN ? INT32_MIN : day > INT32_MAX ? INT32_MAX : day;
    return part_of_day(part, day);
  }
}

// T: 32-bit days, or 64-bit times.
template <class T, int64_t kPerSecond>
__global__ void extract_parts(ColumnDesc input, int32_t part, int32_t *out) {
  constexpr int kRows = kVectorRows<T>;
  int count;
  int64_t row = vector_rows<kRows>(input.rows, &count);
  T values[kRows];
  int32_t parts[kRows];
  load_vector(static_cast<const T *>(input.data) + input.offset, row, count, values);
#pragma unroll
  for (int k = 0; k < kRows; k++) parts[k] = part_of<kPerSecond>(part, values[k]);
  store_vector_padded(out, row, input.rows, parts);
}

// Of times; every thread of a block stores the bits of its rows.
template <int64_t kPerSecond>
__global__ void extract_checked(ColumnDesc input, int32_t part, int32_t *out, Overflow overflow) {
  constexpr int kRows = kVectorRows<int64_t>;
  int count;
  int64_t row = vector_rows<kRows>(input.rows, &count);
  int64_t values[kRows];
  int32_t parts[kRows];
  bool bad[kRows];
  load_vector(static_cast<const int64_t *>(input.data) + input.offset, row, count, values);
#pragma unroll
  for (int k = 0; k < kRows; k++) {
    int64_t day = floor_quotient(values[k], kDaySeconds * kPerSecond);
    parts[k] = part_of<kPerSecond>(part, values[k]);
    bad[k] = k < count && day != static_cast<int32_t>(day) && input.valid(row + k);
  }
  store_vector_padded(out, row, input.rows, parts);
  overflow.store_pair(row, input.rows, bad);
}

}  // namespace

ENTRY(extract)(const ExtractArgs *args, cudaStream_t stream) {
  int64_t rows = args->input.rows;
  int32_t *out = args->alloc.unpadded<int32_t>(0, rows);
  if (out == nullptr) return cudaErrorMemoryAllocation;
  if (rows == 0) return cudaSuccess;
  unsigned blocks = vector_blocks<int32_t, kVectorRows<int64_t>>(rows);
  if (args->checked) {
    // Units of which no time is beyond those days have no check.
    auto kernel = args->per_second == 1 ? extract_checked<1> : extract_checked<1000>;
    Overflow overflow(args->alloc, rows, stream);
    if (!overflow.allocated()) return cudaErrorMemoryAllocation;
    return launch(kernel, blocks, kThreads, 0, stream, args->input, args->part, out, overflow);
  }
  switch (args->per_second) {
    case 0: {
      unsigned day_blocks = vector_blocks<int32_t, kVectorRows<int32_t>>(rows);
      return launch(extract_parts<int32_t, 0>, day_blocks, kThreads, 0, stream, args->input, args->part, out);
    }
    case 1: return launch(extract_parts<int64_t, 1>, blocks, kThreads, 0, stream, args->input, args->part, out);
    case 1000: return launch(extract_parts<int64_t, 1000>, blocks, kThreads, 0, stream, args->input, args->part, out);
    case 1000000:
      return launch(extract_parts<int64_t, 1000000>, blocks, kThreads, 0, stream, args->input, args->part, out);
    default:
      return launch(extract_parts<int64_t, 1000000000>, blocks, kThreads, 0, stream, args->input, args->part, out);
  }
}

}  // namespace CN_BUILD
