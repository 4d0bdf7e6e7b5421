// Filter. A word is 32 rows of the selection, and the work of one warp.
//   count_kept   one thread per word: the kept bits and their number; a scan of the numbers gives each word's place
//   compact_*    one thread per row, kWords words per warp so that several loads are in flight; threads of dropped
//                rows do nothing, and words without a kept row read no column
//   pack_flags   bits and masks are compacted as bytes, then packed eight per thread: one thread writes each byte
// Reads n/8 bytes of selection and w bytes of each kept row (32-byte sectors), writes w bytes of each kept row;
// n/4 bytes of scratch memory. No atomics; deterministic. One synchronisation, for the number of kept rows.
#include "filter.abi.h"
#include "bits.cuh"
#include "column.cuh"
#include "primitives.cuh"

namespace CN_BUILD {
namespace {

constexpr int kWarps = kThreads / 32;
// Words per warp.
constexpr int kWords = 4;

struct Selection {
  const uint32_t *words;
  // The number of kept rows before each word.
  const int64_t *starts;
  int64_t rows;
};

__global__ void count_kept(const uint8_t *keep, int64_t keep_offset, const uint8_t *validity, int64_t validity_offset,
                           int64_t rows, uint32_t *words, int64_t *counts) {
  int64_t word = thread_index();
  // One count more than words, so that the last element of the scan is the total.
  if (word > words_for(rows)) return;
  int count = bits_in_word(word, rows);
  uint32_t bits = count == 0 ? 0 : load_bits(keep, keep_offset + word * 32, count);
  if (validity != nullptr && bits != 0) bits &= load_bits(validity, validity_offset + word * 32, count);
  words[word] = bits;
  counts[word] = __popc(bits);
}

// Calls use(row, place) for the kept rows of this thread.
template <class Use>
__device__ __forceinline__ void for_each_kept(const Selection &selection, Use use) {
  int lane = threadIdx.x % 32;
  int64_t first = static_cast<int64_t>(blockIdx.x) * kWarps * kWords + threadIdx.x / 32;
#pragma unroll
  for (int k = 0; k < kWords; k++) {
    int64_t word = first + k * kWarps;
    if (word >= words_for(selection.rows)) return;
    uint32_t bits = selection.words[word];
    if ((bits >> lane & 1) == 0) continue;
    use(word * 32 + lane, selection.starts[word] + __popc(bits & ((1u << lane) - 1)));
  }
}

template <class T>
__global__ void compact_values(Selection selection, const T *__restrict__ source, int64_t offset,
                               T *__restrict__ out) {
  for_each_kept(selection, [=](int64_t row, int64_t place) { out[place] = source[offset + row]; });
}

template <class Map>
__global__ void compact_rows(Selection selection, Map *out) {
  for_each_kept(selection, [=](int64_t row, int64_t place) { out[place] = static_cast<Map>(row); });
}

__global__ void compact_flags(Selection selection, const uint8_t *bits, int64_t offset, uint8_t *flags) {
  for_each_kept(selection, [=](int64_t row, int64_t place) { flags[place] = get_bit(bits, offset + row); });
}

__global__ void pack_flags(const uint8_t *flags, uint8_t *out, int64_t rows) {
  int64_t byte = thread_index();
  if (byte * 8 >= rows) return;
  uint8_t packed = 0;
  for (int k = 0; k < 8 && byte * 8 + k < rows; k++) packed |= static_cast<uint8_t>(flags[byte * 8 + k] << k);
  out[byte] = packed;
}

unsigned blocks_of(const Selection &selection) { return blocks_for(words_for(selection.rows), kWarps * kWords); }

template <class T>
cudaError_t values_out(const FilterArgs &args, const Selection &selection, int column, int64_t kept,
                       cudaStream_t stream) {
  const ColumnDesc &source = args.columns[column];
  T *out = args.alloc.output<T>(2 * column, kept);
  if (out == nullptr) return cudaErrorMemoryAllocation;
  return launch(compact_values<T>, blocks_of(selection), kThreads, 0, stream, selection,
                static_cast<const T *>(source.data), source.offset, out);
}

cudaError_t bits_out(const FilterArgs &args, const Selection &selection, const void *bits, int64_t offset, int slot,
                     int64_t kept, cudaStream_t stream) {
  uint8_t *flags = args.alloc.scratch<uint8_t>(kept);
  uint8_t *out = args.alloc.output<uint8_t>(slot, (kept + 7) / 8);
  if (flags == nullptr || out == nullptr) return cudaErrorMemoryAllocation;
  CN_TRY(launch(compact_flags, blocks_of(selection), kThreads, 0, stream, selection,
                static_cast<const uint8_t *>(bits), offset, flags));
  return launch(pack_flags, blocks_for((kept + 7) / 8, kThreads), kThreads, 0, stream, flags, out, kept);
}

template <class Map>
cudaError_t map_out(const FilterArgs &args, const Selection &selection, int64_t kept, cudaStream_t stream) {
  Map *out = args.alloc.output<Map>(2 * args.column_count, kept);
  if (out == nullptr) return cudaErrorMemoryAllocation;
  return launch(compact_rows<Map>, blocks_of(selection), kThreads, 0, stream, selection, out);
}

cudaError_t column_out(const FilterArgs &args, const Selection &selection, int column, int64_t kept,
                       cudaStream_t stream) {
  const ColumnDesc &source = args.columns[column];
  switch (storage_bits(source.storage)) {
    case 1: CN_TRY(bits_out(args, selection, source.data, source.offset, 2 * column, kept, stream)); break;
    case 8: CN_TRY(values_out<uint8_t>(args, selection, column, kept, stream)); break;
    case 16: CN_TRY(values_out<uint16_t>(args, selection, column, kept, stream)); break;
    case 32: CN_TRY(values_out<uint32_t>(args, selection, column, kept, stream)); break;
    case 64: CN_TRY(values_out<uint64_t>(args, selection, column, kept, stream)); break;
    case 128: CN_TRY(values_out<uint4>(args, selection, column, kept, stream)); break;
    default: return cudaErrorInvalidValue;
  }
  if (source.validity == nullptr) return cudaSuccess;
  return bits_out(args, selection, source.validity, source.offset, 2 * column + 1, kept, stream);
}

}  // namespace

ENTRY(filter)(const FilterArgs *args, cudaStream_t stream) {
  *args->kept = 0;
  if (args->rows == 0) return cudaSuccess;
  int64_t words = words_for(args->rows);
  uint32_t *kept_words = args->alloc.scratch<uint32_t>(words + 1);
  int64_t *starts = args->alloc.scratch<int64_t>(words + 1);
  if (kept_words == nullptr || starts == nullptr) return cudaErrorMemoryAllocation;
  CN_TRY(launch(count_kept, blocks_for(words + 1, kThreads), kThreads, 0, stream,
                static_cast<const uint8_t *>(args->keep), args->keep_offset,
                static_cast<const uint8_t *>(args->validity), args->validity_offset, args->rows, kept_words, starts));
  CN_TRY(prim::exclusive_sum(args->alloc, starts, starts, words + 1, stream));
  CN_TRY(cudaMemcpyAsync(args->kept, starts + words, sizeof(int64_t), cudaMemcpyDeviceToHost, stream));
  CN_TRY(cudaStreamSynchronize(stream));
  int64_t kept = *args->kept;
  if (kept == 0) return cudaSuccess;
  Selection selection{kept_words, starts, args->rows};
  for (int column = 0; column < args->column_count; column++) {
    CN_TRY(column_out(*args, selection, column, kept, stream));
  }
  if (args->map_width == 0) return cudaSuccess;
  return args->map_width == 4 ? map_out<uint32_t>(*args, selection, kept, stream)
                              : map_out<uint64_t>(*args, selection, kept, stream);
}

}  // namespace CN_BUILD
