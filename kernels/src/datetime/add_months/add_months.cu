// Days moved by months: one thread per row, which reads 8 bytes and writes 4. A valid row that overflows sets a bit of its
// own and one word (atomic or, so the order does not matter).
#include "add_months.abi.h"
#include "arithmetic.cuh"
#include "overflow.cuh"

namespace CN_BUILD {
namespace {

constexpr int64_t kEraDays = 146097;
// Days from 0000-03-01 to 1970-01-01.
constexpr int64_t kEpochDays = 719468;

// The quotient rounded down; the divisor is positive.
__device__ __forceinline__ int64_t floor_quotient(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

// Hinnant's days_from_civil of the first of a month, which is counted from January of the year 0.
__device__ __forceinline__ int64_t first_of(int64_t month) {
  int64_t since_march = month - 2;
  int64_t year = floor_quotient(since_march, 12);
  int64_t march_month = since_march - year * 12;
  int64_t era = floor_quotient(year, 400);
  int64_t year_of_era = year - era * 400;
  return era * kEraDays + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + (153 * march_month + 2) / 5 - kEpochDays;
}

__device__ __forceinline__ int64_t moved(int64_t days, int64_t months) {
  int64_t shifted = days + kEpochDays;
  int64_t era = floor_quotient(shifted, kEraDays);
  uint32_t day_of_era = static_cast<uint32_t>(shifted - era * kEraDays);
  uint32_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  uint32_t march_day = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  uint32_t march_month = (5 * march_day + 2) / 153;
  int64_t day = march_day - (153 * march_month + 2) / 5;
  int64_t month = (era * 400 + year_of_era) * 12 + march_month + 2 + months;
  int64_t result = first_of(month) + day;
  if (day < 28) return result;
  int64_t next = first_of(month + 1);
  return result < next ? result : next - 1;
}

__global__ void add_months_by_row(Operand<int32_t> days, Operand<int32_t> months, const uint8_t *valid, int32_t *out,
                                  Overflow overflow, int64_t rows) {
  int64_t row = thread_index();
  bool bad = false;
  if (row < rows) {
    int64_t day = moved(days.at(row), months.at(row));
    out[row] = static_cast<int32_t>(day);
    bad = day != static_cast<int32_t>(day) && (valid == nullptr || get_bit(valid, row));
  }
  overflow.store(row, rows, bad);
}

}  // namespace

ENTRY(add_months)(const AddMonthsArgs *args, cudaStream_t stream) {
  int64_t rows = args->rows;
  int32_t *out = args->alloc.output<int32_t>(0, rows);
  Overflow overflow(args->alloc, rows, stream);
  if (out == nullptr || !overflow.allocated()) return cudaErrorMemoryAllocation;
  if (rows == 0) return cudaSuccess;
  Operand<int32_t> days(args->days, args->days_value), months(args->months, args->months_value);
  return launch(add_months_by_row, blocks_for(rows, kThreads), kThreads, 0, stream, days, months,
                static_cast<const uint8_t *>(args->valid), out, overflow, rows);
}

}  // namespace CN_BUILD
