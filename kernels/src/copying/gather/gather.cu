// Gather: one thread per row for data of whole bytes; one thread per output byte of eight rows for bits and
// masks, so that no two threads write the same byte. Moves 4 + w + w bytes per row plus a bit of each mask.
// Strings take a scan of the sizes and one synchronisation (strings.cuh). No atomics; deterministic.
#include "gather.abi.h"
#include "column.cuh"
#include "strings.cuh"

namespace CN_BUILD {
namespace {

template <class Map, class T>
__global__ void gather_values(const T *source, int64_t offset, const Map *map, T *out, int64_t rows) {
  int64_t i = thread_index();
  if (i >= rows) return;
  Map row = map[i];
  out[i] = row == static_cast<Map>(-1) ? T{} : source[offset + static_cast<int64_t>(row)];
}

// Eight rows per thread. `bits` null: every row that the map refers to is valid.
template <class Map>
__global__ void gather_bits(const uint8_t *bits, int64_t offset, const Map *map, uint8_t *out, int64_t rows) {
  int64_t byte = thread_index();
  if (byte >= (rows + 7) / 8) return;
  uint8_t packed = 0;
  for (int k = 0; k < 8; k++) {
    int64_t i = byte * 8 + k;
    if (i >= rows) break;
    Map row = map[i];
    bool set = row != static_cast<Map>(-1) && (bits == nullptr || get_bit(bits, offset + static_cast<int64_t>(row)));
    packed |= static_cast<uint8_t>(set << k);
  }
  out[byte] = packed;
}

template <class Map>
cudaError_t bits_out(const GatherArgs &args, const void *bits, int32_t slot, cudaStream_t stream) {
  int64_t bytes = (args.rows + 7) / 8;
  uint8_t *out = args.alloc.output<uint8_t>(slot, bytes);
  if (out == nullptr) return cudaErrorMemoryAllocation;
  if (bytes == 0) return cudaSuccess;
  return launch(gather_bits<Map>, blocks_for(bytes, kThreads), kThreads, 0, stream, static_cast<const uint8_t *>(bits),
                args.source.offset, static_cast<const Map *>(args.map), out, args.rows);
}

template <class Map, class T>
cudaError_t values_out(const GatherArgs &args, cudaStream_t stream) {
  T *out = args.alloc.output<T>(0, args.rows);
  if (out == nullptr) return cudaErrorMemoryAllocation;
  if (args.rows == 0) return cudaSuccess;
  return launch(gather_values<Map, T>, blocks_for(args.rows, kThreads), kThreads, 0, stream,
                static_cast<const T *>(args.source.data), args.source.offset, static_cast<const Map *>(args.map), out,
                args.rows);
}

template <class Map>
struct MappedStrings {
  ColumnDesc source;
  const Map *map;
  __device__ StringRow operator()(int64_t i) const {
    Map row = map[i];
    if (row == static_cast<Map>(-1)) return {nullptr, 0};
    return string_row(source, static_cast<int64_t>(row));
  }
};

template <class Map>
cudaError_t gather_column(const GatherArgs &args, cudaStream_t stream) {
  switch (storage_bits(args.source.storage)) {
    case 1: CN_TRY(bits_out<Map>(args, args.source.data, 0, stream)); break;
    case 8: CN_TRY((values_out<Map, uint8_t>(args, stream))); break;
    case 16: CN_TRY((values_out<Map, uint16_t>(args, stream))); break;
    case 32: CN_TRY((values_out<Map, uint32_t>(args, stream))); break;
    case 64: CN_TRY((values_out<Map, uint64_t>(args, stream))); break;
    case 128: CN_TRY((values_out<Map, uint4>(args, stream))); break;
    default: {
      MappedStrings<Map> rows{args.source, static_cast<const Map *>(args.map)};
      CN_TRY(build_strings(args.alloc, rows, args.rows, args.string_bytes, stream));
    }
  }
  return args.masked ? bits_out<Map>(args, args.source.validity, 1, stream) : cudaSuccess;
}

}  // namespace

ENTRY(gather)(const GatherArgs *args, cudaStream_t stream) {
  return args->map_width == 4 ? gather_column<uint32_t>(*args, stream) : gather_column<uint64_t>(*args, stream);
}

}  // namespace CN_BUILD
