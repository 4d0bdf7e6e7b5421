// Comparison of strings by bytes, and search for one string in the other: one thread per row, one word per warp by
// ballot. A comparison reads offsets and the bytes up to the first difference. No atomics; deterministic.
#include "compare_string.abi.h"
#include "literals.cuh"
#include "operand.cuh"
#include "string_rows.cuh"

namespace CN_BUILD {
namespace {

// The discriminants of CompareOp in elementwise/compare/mod.rs, and those of Search.
enum CompareOp : int32_t { EQ, NE, LT, LE, GT, GE, STARTS_WITH, ENDS_WITH };

// The strings of a column, or one string for every row.
struct Strings {
  ColumnDesc column;
  Literal value;

  // Every thread of the block must call this, and __syncthreads after it.
  __device__ __forceinline__ void stage(uint64_t *shared) const {
    if (column.offsets == nullptr) value.staged(shared);
  }
  __device__ __forceinline__ StringRow at(int64_t row, const uint64_t *shared) const {
    return column.offsets == nullptr ? StringRow{value.in(shared), value.bytes} : string_row(column, row);
  }
};

__device__ __forceinline__ bool equal(StringRow a, StringRow b) {
  if (a.length != b.length) return false;
  for (int64_t k = 0; k < a.length; k++) {
    if (a.bytes[k] != b.bytes[k]) return false;
  }
  return true;
}

// Negative, zero or positive as a is less than, equal to or greater than b.
__device__ __forceinline__ int order(StringRow a, StringRow b) {
  int64_t shared = a.length < b.length ? a.length : b.length;
  for (int64_t k = 0; k < shared; k++) {
    if (a.bytes[k] != b.bytes[k]) return a.bytes[k] < b.bytes[k] ? -1 : 1;
  }
  return a.length == b.length ? 0 : a.length < b.length ? -1 : 1;
}

// Whether b is in a from byte `at` on, which has as many bytes.
__device__ __forceinline__ bool is_at(StringRow a, int64_t at, StringRow b) {
  return equal(StringRow{a.bytes + at, b.length}, b);
}

__device__ __forceinline__ bool contains(StringRow a, StringRow b) {
  for (int64_t at = 0; at + b.length <= a.length; at++) {
    if (is_at(a, at, b)) return true;
  }
  return false;
}

__device__ __forceinline__ bool holds(int32_t op, StringRow a, StringRow b) {
  switch (op) {
    case EQ: return equal(a, b);
    case NE: return !equal(a, b);
    case LT: return order(a, b) < 0;
    case LE: return order(a, b) <= 0;
    case GT: return order(a, b) > 0;
    case GE: return order(a, b) >= 0;
    case STARTS_WITH: return b.length <= a.length && is_at(a, 0, b);
    case ENDS_WITH: return b.length <= a.length && is_at(a, a.length - b.length, b);
    default: return contains(a, b);
  }
}

__global__ void compare_strings(const __grid_constant__ Strings lhs, const __grid_constant__ Strings rhs, int32_t op,
                                uint32_t *out, int64_t rows) {
  SHARED(left, uint64_t[kLiteralWords]);
  SHARED(right, uint64_t[kLiteralWords]);
  lhs.stage(&left[0]);
  rhs.stage(&right[0]);
  __syncthreads();
  int64_t row = thread_index();
  store_bit(out, row, rows, row < rows && holds(op, lhs.at(row, &left[0]), rhs.at(row, &right[0])));
}

}  // namespace

ENTRY(compare_string)(const CompareStringArgs *args, cudaStream_t stream) {
  uint32_t *out = args->alloc.output<uint32_t>(0, (args->rows + 31) / 32);
  if (out == nullptr) return cudaErrorMemoryAllocation;
  if (args->rows == 0) return cudaSuccess;
  Strings lhs{args->lhs, {args->lhs_value, args->lhs_far, args->lhs_bytes}};
  Strings rhs{args->rhs, {args->rhs_value, args->rhs_far, args->rhs_bytes}};
  return launch(compare_strings, blocks_for(args->rows, kThreads), kThreads, 0, stream, lhs, rhs, args->op, out,
                args->rows);
}

}  // namespace CN_BUILD
