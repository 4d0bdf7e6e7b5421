// Quotients of decimals: one thread per row, in 256 bits where the scaled dividend needs them. Reads both operands once
// and writes the quotient and a bit per row. Deterministic.
#include "divide_decimals.abi.h"
#include "overflow.cuh"
#include "wide.cuh"

namespace CN_BUILD {
namespace {

__global__ void divide_rows(Operand<int128> lhs, Operand<int128> rhs, int32_t power, uint128 factor, uint128 more,
                            const uint8_t *valid, int128 *out, Overflow overflow, int64_t rows) {
  int64_t row = thread_index();
  bool bad = false;
  if (row < rows) {
    int128 a = lhs.at(row), b = rhs.at(row);
    uint128 quotient = 0;
    if (b != 0) {
      bool fits = divide_magnitude(static_cast<uint128>(magnitude(a)), static_cast<uint128>(magnitude(b)), power, factor,
                                   more, quotient);
      bad = !fits || quotient >= static_cast<uint128>(kDigits38);
    }
    int128 value = bad ? 0 : static_cast<int128>(quotient);
    out[row] = (a < 0) != (b < 0) ? negative(value) : value;
    bad = bad && (valid == nullptr || get_bit(valid, row));
  }
  overflow.store(row, rows, bad);
}

}  // namespace

ENTRY(divide_decimals)(const DivideDecimalsArgs *args, cudaStream_t stream) {
  int128 *out = args->alloc.output<int128>(0, args->rows);
  Overflow overflow(args->alloc, args->rows, stream);
  if (out == nullptr || !overflow.allocated()) return cudaErrorMemoryAllocation;
  if (args->rows == 0) return cudaSuccess;
  return launch(divide_rows, blocks_for(args->rows, kThreads), kThreads, 0, stream,
                Operand<int128>(args->lhs, args->lhs_value), Operand<int128>(args->rhs, args->rhs_value), args->power,
                static_cast<uint128>(from_halves(args->factor)), static_cast<uint128>(from_halves(args->more)),
                static_cast<const uint8_t *>(args->valid), out, overflow, args->rows);
}

}  // namespace CN_BUILD
