// Products of 64-bit integers in 128 bits: one thread per row; reads 16 bytes and writes 16. Deterministic.
#include "mul_wide.abi.h"
#include "operand.cuh"

namespace CN_BUILD {
namespace {

__global__ void mul_wide_values(Operand<int64_t> lhs, Operand<int64_t> rhs, int128 *out, int64_t rows) {
  int64_t row = thread_index();
  if (row < rows) out[row] = static_cast<int128>(lhs.at(row)) * rhs.at(row);
}

}  // namespace

ENTRY(mul_wide)(const MulWideArgs *args, cudaStream_t stream) {
  int128 *out = args->alloc.output<int128>(0, args->rows);
  if (out == nullptr) return cudaErrorMemoryAllocation;
  if (args->rows == 0) return cudaSuccess;
  return launch(mul_wide_values, blocks_for(args->rows, kThreads), kThreads, 0, stream,
                Operand<int64_t>(args->lhs, args->lhs_value), Operand<int64_t>(args->rhs, args->rhs_value), out,
                args->rows);
}

}  // namespace CN_BUILD
