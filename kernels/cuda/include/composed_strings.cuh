// Writing long rows that are parts of other strings: a thread makes aligned words of 16 bytes of the output, wherever rows
// begin, and reads the bytes of a word in words too. Needs ComposePolicy and LiteralPolicy.
#pragma once
#include "literals.cuh"
#include "string_rows.cuh"

namespace CN_BUILD {

// Bytes from an address on, as many as `count` at least, in a readable range.
struct Span {
  const uint8_t *bytes;
  int64_t count;
  CharRange range;
};

// Where operands of composed strings stage a literal, which is read in words of 16 bytes.
struct alignas(16) ComposedLiteral : LiteralShared {
  __device__ __forceinline__ void stage(const Literal &literal) { literal.staged(&words[0]); }
  __device__ __forceinline__ const uint8_t *bytes_of(const Literal &literal) const { return literal.in(&words[0]); }
  // The bytes of the literal from `at` on.
  __device__ __forceinline__ Span span(const Literal &literal, int64_t at) const {
    const uint8_t *bytes = bytes_of(literal);
    int64_t readable = literal.bytes > 8 * kLiteralWords ? literal.bytes : 8 * kLiteralWords;
    return {bytes + at, literal.bytes - at, {bytes, bytes + readable}};
  }
};

// Sixteen bytes, the first one lowest.
struct Chunk {
  uint64_t low, high;

  __device__ __forceinline__ uint4 words() const {
    return {static_cast<uint32_t>(low), static_cast<uint32_t>(low >> 32), static_cast<uint32_t>(high),
            static_cast<uint32_t>(high >> 32)};
  }
  __device__ __forceinline__ void add(Chunk other) {
    low |= other.low;
    high |= other.high;
  }
  // The first `count` bytes, 1 to 16, and zeros.
  __device__ __forceinline__ Chunk first(int count) const {
    if (count >= 16) return *this;
    if (count >= 8) return {low, high & ((uint64_t{1} << (8 * (count - 8))) - 1)};
    return {low & ((uint64_t{1} << (8 * count)) - 1), 0};
  }
  // With `count` zeros, below 16, before them.
  __device__ __forceinline__ Chunk after(int count) const {
    if (count >= 8) return {0, low << (8 * (count - 8))};
    return count == 0 ? *this : Chunk{low << (8 * count), high << (8 * count) | low >> (64 - 8 * count)};
  }
};

// The first `count` bytes, 1 to 16, of a span.
__device__ __forceinline__ Chunk load_chunk(const Span &span, int count) {
  int skew = static_cast<int>(reinterpret_cast<uintptr_t>(span.bytes) & 15);
  const uint8_t *word = span.bytes - skew;
  uint4 first = load_words(word, span.range);
  uint4 next{0, 0, 0, 0};
  if (skew + count > 16) next = load_words(word + 16, span.range);
  uint64_t a = static_cast<uint64_t>(first.y) << 32 | first.x, b = static_cast<uint64_t>(first.w) << 32 | first.z;
  uint64_t c = static_cast<uint64_t>(next.y) << 32 | next.x, d = static_cast<uint64_t>(next.w) << 32 | next.z;
  if (skew >= 8) {
    a = b;
    b = c;
    c = d;
  }
  int shift = 8 * (skew & 7);
  if (shift != 0) {
    a = a >> shift | b << (64 - shift);
    b = b >> shift | c << (64 - shift);
  }
  return Chunk{a, b}.first(count);
}

namespace composed_detail {

// Rows of a block, at most kThreads, that have about kBlockBytes.
inline int rows_of_blocks(int64_t bytes, int64_t rows) {
  int count = kThreads;
  while (count > 1 && bytes / rows > ComposePolicy::kBlockBytes / count) count /= 2;
  return count;
}

// The rows from offsets[first] on, `of_block` of them.
template <class Rows, class Offset>
__global__ void __launch_bounds__(kThreads)
    write_composed(const __grid_constant__ Rows composed, const Offset *offsets, uint8_t *chars, int32_t of_block, int64_t rows) {
  SHARED(places, int64_t[kThreads + 1]);
  SHARED(sources, typename Rows::Source[kThreads]);
  SHARED(shared, typename Rows::Shared);
  int thread = static_cast<int>(threadIdx.x);
  int64_t first = static_cast<int64_t>(blockIdx.x) * of_block;
  int count = static_cast<int>(rows - first < of_block ? rows - first : of_block);
  composed.stage(shared);
  for (int k = thread; k <= count; k += kThreads) places[k] = static_cast<int64_t>(offsets[first + k]);
  __syncthreads();
  if (thread < count && places[thread + 1] > places[thread]) {
    sources[thread] = composed.source(first + thread, places[thread + 1] - places[thread], shared);
  }
  __syncthreads();
  int64_t begin = places[0], end = places[count];
  for (int64_t chunk = (begin & ~int64_t{15}) + 16 * thread; chunk < end; chunk += 16 * kThreads) {
    int64_t low = chunk > begin ? chunk : begin, high = chunk + 16 < end ? chunk + 16 : end;
    // The last row that begins at `low` or before: it has the byte.
    int row = 0;
    for (int after = count; after - row > 1;) {
      int middle = (row + after) / 2;
      if (places[middle] <= low) row = middle;
      else after = middle;
    }
    Chunk made{0, 0};
    for (int64_t at = low; at < high;) {
      while (places[row + 1] <= at) row++;
      int64_t start = places[row], size = places[row + 1] - start;
      Span span = composed.at(sources[row], first + row, at - start, size, shared);
      int64_t left = high - at < size - (at - start) ? high - at : size - (at - start);
      int bytes = static_cast<int>(left < span.count ? left : span.count);
      Chunk part = composed.mapped(load_chunk(span, bytes), sources[row], at - start);
      made.add(part.after(static_cast<int>(at - chunk)));
      at += bytes;
    }
    if (high - low == 16) {
      *reinterpret_cast<uint4 *>(chars + chunk) = made.words();
    } else {
      for (int64_t at = low; at < high; at++) {
        int k = static_cast<int>(at - chunk);
        chars[at] = static_cast<uint8_t>((k < 8 ? made.low : made.high) >> (8 * (k & 7)));
      }
    }
  }
}

}  // namespace composed_detail

// Whether rows of so many bytes are long enough for write_composed.
inline bool are_long(int64_t bytes, int64_t rows) { return bytes / rows >= ComposePolicy::kLongBytes; }

// Writes the bytes of rows at offsets. Of `composed`:
//   Source source(row, size, shared)               what the block keeps of a row that is not empty
//   Span at(source, row, position, size, shared)   the bytes of the row from a position on, one or more
//   Chunk mapped(chunk, source, position)          what is written of bytes from there on, with zeros after them
// and stage(shared), before a barrier.
template <class Rows, class Offset>
cudaError_t write_composed(const Rows &composed, const Offset *offsets, uint8_t *chars, int64_t bytes, int64_t rows,
                           cudaStream_t stream) {
  int of_block = composed_detail::rows_of_blocks(bytes, rows);
  return launch(composed_detail::write_composed<Rows, Offset>, blocks_for(rows, of_block), kThreads, 0, stream, composed,
                offsets, chars, of_block, rows);
}

}  // namespace CN_BUILD
