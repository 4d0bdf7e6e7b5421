// Bits at any offset, least significant first.
#pragma once
#include "kernel.h"

namespace CN_BUILD {

// `count` bits (1 to 32) from bit `first`, zeros above them. Reads only the bytes that contain them, four at once where
// they are aligned.
__device__ __forceinline__ uint32_t load_bits(const uint8_t *bits, int64_t first, int count) {
  const uint8_t *byte = bits + (first >> 3);
  int shift = static_cast<int>(first & 7);
  int bytes = (shift + count + 7) >> 3;
  uint64_t window = 0;
  if (bytes >= 4 && (reinterpret_cast<uintptr_t>(byte) & 3) == 0) {
    window = *reinterpret_cast<const uint32_t *>(byte);
    if (bytes == 5) window |= static_cast<uint64_t>(byte[4]) << 32;
    window >>= shift;
    return static_cast<uint32_t>(count == 32 ? window : window & ((uint64_t{1} << count) - 1));
  }
  for (int k = 0; k < bytes; k++) window |= static_cast<uint64_t>(byte[k]) << (8 * k);
  window >>= shift;
  return static_cast<uint32_t>(count == 32 ? window : window & ((uint64_t{1} << count) - 1));
}

// Like load_bits, of a mask whose bits end at bit `end`: reads one or two aligned words where the mask has all of their
// bytes.
__device__ __forceinline__ uint32_t load_word(const uint8_t *bits, int64_t first, int count, int64_t end) {
  int64_t byte = first >> 3;
  int skew = static_cast<int>((reinterpret_cast<uintptr_t>(bits) + static_cast<uintptr_t>(byte)) & 3);
  int shift = skew * 8 + static_cast<int>(first & 7);
  bool crosses = shift + count > 32;
  int64_t start = byte - skew;
  if (start < 0 || start + (crosses ? 8 : 4) > (end + 7) >> 3) return load_bits(bits, first, count);
  const uint32_t *words = reinterpret_cast<const uint32_t *>(bits + start);
  uint32_t word = words[0] >> shift;
  if (crosses) word |= words[1] << (32 - shift);
  return count == 32 ? word : word & ((1u << count) - 1);
}

// The number of rows, at most 32, in word `word` of a bitmask of `rows` bits; 0 past the end.
__device__ __forceinline__ int bits_in_word(int64_t word, int64_t rows) {
  int64_t rest = rows - word * 32;
  return rest >= 32 ? 32 : rest > 0 ? static_cast<int>(rest) : 0;
}

// The number of words of `rows` bits.
__host__ __device__ __forceinline__ int64_t words_for(int64_t rows) { return (rows + 31) / 32; }

}  // namespace CN_BUILD
