// Arithmetic of one column: 16 bytes per thread; reads and writes every value once. Deterministic, with the
// same results as the host: square root and rounding are exact or correctly rounded.
#include "unary.abi.h"
#include "operations.cuh"
#include "vectors.cuh"

namespace CN_BUILD {
namespace {

template <class T>
__global__ void unary_values(const T *values, int32_t op, T *out, int64_t rows) {
  constexpr int kRows = kVectorRows<T>;
  int count;
  int64_t row = vector_rows<kRows>(rows, &count);
  T some[kRows];
  load_vector(values, row, count, some);
#pragma unroll
  for (int k = 0; k < kRows; k++) some[k] = unary_of(op, some[k]);
  store_vector_padded(out, row, rows, some);
}

}  // namespace

ENTRY(unary)(const UnaryArgs *args, cudaStream_t stream) {
  return with_storage(args->input.storage, [&](auto type) -> cudaError_t {
    using T = typename decltype(type)::type;
    int64_t rows = args->input.rows;
    T *out = args->alloc.unpadded<T>(0, rows);
    if (out == nullptr) return cudaErrorMemoryAllocation;
    if (rows == 0) return cudaSuccess;
    return launch(unary_values<T>, vector_blocks<T>(rows), kThreads, 0, stream,
                  static_cast<const T *>(args->input.data) + args->input.offset, args->op, out, rows);
  });
}

}  // namespace CN_BUILD
