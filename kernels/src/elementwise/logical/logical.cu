// Kleene logic: one thread per 32-bit word of values and validity. Reads up to n/8 bytes four times and writes them
// twice. No atomics; deterministic.
#include "logical.abi.h"
#include "bits.cuh"
#include "column.cuh"

namespace CN_BUILD {
namespace {

// The discriminants of LogicalOp in mod.rs.
enum LogicalOp : int32_t { AND, OR, XOR };

// Values and validity of 32 rows.
struct Truth {
  uint32_t value;
  uint32_t valid;
};

// `value` replaces an absent column: 0, 1, or 2 for null.
__device__ __forceinline__ Truth load(const ColumnDesc &column, int32_t value, int64_t word, int count) {
  if (column.data == nullptr) return {value == 1 ? ~0u : 0u, value == 2 ? 0u : ~0u};
  int64_t first = column.offset + word * 32;
  uint32_t valid = column.validity == nullptr ? ~0u : load_bits(static_cast<const uint8_t *>(column.validity), first, count);
  return {load_bits(static_cast<const uint8_t *>(column.data), first, count), valid};
}

// The same formulas as in host.rs.
__device__ __forceinline__ Truth combine(int32_t op, Truth a, Truth b) {
  uint32_t both = a.valid & b.valid;
  switch (op) {
    case AND:
      return {(a.value | ~a.valid) & (b.value | ~b.valid), both | (a.valid & ~a.value) | (b.valid & ~b.value)};
    case OR: return {(a.value & a.valid) | (b.value & b.valid), both | (a.valid & a.value) | (b.valid & b.value)};
    default: return {a.value ^ b.value, both};
  }
}

__global__ void logical_words(ColumnDesc lhs, int32_t lhs_value, ColumnDesc rhs, int32_t rhs_value, int32_t op,
                              uint32_t *values, uint32_t *validity, int64_t rows) {
  int64_t word = thread_index();
  int count = bits_in_word(word, rows);
  if (count == 0) return;
  Truth result = combine(op, load(lhs, lhs_value, word, count), load(rhs, rhs_value, word, count));
  uint32_t mask = ~0u >> (32 - count);
  values[word] = result.value & mask;
  if (validity != nullptr) validity[word] = result.valid & mask;
}

}  // namespace

ENTRY(logical)(const LogicalArgs *args, cudaStream_t stream) {
  int64_t words = words_for(args->rows);
  uint32_t *values = args->alloc.output<uint32_t>(0, words);
  uint32_t *validity = args->masked ? args->alloc.output<uint32_t>(1, words) : nullptr;
  if (values == nullptr || (args->masked && validity == nullptr)) return cudaErrorMemoryAllocation;
  if (words == 0) return cudaSuccess;
  return launch(logical_words, blocks_for(words, kThreads), kThreads, 0, stream, args->lhs, args->lhs_value, args->rhs,
                args->rhs_value, args->op, values, validity, args->rows);
}

}  // namespace CN_BUILD
