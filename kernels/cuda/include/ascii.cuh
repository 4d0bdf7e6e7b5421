// Bytes of ASCII, many at once.
#pragma once
#include "string_rows.cuh"

namespace CN_BUILD {

// Whether all bytes of the rows of a warp are ASCII, those beside them in their words too. `text` and `source` are what
// staged_row has found. Every lane of the warp must call this.
__device__ __forceinline__ bool are_ascii(StringRow text, const uint8_t *source, CharRange range) {
  int lane = static_cast<int>(threadIdx.x % 32);
  uint64_t of_mine = reinterpret_cast<uintptr_t>(text.bytes);
  uint64_t first = __shfl_sync(0xffffffffu, of_mine, 0);
  uint64_t last = __shfl_sync(0xffffffffu, of_mine + static_cast<uint64_t>(text.length), 31);
  const uint8_t *begin = reinterpret_cast<const uint8_t *>(first & ~uint64_t{15});
  const uint8_t *end = reinterpret_cast<const uint8_t *>(last);
  // Staged rows are in whole words.
  if (text.bytes != source) range = {begin, end + 15};
  for (; begin < end; begin += 16 * 32) {
    const uint8_t *at = begin + 16 * lane;
    uint4 word{0, 0, 0, 0};
    if (at < end) word = load_words(at, range);
    if (__any_sync(0xffffffffu, ((word.x | word.y | word.z | word.w) & 0x80808080u) != 0)) return false;
  }
  return true;
}

// The bits by which the cases of letters differ, in the bytes of a word of ASCII that are letters from `first` on, which is
// 'A' or 'a'.
__device__ __forceinline__ uint64_t letters_from(uint64_t word, uint8_t first) {
  constexpr uint64_t kEach = 0x0101010101010101u;
  // The highest bits of bytes: those of at least `first`, and those above the last letter.
  uint64_t reached = word + kEach * (0x80u - first), passed = word + kEach * (0x80u - first - 26u);
  return (reached & ~passed & kEach * 0x80u) >> 2;
}

}  // namespace CN_BUILD
