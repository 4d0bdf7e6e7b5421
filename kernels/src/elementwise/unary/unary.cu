// Arithmetic of one column: one thread per row; reads and writes every value once. Deterministic, with the
// same results as the host: square root and rounding are exact or correctly rounded.
#include "unary.abi.h"
#include "arithmetic.cuh"

namespace CN_BUILD {
namespace {

// The discriminants of UnaryOp in mod.rs.
enum UnaryOp : int32_t { NEG, ABS, BIT_NOT, SQRT, FLOOR, CEIL, TRUNC, ROUND };

__device__ __forceinline__ float of_float(int32_t op, float v) {
  switch (op) {
    case SQRT: return sqrtf(v);
    case FLOOR: return floorf(v);
    case CEIL: return ceilf(v);
    case TRUNC: return truncf(v);
    default: return rintf(v);
  }
}
__device__ __forceinline__ double of_float(int32_t op, double v) {
  switch (op) {
    case SQRT: return sqrt(v);
    case FLOOR: return floor(v);
    case CEIL: return ceil(v);
    case TRUNC: return trunc(v);
    default: return rint(v);
  }
}

template <class T>
__global__ void unary_values(const T *values, int32_t op, T *out, int64_t rows) {
  int64_t row = thread_index();
  if (row >= rows) return;
  T value = values[row];
  if (op == NEG) {
    out[row] = negative(value);
  } else if (op == ABS) {
    out[row] = magnitude(value);
  } else if constexpr (kFloat<T>) {
    out[row] = of_float(op, value);
  } else {
    out[row] = static_cast<T>(~value);
  }
}

}  // namespace

ENTRY(unary)(const UnaryArgs *args, cudaStream_t stream) {
  return with_storage(args->input.storage, [&](auto type) -> cudaError_t {
    using T = typename decltype(type)::type;
    int64_t rows = args->input.rows;
    T *out = args->alloc.output<T>(0, rows);
    if (out == nullptr) return cudaErrorMemoryAllocation;
    if (rows == 0) return cudaSuccess;
    return launch(unary_values<T>, blocks_for(rows, kThreads), kThreads, 0, stream,
                  static_cast<const T *>(args->input.data) + args->input.offset, args->op, out, rows);
  });
}

}  // namespace CN_BUILD
