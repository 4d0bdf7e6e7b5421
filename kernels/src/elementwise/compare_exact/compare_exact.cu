// Exact comparison of numbers without a common type: one thread per row, one word per warp by ballot. Reads both operands
// once and writes a bit per row. No atomics; deterministic.
#include "compare_exact.abi.h"
#include "arithmetic.cuh"

namespace CN_BUILD {
namespace {

// The discriminants of CompareOp in compare/mod.rs.
enum CompareOp : int32_t { EQ, NE, LT, LE, GT, GE };

// What there is to know about two numbers.
enum Order : int32_t { LESS, EQUAL, GREATER, UNORDERED };

__device__ __forceinline__ bool holds(int32_t op, Order order) {
  switch (op) {
    case EQ: return order == EQUAL;
    case NE: return order != EQUAL;
    case LT: return order == LESS;
    case LE: return order == LESS || order == EQUAL;
    case GT: return order == GREATER;
    default: return order == GREATER || order == EQUAL;
  }
}

template <class T>
__device__ __forceinline__ Order order_of(T a, T b) {
  return a < b ? LESS : a == b ? EQUAL : GREATER;
}

template <class T>
__device__ __forceinline__ Order order_of_float(T a, double b) {
  if (b != b) return UNORDERED;
  double end = kSigned<T> ? 0x1p63 : 0x1p64;
  if (b >= end) return LESS;
  if (b < (kSigned<T> ? -0x1p63 : 0.0)) return GREATER;
  double whole = trunc(b);
  Order order = order_of(a, static_cast<T>(whole));
  // Of equal whole parts the fraction decides.
  return order == EQUAL ? order_of(0.0, b - whole) : order;
}

template <class T>
__device__ __forceinline__ Order order_of_scaled(T a, T b, int128 factor) {
  // A product beyond 128 bits is beyond every number on its side.
  if (mul_overflows(static_cast<int128>(b), factor)) return b > T{0} ? LESS : GREATER;
  return order_of(static_cast<int128>(a), mul(static_cast<int128>(b), factor));
}

template <class T>
__global__ void compare_floats(Operand<T> lhs, Operand<double> rhs, int32_t op, uint32_t *out, int64_t rows) {
  int64_t row = thread_index();
  store_bit(out, row, rows, row < rows && holds(op, order_of_float(lhs.at(row), rhs.at(row))));
}

template <class T>
__global__ void compare_scaled(Operand<T> lhs, Operand<T> rhs, int128 factor, int32_t op, uint32_t *out, int64_t rows) {
  int64_t row = thread_index();
  store_bit(out, row, rows, row < rows && holds(op, order_of_scaled(lhs.at(row), rhs.at(row), factor)));
}

template <class T>
cudaError_t floats(const CompareExactArgs &args, uint32_t *out, cudaStream_t stream) {
  return launch(compare_floats<T>, blocks_for(args.rows, kThreads), kThreads, 0, stream,
                Operand<T>(args.lhs, args.lhs_value), Operand<double>(args.rhs, args.rhs_value), args.op, out, args.rows);
}

template <class T>
cudaError_t scaled(const CompareExactArgs &args, uint32_t *out, cudaStream_t stream) {
  return launch(compare_scaled<T>, blocks_for(args.rows, kThreads), kThreads, 0, stream,
                Operand<T>(args.lhs, args.lhs_value), Operand<T>(args.rhs, args.rhs_value), from_halves(args.factor),
                args.op, out, args.rows);
}

}  // namespace

ENTRY(compare_exact)(const CompareExactArgs *args, cudaStream_t stream) {
  uint32_t *out = args->alloc.output<uint32_t>(0, (args->rows + 31) / 32);
  if (out == nullptr) return cudaErrorMemoryAllocation;
  if (args->rows == 0) return cudaSuccess;
  if (args->rhs.storage == F64) {
    return args->lhs.storage == U64 ? floats<uint64_t>(*args, out, stream) : floats<int64_t>(*args, out, stream);
  }
  return args->lhs.storage == I64 ? scaled<int64_t>(*args, out, stream) : scaled<int128>(*args, out, stream);
}

}  // namespace CN_BUILD
