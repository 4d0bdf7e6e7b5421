// Days moved by months: one thread per row, which reads 8 bytes and writes 4. A valid row that overflows sets a bit of its
// own and one word (atomic or, so the order does not matter).
#include "add_months.abi.h"
#include "arithmetic.cuh"
#include "calendar.cuh"
#include "overflow.cuh"

namespace CN_BUILD {
namespace {

__device__ __forceinline__ int64_t moved(int64_t days, int64_t months) {
  MarchDate date = march_date(days);
  int64_t month = date.year() * 12 + date.month + 2 + months;
  int32_t day = date.day_of_month();
  int64_t result = first_day_of(month) + day;
  if (day < 28) return result;
  int64_t next = first_day_of(month + 1);
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
