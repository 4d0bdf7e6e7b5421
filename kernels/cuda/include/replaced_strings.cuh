// Long strings with a literal in place of another: the matches are found in words of 16 bytes and listed, and the results
// are written in words. A thread a row finds its matches twice, to count them and to list them.
#pragma once
#include "composed_strings.cuh"
#include "primitives.cuh"

namespace CN_BUILD {

// Whether `part` is in a string at a position.
__device__ __forceinline__ bool is_at(StringRow text, int64_t at, const uint8_t *part, int64_t bytes) {
  if (bytes > text.length - at) return false;
  int64_t same = 0;
  while (same < bytes && text.bytes[at + same] == part[same]) same++;
  return same == bytes;
}

// The matches of a literal, of one byte or more, in a string of a column: from left to right, none within another.
struct LiteralMatches {
  StringRow text;
  CharRange range;
  StringRow literal;
  // Where the next one may begin.
  int64_t from;

  // Bit k: byte k of the 16 is `byte`.
  static __device__ __forceinline__ uint32_t equal_bytes(uint4 words, uint8_t byte) {
    constexpr uint64_t kEach = 0x0101010101010101u, kLow = kEach * 0x7f;
    uint64_t halves[2] = {static_cast<uint64_t>(words.y) << 32 | words.x, static_cast<uint64_t>(words.w) << 32 | words.z};
    uint32_t found = 0;
    for (int k = 0; k < 2; k++) {
      uint64_t differ = halves[k] ^ kEach * byte;
      uint64_t same = ~((((differ & kLow) + kLow) | differ) | kLow);
      // The highest bits of the bytes side by side.
      found |= static_cast<uint32_t>((same >> 7) * 0x0102040810204080u >> 56) << (8 * k);
    }
    return found;
  }

  // Where the next match begins; -1 without one.
  __device__ __forceinline__ int64_t next() {
    int64_t last = text.length - literal.length;
    while (from <= last) {
      const uint8_t *bytes = text.bytes + from;
      int skew = static_cast<int>(reinterpret_cast<uintptr_t>(bytes) & 15);
      uint4 words = load_words(bytes - skew, range);
      uint32_t candidates = equal_bytes(words, literal.bytes[0]) & (0xffffu << skew);
      // What follows the last byte is not known yet.
      if (literal.length > 1) candidates &= equal_bytes(words, literal.bytes[1]) >> 1 | 0x8000u;
      for (; candidates != 0; candidates &= candidates - 1) {
        int64_t place = from - skew + __ffs(static_cast<int>(candidates)) - 1;
        if (!is_at(text, place, literal.bytes, literal.length)) continue;
        from = place + literal.length;
        return place;
      }
      from += 16 - skew;
    }
    return -1;
  }
};

namespace replaced_detail {

// `before`: the matches of all rows before each.
static __global__ void __launch_bounds__(kThreads)
    list_matches(ColumnDesc input, Literal literal, const int64_t *before, uint32_t *places, int64_t rows) {
  SHARED(shared, LiteralShared);
  literal.staged(&shared.words[0]);
  __syncthreads();
  int64_t row = thread_index();
  if (row >= rows) return;
  int64_t at = before[row], end = before[row + 1];
  if (at == end) return;
  LiteralMatches matches{string_row(input, row), char_range(input), {literal.in(&shared.words[0]), literal.bytes}, 0};
  for (; at < end; at++) places[at] = static_cast<uint32_t>(matches.next());
}

// Where a row is, and its matches.
struct Source {
  const uint8_t *text;
  int64_t length;
  const uint32_t *places;
  int64_t count;
};

// The results, for write_composed.
struct Results {
  ColumnDesc input;
  // The bytes that `to` takes the place of.
  int64_t replaced;
  Literal to;
  const int64_t *before;
  const uint32_t *places;

  using Source = replaced_detail::Source;
  using Shared = ComposedLiteral;

  __device__ __forceinline__ void stage(Shared &shared) const { shared.stage(to); }
  __device__ __forceinline__ Source source(int64_t row, int64_t, const Shared &) const {
    StringRow text = string_row(input, row);
    return {text.bytes, text.length, places + before[row], before[row + 1] - before[row]};
  }
  __device__ __forceinline__ Span at(const Source &of, int64_t, int64_t at, int64_t, const Shared &shared) const {
    // The matches whose place in the result is `at` or before.
    int64_t longer = to.bytes - replaced, matches = 0;
    for (int64_t end = of.count; matches < end;) {
      int64_t middle = (matches + end) / 2;
      if (of.places[middle] + middle * longer <= at) matches = middle + 1;
      else end = middle;
    }
    if (matches > 0) {
      int64_t in_literal = at - (of.places[matches - 1] + (matches - 1) * longer);
      if (in_literal < to.bytes) return shared.span(to, in_literal);
    }
    int64_t in_text = at - matches * longer;
    int64_t end = matches < of.count ? of.places[matches] : of.length;
    return {of.text + in_text, end - in_text, char_range(input)};
  }
  __device__ __forceinline__ Chunk mapped(Chunk chunk, const Source &, int64_t) const { return chunk; }
};

}  // namespace replaced_detail

// Writes strings with `to` in place of the matches of `from`, `total` of them, at the offsets of the results. `counts`: the
// matches of each row, and one word more.
template <class Offset>
cudaError_t write_replaced(const Alloc &alloc, const ColumnDesc &input, const Literal &from, const Literal &to,
                           int64_t *counts, int64_t total, const Offset *offsets, uint8_t *chars, int64_t bytes,
                           cudaStream_t stream) {
  using namespace replaced_detail;
  uint32_t *places = alloc.scratch<uint32_t>(total);
  if (places == nullptr) return cudaErrorMemoryAllocation;
  CN_TRY(prim::exclusive_sum(alloc, counts, counts, input.rows + 1, stream));
  CN_TRY(launch(list_matches, blocks_for(input.rows, kThreads), kThreads, 0, stream, input, from,
                static_cast<const int64_t *>(counts), places, input.rows));
  Results results{input, from.bytes, to, counts, places};
  return write_composed(results, offsets, chars, bytes, input.rows, stream);
}

}  // namespace CN_BUILD
