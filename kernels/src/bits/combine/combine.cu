// Combine bits: one thread per 32-bit word of the result. Reads n/8 bytes of each input and writes n/8.
// No atomics; deterministic.
#include "combine.abi.h"
#include "bits.cuh"

namespace CN_BUILD {
namespace {

// The discriminants of Combination in mod.rs.
enum Combination : int32_t { AND, OR, AND_NOT, NOT, COPY };

__global__ void combine_words(const uint8_t *left, int64_t left_offset, const uint8_t *right, int64_t right_offset,
                              int32_t op, uint32_t *out, int64_t rows) {
  int64_t word = thread_index();
  int count = bits_in_word(word, rows);
  if (count == 0) return;
  uint32_t a = load_bits(left, left_offset + word * 32, count);
  if (op == NOT) {
    out[word] = ~a & (count == 32 ? ~0u : (1u << count) - 1);
    return;
  }
  if (op == COPY) {
    out[word] = a;
    return;
  }
  uint32_t b = load_bits(right, right_offset + word * 32, count);
  out[word] = op == AND ? a & b : op == OR ? a | b : a & ~b;
}

}  // namespace

ENTRY(combine)(const CombineArgs *args, cudaStream_t stream) {
  int64_t words = words_for(args->rows);
  if (words == 0) return cudaSuccess;
  uint32_t *out = args->alloc.output<uint32_t>(0, words);
  if (out == nullptr) return cudaErrorMemoryAllocation;
  return launch(combine_words, blocks_for(words, kThreads), kThreads, 0, stream,
                static_cast<const uint8_t *>(args->left), args->left_offset,
                static_cast<const uint8_t *>(args->right), args->right_offset, args->op, out, args->rows);
}

}  // namespace CN_BUILD
