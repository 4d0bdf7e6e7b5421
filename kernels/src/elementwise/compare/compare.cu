// Comparison: four rows per thread, four words per warp by votes; for bits one thread per 32-bit word. Reads
// both operands once and writes a bit per row. No atomics; deterministic.
#include "compare.abi.h"
#include "bits.cuh"
#include "operations.cuh"

namespace CN_BUILD {
namespace {

constexpr int kPaddingWords = kPadding / 4;

// `words`: those of the result, padding included.
template <class T>
__global__ void compare_values(Operand<T> lhs, Operand<T> rhs, int32_t op, uint32_t *out, int64_t words, int64_t rows) {
  constexpr int kWords = ComparePolicy::kWords;
  int lane = static_cast<int>(threadIdx.x) % 32;
  int64_t first_word = thread_index() / 32 * kWords;
  T a[kWords], b[kWords];
#pragma unroll
  for (int k = 0; k < kWords; k++) {
    int64_t row = (first_word + k) * 32 + lane;
    a[k] = row < rows ? lhs.at(row) : T{};
    b[k] = row < rows ? rhs.at(row) : T{};
  }
  uint32_t mine = 0;
#pragma unroll
  for (int k = 0; k < kWords; k++) {
    uint32_t word = __ballot_sync(0xffffffffu, (first_word + k) * 32 + lane < rows && compare_of(op, a[k], b[k]));
    if (lane == k) mine = word;
  }
  if (lane < kWords && first_word + lane < words) out[first_word + lane] = mine;
}

// 32 bits of a boolean column, or of one value for every row.
__device__ __forceinline__ uint32_t word_of(const ColumnDesc &column, bool value, int64_t word, int count) {
  if (column.data == nullptr) return value ? ~0u : 0u;
  return load_bits(static_cast<const uint8_t *>(column.data), column.offset + word * 32, count);
}

__global__ void compare_bits(ColumnDesc lhs, bool lhs_value, ColumnDesc rhs, bool rhs_value, int32_t op, uint32_t *out,
                             int64_t rows) {
  int64_t word = thread_index();
  int count = bits_in_word(word, rows);
  if (count == 0) return;
  uint32_t a = word_of(lhs, lhs_value, word, count);
  uint32_t b = word_of(rhs, rhs_value, word, count);
  uint32_t result = 0;
  switch (op) {
    case EQ: result = ~(a ^ b); break;
    case NE: result = a ^ b; break;
    case LT: result = ~a & b; break;
    case LE: result = ~a | b; break;
    case GT: result = a & ~b; break;
    default: result = a | ~b; break;
  }
  out[word] = result & (~0u >> (32 - count));
}

}  // namespace

ENTRY(compare)(const CompareArgs *args, cudaStream_t stream) {
  int64_t words = words_for(args->rows);
  if (args->lhs.storage == BIT) {
    uint32_t *out = args->alloc.output<uint32_t>(0, words);
    if (out == nullptr) return cudaErrorMemoryAllocation;
    if (args->rows == 0) return cudaSuccess;
    return launch(compare_bits, blocks_for(words, kThreads), kThreads, 0, stream, args->lhs, args->lhs_value[0] != 0,
                  args->rhs, args->rhs_value[0] != 0, args->op, out, args->rows);
  }
  uint32_t *out = args->alloc.unpadded<uint32_t>(0, words);
  if (out == nullptr) return cudaErrorMemoryAllocation;
  if (args->rows == 0) return cudaSuccess;
  words = (words + kPaddingWords - 1) / kPaddingWords * kPaddingWords;
  unsigned blocks = blocks_for(words, kThreads / 32 * ComparePolicy::kWords);
  return with_storage(args->lhs.storage, [&](auto type) {
    using T = typename decltype(type)::type;
    return launch(compare_values<T>, blocks, kThreads, 0, stream, Operand<T>(args->lhs, args->lhs_value),
                  Operand<T>(args->rhs, args->rhs_value), args->op, out, words, args->rows);
  });
}

}  // namespace CN_BUILD
