// Copy if else: 16 bytes per thread for values; one thread per 32-bit word for bits and masks; strings as
// in strings.cuh. Reads the condition, and w bytes of the chosen side per row (sectors of both sides if
// choices mix). No atomics; deterministic.
#include "copy_if_else.abi.h"
#include "bits.cuh"
#include "strings.cuh"
#include "vectors.cuh"

namespace CN_BUILD {
namespace {

// A null condition selects the other side.
struct Condition {
  ColumnDesc column;
  __device__ bool operator()(int64_t row) const { return column.bit(row) && column.valid(row); }
  __device__ uint32_t word(int64_t word, int count) const { return bits(word * 32, count); }
  __device__ uint32_t bits(int64_t row, int count) const {
    int64_t first = column.offset + row;
    uint32_t set = load_bits(static_cast<const uint8_t *>(column.data), first, count);
    if (column.validity == nullptr) return set;
    return set & load_bits(static_cast<const uint8_t *>(column.validity), first, count);
  }
};

template <class T>
__global__ void choose_values(Condition condition, ColumnDesc then, ColumnDesc otherwise, T *out, int64_t rows) {
  constexpr int kRows = kVectorRows<T>;
  int count;
  int64_t row = vector_rows<kRows>(rows, &count);
  T chosen[kRows], other[kRows];
  load_vector(static_cast<const T *>(then.data) + then.offset, row, count, chosen);
  load_vector(static_cast<const T *>(otherwise.data) + otherwise.offset, row, count, other);
  uint32_t bits = count > 0 ? condition.bits(row, count) : 0;
#pragma unroll
  for (int k = 0; k < kRows; k++) {
    if ((bits >> k & 1) == 0) chosen[k] = other[k];
  }
  store_vector_padded(out, row, rows, chosen);
}

// A null bitmask is all ones.
__device__ uint32_t side_word(const uint8_t *bits, int64_t offset, int64_t word, int count) {
  return bits == nullptr ? ~0u : load_bits(bits, offset + word * 32, count);
}

__global__ void choose_words(Condition condition, const uint8_t *then, int64_t then_offset, const uint8_t *otherwise,
                             int64_t otherwise_offset, uint32_t *out, int64_t rows) {
  int64_t word = thread_index();
  int count = bits_in_word(word, rows);
  if (count == 0) return;
  uint32_t choice = condition.word(word, count);
  uint32_t chosen = (choice & side_word(then, then_offset, word, count)) |
                    (~choice & side_word(otherwise, otherwise_offset, word, count));
  out[word] = count == 32 ? chosen : chosen & ((1u << count) - 1);
}

struct ChosenStrings {
  Condition condition;
  ColumnDesc then;
  ColumnDesc otherwise;
  static constexpr bool kOneSource = false;
  static constexpr bool kStages = false;
  __device__ StringRow operator()(int64_t row) const { return string_row(condition(row) ? then : otherwise, row); }
  __device__ CharRange range(const uint8_t *bytes) const { return range_of(bytes, then, otherwise); }
  const ColumnDesc *only_source() const { return nullptr; }
};

template <class T>
cudaError_t values_out(const CopyIfElseArgs &args, cudaStream_t stream) {
  int64_t rows = args.condition.rows;
  T *out = args.alloc.unpadded<T>(0, rows);
  if (out == nullptr) return cudaErrorMemoryAllocation;
  if (rows == 0) return cudaSuccess;
  return launch(choose_values<T>, vector_blocks<T>(rows), kThreads, 0, stream, Condition{args.condition},
                args.then, args.otherwise, out, rows);
}

// The output has whole words; the launcher truncates it to bytes.
cudaError_t bits_out(const CopyIfElseArgs &args, const void *then, const void *otherwise, int32_t slot,
                     cudaStream_t stream) {
  int64_t rows = args.condition.rows;
  uint32_t *out = args.alloc.output<uint32_t>(slot, words_for(rows));
  if (out == nullptr) return cudaErrorMemoryAllocation;
  if (rows == 0) return cudaSuccess;
  return launch(choose_words, blocks_for(words_for(rows), kThreads), kThreads, 0, stream, Condition{args.condition},
                static_cast<const uint8_t *>(then), args.then.offset, static_cast<const uint8_t *>(otherwise),
                args.otherwise.offset, out, rows);
}

}  // namespace

ENTRY(copy_if_else)(const CopyIfElseArgs *args, cudaStream_t stream) {
  const ColumnDesc &then = args->then;
  const ColumnDesc &otherwise = args->otherwise;
  switch (storage_bits(then.storage)) {
    case 1: CN_TRY(bits_out(*args, then.data, otherwise.data, 0, stream)); break;
    case 8: CN_TRY(values_out<uint8_t>(*args, stream)); break;
    case 16: CN_TRY(values_out<uint16_t>(*args, stream)); break;
    case 32: CN_TRY(values_out<uint32_t>(*args, stream)); break;
    case 64: CN_TRY(values_out<uint64_t>(*args, stream)); break;
    case 128: CN_TRY(values_out<uint4>(*args, stream)); break;
    default: {
      ChosenStrings rows{Condition{args->condition}, then, otherwise};
      CN_TRY(build_strings(args->alloc, rows, args->condition.rows, args->string_bytes, stream));
    }
  }
  if (then.validity == nullptr && otherwise.validity == nullptr) return cudaSuccess;
  return bits_out(*args, then.validity, otherwise.validity, 1, stream);
}

}  // namespace CN_BUILD
