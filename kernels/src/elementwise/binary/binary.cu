// Arithmetic: 16 bytes of results per thread; if checked, one row. Reads both operands once and writes the result once;
// the operation is one uniform branch, or none for sums, differences and products. If checked, a row that overflows sets
// a bit of its own and one word (atomic or, so the order does not matter).
#include "binary.abi.h"
#include "operations.cuh"
#include "overflow.cuh"
#include "vectors.cuh"

namespace CN_BUILD {
namespace {

// The operation is known when the kernel is compiled, or it is `op`.
constexpr int32_t kAnyOp = -1;

template <class T, int32_t kOp>
__global__ void binary_values(Operand<T> lhs, Operand<T> rhs, int32_t op, T *out, int64_t rows) {
  constexpr int kRows = kVectorRows<T>;
  int count;
  int64_t row = vector_rows<kRows>(rows, &count);
  T a[kRows], b[kRows];
  load_vector(lhs, row, count, a);
  load_vector(rhs, row, count, b);
#pragma unroll
  for (int k = 0; k < kRows; k++) a[k] = binary_of(kOp == kAnyOp ? op : kOp, a[k], b[k]);
  store_vector_padded(out, row, rows, a);
}

template <class T>
cudaError_t launch_unchecked(const BinaryArgs &args, cudaStream_t stream) {
  T *out = args.alloc.unpadded<T>(0, args.rows);
  if (out == nullptr) return cudaErrorMemoryAllocation;
  if (args.rows == 0) return cudaSuccess;
  Operand<T> lhs(args.lhs, args.lhs_value), rhs(args.rhs, args.rhs_value);
  auto kernel = args.op == ADD   ? binary_values<T, ADD>
                : args.op == SUB ? binary_values<T, SUB>
                : args.op == MUL ? binary_values<T, MUL>
                                 : binary_values<T, kAnyOp>;
  return launch(kernel, vector_blocks<T>(args.rows), kThreads, 0, stream, lhs, rhs, args.op, out, args.rows);
}

// Whether the exact result differs from `result`.
template <class T>
__device__ __forceinline__ bool wraps(int32_t op, T a, T b, T result) {
  if (op == DIV || op == FLOOR_DIV) return a < T{0} && b < T{0} && result < T{0};
  if constexpr (sizeof(T) < 16) {
    int128 left = a, right = b;
    if (op == ADD) return left + right != static_cast<int128>(result);
    if (op == SUB) return left - right != static_cast<int128>(result);
    // Modulo 2^128: the product of two unsigned 64-bit numbers needs all the bits.
    if (op == MUL) {
      return static_cast<uint128>(left) * static_cast<uint128>(right) != static_cast<uint128>(static_cast<int128>(result));
    }
  } else {
    if (op == ADD) return (a < 0) == (b < 0) && (result < 0) != (a < 0);
    if (op == SUB) return (a < 0) != (b < 0) && (result < 0) != (a < 0);
    if (op == MUL) return mul_overflows(a, b);
  }
  return false;
}

// `limit` 0: the range of the type.
template <class T>
__global__ void binary_checked(Operand<T> lhs, Operand<T> rhs, int32_t op, int128 limit, const uint8_t *valid, T *out,
                               Overflow overflow, int64_t rows) {
  int64_t row = thread_index();
  bool bad = false;
  if (row < rows) {
    T a = lhs.at(row), b = rhs.at(row);
    T result = binary_of(op, a, b);
    out[row] = result;
    int128 wide = static_cast<int128>(result);
    bad = wraps(op, a, b, result) || (limit != 0 && (wide >= limit || wide <= -limit));
    bad = bad && (valid == nullptr || get_bit(valid, row));
  }
  overflow.store(row, rows, bad);
}

}  // namespace

ENTRY(binary)(const BinaryArgs *args, cudaStream_t stream) {
  return with_storage(args->lhs.storage, [&](auto type) -> cudaError_t {
    using T = typename decltype(type)::type;
    if (!args->checked) return launch_unchecked<T>(*args, stream);
    T *out = args->alloc.output<T>(0, args->rows);
    if (out == nullptr) return cudaErrorMemoryAllocation;
    Operand<T> lhs(args->lhs, args->lhs_value), rhs(args->rhs, args->rhs_value);
    unsigned blocks = blocks_for(args->rows, kThreads);
    Overflow overflow(args->alloc, args->rows, stream);
    if (!overflow.allocated()) return cudaErrorMemoryAllocation;
    if (args->rows == 0) return cudaSuccess;
    if constexpr (kFloat<T>) {
      return cudaErrorInvalidValue;
    } else {
      return launch(binary_checked<T>, blocks, kThreads, 0, stream, lhs, rhs, args->op, from_halves(args->limit),
                    static_cast<const uint8_t *>(args->valid), out, overflow, args->rows);
    }
  });
}

}  // namespace CN_BUILD
