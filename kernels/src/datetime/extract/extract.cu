// Parts of dates and times: 16 bytes of inputs per thread; reads 4 or 8 bytes and writes 4. Deterministic.
#include "extract.abi.h"
#include "calendar.cuh"
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

// `per_second` 0: a day.
__device__ __forceinline__ int32_t part_of(int32_t part, int64_t value, int64_t per_second) {
  bool time = part == HOUR || part == MINUTE || part == SECOND;
  if (per_second == 0) return time ? 0 : part_of_day(part, value);
  int64_t day = floor_quotient(value, kDaySeconds * per_second);
  if (time) {
    // Uses the remainder: the start of the first day of the range does not fit in 64 bits.
    int64_t rest = value % (kDaySeconds * per_second);
    if (rest < 0) rest += kDaySeconds * per_second;
    return part_of_second(part, static_cast<int32_t>(rest / per_second));
  }
  day = day < INT32_MIN ? INT32_MIN : day > INT32_MAX ? INT32_MAX : day;
  return part_of_day(part, day);
}

// T: 32-bit days, or 64-bit times.
template <class T>
__global__ void extract_parts(ColumnDesc input, int64_t per_second, int32_t part, int32_t *out) {
  constexpr int kRows = kVectorRows<T>;
  int count;
  int64_t row = vector_rows<kRows>(input.rows, &count);
  T values[kRows];
  int32_t parts[kRows];
  load_vector(static_cast<const T *>(input.data) + input.offset, row, count, values);
#pragma unroll
  for (int k = 0; k < kRows; k++) parts[k] = part_of(part, values[k], per_second);
  store_vector_padded(out, row, input.rows, parts);
}

}  // namespace

ENTRY(extract)(const ExtractArgs *args, cudaStream_t stream) {
  int64_t rows = args->input.rows;
  int32_t *out = args->alloc.unpadded<int32_t>(0, rows);
  if (out == nullptr) return cudaErrorMemoryAllocation;
  if (rows == 0) return cudaSuccess;
  bool days = args->per_second == 0;
  auto kernel = days ? extract_parts<int32_t> : extract_parts<int64_t>;
  unsigned blocks = days ? vector_blocks<int32_t, kVectorRows<int32_t>>(rows) : vector_blocks<int32_t, kVectorRows<int64_t>>(rows);
  return launch(kernel, blocks, kThreads, 0, stream, args->input, args->per_second, args->part,
                out);
}

}  // namespace CN_BUILD
