// Constants of an operation in its arguments, such as what is searched for: up to 64 bytes travel with the launch.
#pragma once
#include "kernel.h"

namespace CN_BUILD {

constexpr int kLiteralWords = LiteralPolicy::kInlineBytes / 8;

struct Literal {
  uint64_t words[kLiteralWords];
  // Where more bytes are.
  const uint8_t *far;
  int64_t bytes;

  Literal() = default;
  Literal(const uint64_t (&inline_words)[kLiteralWords], const uint8_t *far, int64_t bytes) : far(far), bytes(bytes) {
    memcpy(words, inline_words, sizeof(words));
  }

  // Its bytes, in `shared` if there are few. Every thread of the block must call this, and __syncthreads after it.
  __device__ __forceinline__ const uint8_t *staged(uint64_t *shared) const {
    if (bytes > 8 * kLiteralWords) return far;
    if (threadIdx.x == 0) {
#pragma unroll
      for (int k = 0; k < kLiteralWords; k++) shared[k] = words[k];
    }
    return reinterpret_cast<const uint8_t *>(shared);
  }
  // Where `staged` has put its bytes.
  __device__ __forceinline__ const uint8_t *in(const uint64_t *shared) const {
    return bytes > 8 * kLiteralWords ? far : reinterpret_cast<const uint8_t *>(shared);
  }
};

// The shared memory of a literal, for kernels whose operands stage what all threads of a block read.
struct LiteralShared {
  uint64_t words[kLiteralWords];
};

// The same of operands that have nothing to stage.
struct NothingShared {};

}  // namespace CN_BUILD
