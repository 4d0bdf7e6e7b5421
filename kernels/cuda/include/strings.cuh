// Building string columns whose row sizes are not known in advance.
#pragma once
#include "block_bytes.cuh"
#include "limits.cuh"
#include "primitives.cuh"
#include "string_rows.cuh"

namespace CN_BUILD {

namespace strings_detail {

constexpr uint32_t kTooLong = uint32_t{1} << 31;

// Words of shared memory in which a block stages its rows.
template <class Row>
constexpr int kRowStage = Row::kStages ? kThreads / 32 * kWarpStage / 16 : 1;

// Row `i`, or none past the last one. Every lane of the warp must call this with neighbouring rows.
template <class Row>
__device__ __forceinline__ StringRow row_of(const Row &row, int64_t i, int64_t rows, uint4 *stage) {
  if constexpr (Row::kStages) return row.staged(i, stage + threadIdx.x / 32 * (kWarpStage / 16));
  else return i < rows ? row(i) : StringRow{nullptr, 0};
}

// Where rows start: in the characters of the only column that they come from, or at an address.
struct Starts {
  uint32_t *places;
  const uint8_t **addresses;
  // Of the first character; null with addresses.
  const uint8_t *base;

  __device__ __forceinline__ void set(int64_t i, const uint8_t *bytes) const {
    if (base == nullptr) addresses[i] = bytes;
    else places[i] = static_cast<uint32_t>(bytes - base);
  }
  // Rows of several columns have no places, which spares the registers.
  template <class Row>
  __device__ __forceinline__ const uint8_t *at(int64_t i) const {
    return !Row::kOneSource || base == nullptr ? addresses[i] : base + places[i];
  }

  // `source`: the only column, or null. False if out of memory.
  bool create(const Alloc &alloc, const ColumnDesc *source, int64_t rows) {
    bool fits = source != nullptr && source->data_bytes <= int64_t{UINT32_MAX} && !small_limits(alloc);
    base = fits ? static_cast<const uint8_t *>(source->data) : nullptr;
    if (base != nullptr) places = alloc.scratch<uint32_t>(rows);
    else addresses = alloc.scratch<const uint8_t *>(rows);
    return places != nullptr || addresses != nullptr;
  }
};

// Where each row starts and how long it is, at most kTooLong, with a 0 after the last size; and the bytes of the block,
// exactly.
template <class Row>
__global__ void __launch_bounds__(kThreads)
    measure_rows(Row row, Starts starts, SizedRows sized, int64_t rows) {
  SHARED(stage, uint4[kRowStage<Row>]);
  SHARED(sum, unsigned long long);
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  int64_t i = thread_index();
  StringRow source = row_of(row, i, rows, &stage[0]);
  unsigned long long length = 0;
  if (i < rows) {
    starts.set(i, source.bytes);
    length = static_cast<unsigned long long>(source.length);
  }
  if (i <= rows) sized.sizes[i] = length < kTooLong ? static_cast<uint32_t>(length) : kTooLong;
  for (unsigned lanes = 16; lanes > 0; lanes /= 2) length += __shfl_down_sync(0xffffffffu, length, lanes);
  if (threadIdx.x % 32 == 0) atomicAdd(&sum, length);
  __syncthreads();
  if (threadIdx.x == 0) sized.bytes.set(sum);
}

// The sizes of columns of 2^31 bytes of characters and more.
template <class Row>
__global__ void __launch_bounds__(kThreads) long_sizes(Row row, int64_t *sizes, int64_t rows) {
  SHARED(stage, uint4[kRowStage<Row>]);
  int64_t i = thread_index();
  StringRow source = row_of(row, i, rows, &stage[0]);
  if (i <= rows) sizes[i] = i < rows ? source.length : 0;
}

// The sizes of rows of less than 2^32 bytes, and a 0 after the last.
static __global__ void widened_sizes(const uint32_t *sizes, int64_t *out, int64_t rows) {
  int64_t row = thread_index();
  if (row <= rows) out[row] = static_cast<int64_t>(sizes[row]);
}

// Offsets of 64 bits from those.
inline cudaError_t widened(const Alloc &alloc, const uint32_t *sizes, int64_t *out, int64_t rows, cudaStream_t stream) {
  CN_TRY(launch(widened_sizes, blocks_for(rows + 1, kThreads), kThreads, 0, stream, sizes, out, rows));
  return prim::exclusive_sum(alloc, out, out, rows + 1, stream);
}

// Offsets of 32 bits in place of the sizes.
static __global__ void __launch_bounds__(kThreads) offsets_of_sizes(SizedRows sized, int64_t rows) {
  place_of(sized, thread_index(), rows);
}

// Bytes of output that a block assembles in shared memory at a time.
constexpr int kStage = StringPolicy::kStage;
// Bytes of a row that one lane copies; the whole block copies rows with more.
constexpr int64_t kLaneBytes = StringPolicy::kLaneBytes;

// Copies `count` bytes to `stage` from position `to` on, which is at least 16: the aligned words `first`, `first + step`
// and so on of the source.
__device__ __forceinline__ void copy_part(const uint8_t *source, int count, CharRange range, uint8_t *stage, int to,
                                          int first, int step) {
  int skew = static_cast<int>(reinterpret_cast<uintptr_t>(source) & 15);
  const uint8_t *from = source - skew + 16 * first;
  // The bytes of a word before the row have positions too: from `to - 15` on.
  for (int at = to - skew + 16 * first; at < to + count; at += 16 * step, from += 16 * step) {
    uint4 word = load_words(from, range);
    uint32_t parts[4] = {word.x, word.y, word.z, word.w};
#pragma unroll
    for (int k = 0; k < 16; k++) {
      if (at + k >= to && at + k < to + count) stage[at + k] = static_cast<uint8_t>(parts[k / 4] >> (8 * (k % 4)));
    }
  }
}

// Writes the bytes from `low` up to `high` of the output, which are in `stage` from position 16 + low - chunk on: the words
// that they fill, and the bytes of the words that they share with others.
__device__ __forceinline__ void write_chunk(const uint4 *stage, int64_t chunk, int64_t low, int64_t high, uint8_t *chars) {
  const uint8_t *staged = reinterpret_cast<const uint8_t *>(stage);
  int thread = static_cast<int>(threadIdx.x);
  int64_t whole = (low + 15) & ~int64_t{15};
  for (int64_t at = whole + 16 * thread; at + 16 <= high; at += 16 * kThreads) {
    *reinterpret_cast<uint4 *>(chars + at) = stage[(at - chunk) / 16 + 1];
  }
  int64_t tail = high & ~int64_t{15};
  if (thread < 16) {
    int64_t at = chunk + thread;
    if (at >= low && at < whole && at < high) chars[at] = staged[at - chunk + 16];
  } else if (thread < 32) {
    int64_t at = tail + thread - 16;
    if (tail >= whole && at < high) chars[at] = staged[at - chunk + 16];
  }
}

// Short rows, a thread each: offsets in place of the sizes, and the bytes. Two neighbouring lanes read the words of a row,
// so that those in one sector are one request.
template <class Row>
__global__ void __launch_bounds__(kThreads)
    copy_short_rows(Row row, Starts starts, SizedRows sized, uint8_t *chars, int64_t rows) {
  SHARED(stage, uint4[kStage / 16 + 1]);
  SHARED(places, uint32_t[kThreads + 1]);
  SHARED(long_rows, int[kThreads]);
  SHARED(long_count, int);
  uint8_t *staged = reinterpret_cast<uint8_t *>(&stage[0]);
  int thread = static_cast<int>(threadIdx.x), lane = thread % 32;
  int64_t first = static_cast<int64_t>(blockIdx.x) * kThreads, mine = first + thread;
  RowPlace mine_at = place_of(sized, mine, rows);
  int64_t to = mine_at.start, until = mine_at.end;
  places[thread] = static_cast<uint32_t>(to);
  if (thread == kThreads - 1) places[kThreads] = static_cast<uint32_t>(until);
  __syncthreads();
  int64_t begin = places[0], end = places[kThreads];
  const uint8_t *from = to < until ? starts.at<Row>(mine) : nullptr;
  for (int64_t chunk = begin & ~int64_t{15}; chunk < end; chunk += kStage) {
    if (thread == 0) long_count = 0;
    __syncthreads();
    int64_t low = chunk > begin ? chunk : begin;
    int64_t high = chunk + kStage < end ? chunk + kStage : end;
    int64_t part = to > low ? to : low;
    int64_t part_end = until < high ? until : high;
    int count = 0;
    if (part_end - part > kLaneBytes) long_rows[atomicAdd(&long_count, 1)] = thread;
    else if (part < part_end) count = static_cast<int>(part_end - part);
    int place = static_cast<int>(part - chunk) + 16;
    int64_t source = static_cast<int64_t>(reinterpret_cast<uintptr_t>(from + (count > 0 ? part - to : 0)));
#pragma unroll
    for (int half = 0; half < 2; half++) {
      int owner = 16 * half + lane / 2;
      int of_owner = __shfl_sync(0xffffffffu, count, owner);
      int place_of_owner = __shfl_sync(0xffffffffu, place, owner);
      const uint8_t *text = reinterpret_cast<const uint8_t *>(__shfl_sync(0xffffffffu, source, owner));
      if (of_owner > 0) copy_part(text, of_owner, row.range(text), staged, place_of_owner, lane % 2, 2);
    }
    __syncthreads();
    for (int k = 0; k < long_count; k++) {
      int at = long_rows[k];
      int64_t start = static_cast<int64_t>(places[at]), stop = static_cast<int64_t>(places[at + 1]);
      int64_t from_here = start > low ? start : low, to_here = stop < high ? stop : high;
      const uint8_t *text = starts.at<Row>(first + at);
      copy_part(text + (from_here - start), static_cast<int>(to_here - from_here), row.range(text), staged,
                static_cast<int>(from_here - chunk) + 16, thread, kThreads);
    }
    __syncthreads();
    write_chunk(&stage[0], chunk, low, high, chars);
    __syncthreads();
  }
}

// `lanes` neighbouring threads a row read its aligned words of 16 bytes and put the bytes where they belong in shared
// memory, from where the block writes aligned words.
template <class Row, class Offset>
__global__ void __launch_bounds__(kThreads)
    copy_rows(Row row, Starts starts, const Offset *offsets, uint8_t *chars, int lanes, int64_t rows) {
  SHARED(stage, uint4[kStage / 16 + 1]);
  SHARED(long_rows, int[kThreads]);
  SHARED(long_count, int);
  uint8_t *staged = reinterpret_cast<uint8_t *>(&stage[0]);
  int thread = static_cast<int>(threadIdx.x);
  int64_t first = static_cast<int64_t>(blockIdx.x) * (kThreads / lanes);
  int64_t last = first + kThreads / lanes < rows ? first + kThreads / lanes : rows;
  int64_t begin = static_cast<int64_t>(offsets[first]), end = static_cast<int64_t>(offsets[last]);
  int64_t mine = first + thread / lanes;
  int64_t to = 0, until = 0;
  const uint8_t *from = nullptr;
  // Where a row ends is where the next lane's begins.
  to = static_cast<int64_t>(offsets[mine < last ? mine : last]);
  until = __shfl_down_sync(0xffffffffu, to, static_cast<unsigned>(lanes % 32));
  if (thread % 32 >= 32 - lanes) until = static_cast<int64_t>(offsets[mine < last ? mine + 1 : last]);
  if (to < until) from = starts.at<Row>(mine);
  for (int64_t chunk = begin & ~int64_t{15}; chunk < end; chunk += kStage) {
    if (thread == 0) long_count = 0;
    __syncthreads();
    int64_t low = chunk > begin ? chunk : begin;
    int64_t high = chunk + kStage < end ? chunk + kStage : end;
    int64_t part = to > low ? to : low;
    int64_t part_end = until < high ? until : high;
    if (part_end - part > kLaneBytes * lanes) {
      if (thread % lanes == 0) long_rows[atomicAdd(&long_count, 1)] = thread / lanes;
    } else if (part < part_end) {
      copy_part(from + (part - to), static_cast<int>(part_end - part), row.range(from), staged,
                static_cast<int>(part - chunk) + 16, thread % lanes, lanes);
    }
    __syncthreads();
    for (int k = 0; k < long_count; k++) {
      int64_t at = first + long_rows[k];
      int64_t start = static_cast<int64_t>(offsets[at]), stop = static_cast<int64_t>(offsets[at + 1]);
      int64_t from_here = start > low ? start : low, to_here = stop < high ? stop : high;
      const uint8_t *bytes = starts.at<Row>(at);
      copy_part(bytes + (from_here - start), static_cast<int>(to_here - from_here), row.range(bytes),
                staged, static_cast<int>(from_here - chunk) + 16, thread, kThreads);
    }
    __syncthreads();
    write_chunk(&stage[0], chunk, low, high, chars);
    __syncthreads();
  }
}

// Threads of a row of `bytes` of all rows.
inline int lanes_for(int64_t bytes, int64_t rows) {
  int lanes = 1;
  while (lanes < 32 && 32 * lanes * rows < bytes) lanes *= 2;
  return lanes;
}

// The bytes of rows at offsets.
template <class Row, class Offset>
cudaError_t copy_chars(Row row, Starts starts, const Offset *offsets, uint8_t *chars, int64_t bytes, int64_t rows,
                       cudaStream_t stream) {
  int lanes = lanes_for(bytes, rows);
  return launch(copy_rows<Row, Offset>, blocks_for(rows, kThreads / lanes), kThreads, 0, stream, row, starts, offsets,
                chars, lanes, rows);
}

// The bytes of rows of known sizes, and offsets in place of the sizes, for less than 2^31 bytes.
template <class Row>
cudaError_t place_chars(Row row, Starts starts, const SizedRows &sized, uint8_t *chars, int64_t bytes, int64_t rows,
                        cudaStream_t stream) {
  unsigned blocks = sized.bytes.blocks;
  if (lanes_for(bytes, rows) == 1) {
    return launch(copy_short_rows<Row>, blocks, kThreads, 0, stream, row, starts, sized, chars, rows);
  }
  CN_TRY(launch(offsets_of_sizes, blocks, kThreads, 0, stream, sized, rows));
  return copy_chars(row, starts, static_cast<const uint32_t *>(sized.sizes), chars, bytes, rows, stream);
}

}  // namespace strings_detail

// The outputs of a string column: bytes, mask (not written here), offsets of 4 bytes, or of 8 from 2^31 bytes
// of characters.
constexpr int32_t kCharsSlot = 0;
constexpr int32_t kStringMaskSlot = 1;
constexpr int32_t kOffsetsSlot = 2;
// Outputs of a column of any type, where an entry makes several: column c has the slots from c * kColumnSlots on.
constexpr int32_t kColumnSlots = 3;

// Builds the column whose row i is row(i), a __device__ functor that returns a StringRow, in the outputs from
// `first_slot` on; the functor's `range` returns the readable bytes around a row, and its `only_source` the column of all
// rows, or null where its `kOneSource` is false. If its `kStages` is true, it has staged(i, stage) in place of row(i), which
// every lane of a warp calls, with a warp's memory for staged_row. Sizes and starts in one pass, a scan of the bytes of
// blocks, one synchronisation for the total, and the offsets and bytes. Sets `bytes` to the total size.
template <class Row>
cudaError_t build_strings(const Alloc &alloc, Row row, int64_t rows, int64_t *bytes, cudaStream_t stream,
                          int32_t first_slot = 0) {
  using namespace strings_detail;
  SizedRows sized{};
  Starts starts{};
  bool is_given = sized.create(alloc, alloc.output<uint32_t>(first_slot + kOffsetsSlot, rows + 1), true, rows, 0);
  if (!is_given || !starts.create(alloc, row.only_source(), rows)) return cudaErrorMemoryAllocation;
  CN_TRY(launch(measure_rows<Row>, sized.bytes.blocks, kThreads, 0, stream, row, starts, sized, rows));
  CN_TRY(sized.bytes.add_up(alloc, stream));
  CN_TRY(alloc.read(static_cast<const int64_t *>(sized.bytes.total()), bytes, 1, stream));
  if (*bytes == 0) return cudaSuccess;
  uint8_t *chars = alloc.output<uint8_t>(first_slot + kCharsSlot, *bytes);
  if (chars == nullptr) return cudaErrorMemoryAllocation;
  if (*bytes <= INT32_MAX && !small_limits(alloc)) {
    return place_chars(row, starts, sized, chars, *bytes, rows, stream);
  }
  int64_t *wide = alloc.output<int64_t>(first_slot + kOffsetsSlot, rows + 1);
  if (wide == nullptr) return cudaErrorMemoryAllocation;
  CN_TRY(launch(long_sizes<Row>, blocks_for(rows + 1, kThreads), kThreads, 0, stream, row, wide, rows));
  CN_TRY(prim::exclusive_sum(alloc, wide, wide, rows + 1, stream));
  return copy_chars(row, starts, static_cast<const int64_t *>(wide), chars, *bytes,
                    rows, stream);
}

}  // namespace CN_BUILD
