// Scatter. find_origins: one thread per source row marks its target row; of several source rows the last one
// wins by an atomic maximum, in any order of the threads. merge_*: one thread per target row (per byte of
// eight rows for bits and masks) takes its source row or keeps the target's. Moves 8 bytes of marks per row
// besides the data. permute: one thread per row of a map that has each row once writes its value where it belongs, and
// clears the bit of a null in a mask of ones. Deterministic.
#include "scatter.abi.h"
#include "bits.cuh"
#include "strings.cuh"

namespace CN_BUILD {
namespace {

// The source row plus one; 0: the target row is unchanged.
using Origin = unsigned long long;

template <class Map>
__global__ void find_origins(const Map *map, Origin *origins, int64_t rows) {
  int64_t i = thread_index();
  if (i >= rows || map[i] == static_cast<Map>(-1)) return;
  atomicMax(origins + map[i], static_cast<Origin>(i) + 1);
}

template <class T>
__global__ void merge_values(ColumnDesc source, ColumnDesc target, const Origin *origins, T *out) {
  int64_t row = thread_index();
  if (row >= target.rows) return;
  Origin origin = origins[row];
  out[row] = origin == 0 ? target.at<T>(row) : source.at<T>(static_cast<int64_t>(origin) - 1);
}

// A null bitmask is all ones.
__global__ void merge_bits(const uint8_t *source, int64_t source_offset, const uint8_t *target, int64_t target_offset,
                           const Origin *origins, uint8_t *out, int64_t rows) {
  int64_t byte = thread_index();
  if (byte * 8 >= rows) return;
  uint8_t packed = 0;
  for (int k = 0; k < 8 && byte * 8 + k < rows; k++) {
    int64_t row = byte * 8 + k;
    Origin origin = origins[row];
    bool set = origin == 0 ? target == nullptr || get_bit(target, target_offset + row)
                           : source == nullptr || get_bit(source, source_offset + static_cast<int64_t>(origin) - 1);
    packed |= static_cast<uint8_t>(set << k);
  }
  out[byte] = packed;
}

struct MergedStrings {
  ColumnDesc source;
  ColumnDesc target;
  const Origin *origins;
  static constexpr bool kOneSource = false;
  static constexpr bool kStages = false;
  __device__ StringRow operator()(int64_t row) const {
    Origin origin = origins[row];
    return origin == 0 ? string_row(target, row) : string_row(source, static_cast<int64_t>(origin) - 1);
  }
  __device__ CharRange range(const uint8_t *bytes) const { return range_of(bytes, source, target); }
  const ColumnDesc *only_source() const { return nullptr; }
};

template <class T>
cudaError_t values_out(const ScatterArgs &args, const Origin *origins, cudaStream_t stream) {
  int64_t rows = args.target.rows;
  T *out = args.alloc.output<T>(0, rows);
  if (out == nullptr) return cudaErrorMemoryAllocation;
  if (rows == 0) return cudaSuccess;
  return launch(merge_values<T>, blocks_for(rows, kThreads), kThreads, 0, stream, args.source, args.target, origins,
                out);
}

cudaError_t bits_out(const ScatterArgs &args, const void *source, const void *target, const Origin *origins,
                     int32_t slot, cudaStream_t stream) {
  int64_t rows = args.target.rows;
  int64_t bytes = (rows + 7) / 8;
  uint8_t *out = args.alloc.output<uint8_t>(slot, bytes);
  if (out == nullptr) return cudaErrorMemoryAllocation;
  if (rows == 0) return cudaSuccess;
  return launch(merge_bits, blocks_for(bytes, kThreads), kThreads, 0, stream, static_cast<const uint8_t *>(source),
                args.source.offset, static_cast<const uint8_t *>(target), args.target.offset, origins, out, rows);
}

template <class Map>
cudaError_t origins_of(const ScatterArgs &args, Origin *origins, cudaStream_t stream) {
  int64_t rows = args.source.rows;
  CN_TRY(cudaMemsetAsync(origins, 0, static_cast<size_t>(args.target.rows) * sizeof(Origin), stream));
  if (rows == 0) return cudaSuccess;
  return launch(find_origins<Map>, blocks_for(rows, kThreads), kThreads, 0, stream,
                static_cast<const Map *>(args.map), origins, rows);
}

template <class Map, class T>
__global__ void place_values(ColumnDesc source, const Map *map, T *out) {
  int64_t row = thread_index();
  if (row < source.rows) out[map[row]] = source.at<T>(row);
}

// `out` is all ones.
template <class Map>
__global__ void clear_nulls(ColumnDesc source, const Map *map, uint32_t *out) {
  int64_t row = thread_index();
  if (row == 0 && source.rows % 32 != 0) atomicAnd(&out[source.rows / 32], (1u << (source.rows % 32)) - 1);
  if (row >= source.rows || source.valid(row)) return;
  int64_t target = static_cast<int64_t>(map[row]);
  atomicAnd(&out[target / 32], ~(1u << (target % 32)));
}

template <class Map, class T>
cudaError_t place(const PermuteArgs &args, cudaStream_t stream) {
  int64_t rows = args.source.rows;
  const Map *map = static_cast<const Map *>(args.map);
  T *out = args.alloc.output<T>(0, rows);
  if (out == nullptr) return cudaErrorMemoryAllocation;
  uint32_t *valid = nullptr;
  if (args.source.validity != nullptr) {
    valid = args.alloc.output<uint32_t>(1, words_for(rows));
    if (valid == nullptr) return cudaErrorMemoryAllocation;
  }
  if (rows == 0) return cudaSuccess;
  unsigned blocks = blocks_for(rows, kThreads);
  CN_TRY(launch(place_values<Map, T>, blocks, kThreads, 0, stream, args.source, map, out));
  if (valid == nullptr) return cudaSuccess;
  CN_TRY(cudaMemsetAsync(valid, 0xff, static_cast<size_t>(words_for(rows)) * sizeof(uint32_t), stream));
  return launch(clear_nulls<Map>, blocks, kThreads, 0, stream, args.source, map, valid);
}

template <class T>
cudaError_t place_by(const PermuteArgs &args, cudaStream_t stream) {
  return args.map_width == 4 ? place<uint32_t, T>(args, stream) : place<uint64_t, T>(args, stream);
}

}  // namespace

ENTRY(permute)(const PermuteArgs *args, cudaStream_t stream) {
  switch (storage_bits(args->source.storage)) {
    case 8: return place_by<uint8_t>(*args, stream);
    case 16: return place_by<uint16_t>(*args, stream);
    case 32: return place_by<uint32_t>(*args, stream);
    case 64: return place_by<uint64_t>(*args, stream);
    case 128: return place_by<uint4>(*args, stream);
    default: return cudaErrorInvalidValue;
  }
}

ENTRY(scatter)(const ScatterArgs *args, cudaStream_t stream) {
  const ColumnDesc &source = args->source;
  const ColumnDesc &target = args->target;
  Origin *origins = args->alloc.scratch<Origin>(target.rows);
  if (origins == nullptr) return cudaErrorMemoryAllocation;
  if (target.rows > 0) {
    CN_TRY(args->map_width == 4 ? origins_of<uint32_t>(*args, origins, stream)
                                : origins_of<uint64_t>(*args, origins, stream));
  }
  switch (storage_bits(target.storage)) {
    case 1: CN_TRY(bits_out(*args, source.data, target.data, origins, 0, stream)); break;
    case 8: CN_TRY(values_out<uint8_t>(*args, origins, stream)); break;
    case 16: CN_TRY(values_out<uint16_t>(*args, origins, stream)); break;
    case 32: CN_TRY(values_out<uint32_t>(*args, origins, stream)); break;
    case 64: CN_TRY(values_out<uint64_t>(*args, origins, stream)); break;
    case 128: CN_TRY(values_out<uint4>(*args, origins, stream)); break;
    default: {
      MergedStrings rows{source, target, origins};
      CN_TRY(build_strings(args->alloc, rows, target.rows, args->string_bytes, stream));
    }
  }
  if (source.validity == nullptr && target.validity == nullptr) return cudaSuccess;
  return bits_out(*args, source.validity, target.validity, origins, 1, stream);
}

}  // namespace CN_BUILD
