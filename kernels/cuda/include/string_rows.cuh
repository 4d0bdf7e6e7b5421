// Rows of string columns: words of their bytes, and rows staged in shared memory.
#pragma once
#include "column.cuh"

namespace CN_BUILD {

// The bytes of one row.
struct StringRow {
  const uint8_t *bytes;
  int64_t length;
};

__device__ __forceinline__ StringRow string_row(const ColumnDesc &column, int64_t row) {
  int64_t start = column.string_offset(row);
  return {static_cast<const uint8_t *>(column.data) + start, column.string_offset(row + 1) - start};
}

// The readable bytes of a buffer. Rows begin at any address; aligned words around their ends are read where they are
// within the buffer.
struct CharRange {
  const uint8_t *begin;
  const uint8_t *end;
};

__device__ __forceinline__ CharRange char_range(const ColumnDesc &column) {
  const uint8_t *begin = static_cast<const uint8_t *>(column.data);
  return {begin, begin + column.data_bytes};
}

// The range that has the byte at `bytes`, of two columns.
__device__ __forceinline__ CharRange range_of(const uint8_t *bytes, const ColumnDesc &a, const ColumnDesc &b) {
  CharRange first = char_range(a);
  return bytes >= first.begin && bytes < first.end ? first : char_range(b);
}

// The aligned 8 bytes at `word`; zeros beyond the buffer.
__device__ __forceinline__ uint64_t load_word(const uint8_t *word, CharRange range) {
  if (word >= range.begin && word + 8 <= range.end) return *reinterpret_cast<const uint64_t *>(word);
  uint64_t value = 0;
  for (int k = 0; k < 8; k++) {
    if (word + k >= range.begin && word + k < range.end) value |= static_cast<uint64_t>(word[k]) << (8 * k);
  }
  return value;
}

// The aligned 16 bytes at `word`; zeros beyond the buffer.
__device__ __forceinline__ uint4 load_words(const uint8_t *word, CharRange range) {
  if (word >= range.begin && word + 16 <= range.end) return *reinterpret_cast<const uint4 *>(word);
  uint64_t low = load_word(word, range), high = load_word(word + 8, range);
  return {static_cast<uint32_t>(low), static_cast<uint32_t>(low >> 32), static_cast<uint32_t>(high),
          static_cast<uint32_t>(high >> 32)};
}

// The bytes of a row, eight at a time and zeros after the last, each aligned word read once.
struct WordReader {
  const uint8_t *word;
  CharRange range;
  int64_t left;
  int shift;
  uint64_t low;

  __device__ __forceinline__ WordReader(StringRow row, CharRange range) : range(range), left(row.length) {
    int skew = static_cast<int>(reinterpret_cast<uintptr_t>(row.bytes) & 7);
    word = row.bytes - skew;
    shift = 8 * skew;
    low = left > 0 ? load_word(word, range) : 0;
  }
  // Call it only while `left` is above zero.
  __device__ __forceinline__ uint64_t next() {
    uint64_t value = low >> shift;
    word += 8;
    // The next word has bytes of this step, or of the one after it.
    if (8 * left + shift > 64) {
      low = load_word(word, range);
      if (shift != 0) value |= low << (64 - shift);
    }
    if (left < 8) value &= (uint64_t{1} << (8 * left)) - 1;
    left -= 8;
    return value;
  }
};

// Bytes of shared memory in which a warp stages its rows.
constexpr int kWarpStage = StringPolicy::kWarpStage;

// The string of this thread's row, staged in `stage`, kWarpStage bytes of the warp's own: 32 neighbouring rows are read
// in aligned words, each once. Longer ones stay where they are. Every lane of the warp must call this with
// neighbouring rows; those past the end are empty. `source` is where the string is in the column.
__device__ __forceinline__ StringRow staged_row(const ColumnDesc &column, int64_t row, uint4 *stage,
                                                const uint8_t *&source) {
  int lane = static_cast<int>(threadIdx.x % 32);
  int64_t start = column.string_offset(row < column.rows ? row : column.rows);
  int64_t end = __shfl_down_sync(0xffffffffu, start, 1);
  if (lane == 31) end = column.string_offset(row + 1 < column.rows ? row + 1 : column.rows);
  int64_t first = __shfl_sync(0xffffffffu, start, 0);
  int64_t last = __shfl_sync(0xffffffffu, end, 31);
  const uint8_t *chars = static_cast<const uint8_t *>(column.data);
  source = chars + start;
  int64_t skew = static_cast<int64_t>(reinterpret_cast<uintptr_t>(chars + first) & 15);
  if (last - first + skew > kWarpStage) return {source, end - start};
  CharRange range = char_range(column);
  for (int64_t k = lane; 16 * k < last - first + skew; k += 32) {
    stage[k] = load_words(chars + first - skew + 16 * k, range);
  }
  __syncwarp();
  return {reinterpret_cast<const uint8_t *>(stage) + skew + (start - first), end - start};
}

__device__ __forceinline__ StringRow staged_row(const ColumnDesc &column, int64_t row, uint4 *stage) {
  const uint8_t *source;
  return staged_row(column, row, stage, source);
}

}  // namespace CN_BUILD
