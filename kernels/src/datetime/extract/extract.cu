// Parts of dates and times: 16 bytes of inputs per thread; reads 4 or 8 bytes and writes 4. Deterministic.
#include "extract.abi.h"
#include "vectors.cuh"

namespace CN_BUILD {
namespace {

// The discriminants of DatePart in mod.rs.
enum DatePart : int32_t { YEAR, MONTH, DAY, QUARTER, HOUR, MINUTE, SECOND, WEEKDAY, DAY_OF_YEAR };

constexpr int64_t kDaySeconds = 86400;
constexpr int64_t kEraDays = 146097;

// The quotient rounded down; the divisor is positive.
__device__ __forceinline__ int64_t floor_quotient(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

// Hinnant's civil_from_days: the algorithm's years start in March.
__device__ __forceinline__ int32_t part_of_day(int32_t part, int64_t day) {
  if (part == WEEKDAY) return static_cast<int32_t>(day + 3 - floor_quotient(day + 3, 7) * 7);
  int64_t shifted = day + 719468;
  int64_t era = floor_quotient(shifted, kEraDays);
  uint32_t day_of_era = static_cast<uint32_t>(shifted - era * kEraDays);
  uint32_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  int32_t march_day = static_cast<int32_t>(day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100));
  int32_t march_year = static_cast<int32_t>(era * 400 + year_of_era);
  int32_t march_month = (5 * march_day + 2) / 153;
  int32_t month = march_month < 10 ? march_month + 3 : march_month - 9;
  switch (part) {
    case YEAR: return march_year + (month <= 2 ? 1 : 0);
    case MONTH: return month;
    case DAY: return march_day - (153 * march_month + 2) / 5 + 1;
    case QUARTER: return (month - 1) / 3 + 1;
    default: break;
  }
  bool leap = march_year % 4 == 0 && (march_year % 100 != 0 || march_year % 400 == 0);
  return month <= 2 ? march_day - 305 : march_day + 60 + (leap ? 1 : 0);
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
