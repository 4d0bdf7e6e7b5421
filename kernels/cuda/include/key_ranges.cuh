// Keys whose types are too wide for one word, packed by the ranges of their integers and the longest of their strings.
//   measure_keys   the least and the greatest value of each integer column, the greatest length of each string column
// One synchronisation, since the layout of a word is known to the host.
#pragma once
#include "rows.cuh"

namespace CN_BUILD {

// The rows of one side.
struct KeySide {
  const KeyColumns *keys;
  int64_t rows;
};

namespace rows_detail {

constexpr unsigned kMeasureBlocks = KeyPolicy::kMeasureBlocks;

__host__ __device__ inline bool is_integer(const ColumnDesc &column) {
  return column.storage >= I8 && column.storage <= U64 && column.storage != I128;
}

__host__ __device__ inline bool is_narrowed(const ColumnDesc &column) { return is_integer(column) || column.storage == STRING; }

// Whether strings may be short enough to be packed, all bytes of a buffer being those of its rows.
inline bool may_be_short(const ColumnDesc &column) { return column.data_bytes <= kPackedBytes * column.rows; }

// Of an integer column, what makes the unsigned order of its words the order of its values.
__host__ __device__ inline uint64_t sign_of(const ColumnDesc &column) {
  return column.storage <= I64 ? uint64_t{1} << 63 : 0;
}

// A row of blocks a column. `ranges`: of each column the least ordered word and the complement of the greatest one, which
// begin as all ones; of strings those of their lengths.
static __global__ void measure_keys(const __grid_constant__ KeyColumns keys, unsigned long long *ranges, int64_t rows) {
  SHARED(least, unsigned long long);
  SHARED(beyond, unsigned long long);
  const ColumnDesc &column = keys.columns[blockIdx.y];
  if (!is_narrowed(column)) return;
  if (threadIdx.x == 0) least = beyond = ~0ull;
  __syncthreads();
  unsigned long long low = ~0ull, high = ~0ull;
  uint64_t sign = sign_of(column);
  int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t row = thread_index(); row < rows; row += step) {
    if (!column.valid(row)) continue;
    unsigned long long word = column.storage == STRING
                                  ? static_cast<uint64_t>(column.string_offset(row + 1) - column.string_offset(row))
                                  : hash_word(column, row) ^ sign;
    low = word < low ? word : low;
    high = ~word < high ? ~word : high;
  }
  for (unsigned lanes = 16; lanes > 0; lanes /= 2) {
    unsigned long long other_low = __shfl_down_sync(0xffffffffu, low, lanes);
    unsigned long long other_high = __shfl_down_sync(0xffffffffu, high, lanes);
    low = other_low < low ? other_low : low;
    high = other_high < high ? other_high : high;
  }
  if (threadIdx.x % 32 == 0) {
    atomicMin(&least, low);
    atomicMin(&beyond, high);
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  atomicMin(&ranges[2 * blockIdx.y], least);
  atomicMin(&ranges[2 * blockIdx.y + 1], beyond);
}

// Places an integer column by its range. A null has the code after the largest.
inline bool place_range(Packing &packing, const ColumnDesc &column, int32_t k, bool has_null,
                        const uint64_t *range) {
  uint64_t least = range[0], greatest = ~range[1];
  bool is_empty = least > greatest;
  uint64_t largest = is_empty ? 0 : greatest - least;
  if (has_null && largest == ~uint64_t{0}) return false;
  largest += has_null;
  int32_t width = 0;
  while (width < 64 && largest >> width != 0) width++;
  if (!packing.place(k, width)) return false;
  packing.greatest |= largest << packing.shift[k];
  packing.base[k] = is_empty ? 0 : least ^ sign_of(column);
  if (has_null) packing.null[k] = largest << packing.shift[k];
  return true;
}

// Places a column of strings by the greatest length. A null has a length of its own, and no bytes.
inline bool place_strings(Packing &packing, int32_t k, bool has_null, const uint64_t *range) {
  bool is_empty = range[0] > ~range[1];
  uint64_t longest = is_empty ? 0 : ~range[1];
  if (longest > kPackedBytes) return false;
  int32_t bytes = 8 * static_cast<int32_t>(longest);
  uint64_t length = longest + has_null;
  int32_t width = bytes;
  while (length >> (width - bytes) != 0) width++;
  if (!packing.place(k, width)) return false;
  packing.base[k] = static_cast<uint64_t>(bytes);
  packing.greatest |= (length << bytes | ((uint64_t{1} << bytes) - 1)) << packing.shift[k];
  if (has_null) packing.null[k] = length << bytes << packing.shift[k];
  return true;
}

// The ranges of both sides, two words a column.
inline cudaError_t measure(const Alloc &alloc, KeySide side, KeySide other, uint64_t *out, cudaStream_t stream) {
  int32_t count = side.keys->count;
  unsigned long long *ranges = alloc.scratch<unsigned long long>(2 * count);
  if (ranges == nullptr) return cudaErrorMemoryAllocation;
  CN_TRY(cudaMemsetAsync(ranges, 0xff, 2 * sizeof(*ranges) * static_cast<size_t>(count), stream));
  for (const KeySide &one : {side, other}) {
    if (one.keys == nullptr || one.rows == 0) continue;
    unsigned blocks = blocks_for(one.rows, kThreads);
    dim3 grid(blocks < kMeasureBlocks ? blocks : kMeasureBlocks, static_cast<unsigned>(count));
    CN_TRY(launch(measure_keys, grid, kThreads, 0, stream, *one.keys, ranges, one.rows));
  }
  return alloc.read(reinterpret_cast<const uint64_t *>(ranges), out, 2 * count, stream);
}

}  // namespace rows_detail

// Two words a column, and one that is not 0 once they are measured; MeasuredKeys of kernels/src/keys/mod.rs.
constexpr int kMeasuredWords = 2 * kMaxKeys + 1;

// The packing of columns that do not fit a word by their types, by the ranges of integers and the lengths of strings in both
// sides; `other.keys` may be null. If it does not fit either, so says `out`. `known`: kMeasuredWords on the host, of these
// columns; null if nothing else packs them.
inline cudaError_t pack_by_range(const Alloc &alloc, KeySide side, KeySide other, bool null_keys, uint64_t *known,
                                 Packing *out, cudaStream_t stream) {
  using namespace rows_detail;
  const KeyColumns &keys = *side.keys;
  const ColumnDesc *others = other.keys == nullptr ? nullptr : other.keys->columns;
  *out = Packing{};
  // What no range narrows may be too much already.
  int32_t fixed = 0;
  for (int32_t k = 0; k < keys.count; k++) {
    const ColumnDesc &column = keys.columns[k];
    if (column.storage == I128) return cudaSuccess;
    if (column.storage == STRING && !(may_be_short(column) && (others == nullptr || may_be_short(others[k])))) return cudaSuccess;
    if (!is_narrowed(column)) fixed += code_bits(column);
  }
  if (fixed > 64) return cudaSuccess;
  uint64_t measured[kMeasuredWords] = {};
  uint64_t *found = known == nullptr ? measured : known;
  if (found[kMeasuredWords - 1] == 0) CN_TRY(measure(alloc, side, other, found, stream));
  found[kMeasuredWords - 1] = 1;
  out->narrowed = true;
  for (int32_t k = 0; k < keys.count; k++) {
    const ColumnDesc &column = keys.columns[k];
    bool has_null = has_null_code(keys.columns, others, k, null_keys);
    bool narrows = is_narrowed(column);
    const uint64_t *range = found + 2 * k;
    bool fits = column.storage == STRING ? place_strings(*out, k, has_null, range)
                : narrows                ? place_range(*out, column, k, has_null, range)
                                         : place_whole(*out, column, k, has_null);
    if (!fits) return cudaSuccess;
    if (!narrows) out->greatest |= ~uint64_t{0} >> (64 - (out->bits - out->shift[k])) << out->shift[k];
  }
  out->fits = true;
  return cudaSuccess;
}

}  // namespace CN_BUILD
