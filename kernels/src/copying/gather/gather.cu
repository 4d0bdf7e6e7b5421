// Gather: one thread per row moves its value of one column after another, so that the row map is read once for all
// columns; a warp packs bits and masks by a vote and writes one word. Moves 4 + 2 w bytes per row plus a bit of each
// mask, padding included. Strings take a scan of the sizes and one synchronisation (strings.cuh). No atomics;
// deterministic.
#include "gather.abi.h"
#include "strings.cuh"
#include "targets.cuh"
#include "vectors.cuh"

#include <vector>

namespace CN_BUILD {
namespace {

template <class Map>
__global__ void gather_columns(const Map *__restrict__ map, Targets targets, int64_t rows) {
  int64_t i = thread_index();
  Map row = i < rows ? map[i] : static_cast<Map>(-1);
  bool exists = row != static_cast<Map>(-1);
  for (int32_t c = 0; c < targets.count; c++) {
    const Target &target = targets.of[c];
    int64_t from = target.offset + static_cast<int64_t>(row);
    if (target.bits == 1) {
      const uint8_t *bits = static_cast<const uint8_t *>(target.source);
      store_bit(static_cast<uint32_t *>(target.out), i, rows, exists && (bits == nullptr || get_bit(bits, from)));
    } else if (i < rows) {
      with_width(target.bits, [&](auto value) {
        if (exists) value = static_cast<const decltype(value) *>(target.source)[from];
        static_cast<decltype(value) *>(target.out)[i] = value;
      });
    }
    if (blockIdx.x == 0) {
      store_padding(target.out, target.bits == 1 ? words_for(rows) * 4 : rows * (target.bits / 8));
    }
  }
}

// A row far from those of other threads: both offsets in one load, where an aligned word of 16 bytes has them.
__device__ __forceinline__ StringRow far_row(const ColumnDesc &column, int64_t row) {
  const uint8_t *first = static_cast<const uint8_t *>(column.offsets);
  const uint8_t *at = first + (column.offset + row) * column.offset_width;
  int place = static_cast<int>(reinterpret_cast<uintptr_t>(at) & 15) / 4;
  const uint8_t *word = at - 4 * place;
  const uint8_t *end = first + (column.offset + column.rows + 1) * column.offset_width;
  if (place == 3 || word < first || word + 16 > end || (column.offset_width == 8 && place != 0)) {
    return string_row(column, row);
  }
  const uint8_t *chars = static_cast<const uint8_t *>(column.data);
  uint4 words = load_aligned<uint4>(word);
  if (column.offset_width == 8) {
    int64_t start = static_cast<int64_t>(uint64_t{words.y} << 32 | words.x);
    return {chars + start, static_cast<int64_t>(uint64_t{words.w} << 32 | words.z) - start};
  }
  uint32_t start = place == 0 ? words.x : place == 1 ? words.y : words.z;
  uint32_t stop = place == 0 ? words.y : place == 1 ? words.z : words.w;
  return {chars + start, static_cast<int64_t>(stop) - static_cast<int64_t>(start)};
}

template <class Map>
struct MappedStrings {
  ColumnDesc source;
  const Map *map;
  static constexpr bool kOneSource = true;
  static constexpr bool kStages = false;
  __device__ StringRow operator()(int64_t i) const {
    Map row = map[i];
    if (row == static_cast<Map>(-1)) return {nullptr, 0};
    return far_row(source, static_cast<int64_t>(row));
  }
  __device__ CharRange range(const uint8_t *) const { return char_range(source); }
  const ColumnDesc *only_source() const { return &source; }
};

template <class Map>
cudaError_t gather_with(const GatherArgs &args, cudaStream_t stream) {
  const Map *map = static_cast<const Map *>(args.map);
  std::vector<Target> targets;
  auto add = [&](int32_t slot, const void *source, int64_t offset, int32_t bits) {
    Target target{source, output_of(args.alloc, slot, bits, args.rows), offset, bits};
    targets.push_back(target);
    return target.out != nullptr;
  };
  for (int32_t c = 0; c < args.column_count; c++) {
    const ColumnDesc &column = args.columns[c];
    int32_t first = c * kColumnSlots;
    if (column.storage == STRING) {
      MappedStrings<Map> rows{column, map};
      CN_TRY(build_strings(args.alloc, rows, args.rows, args.string_bytes + c, stream, first));
    } else if (!add(first, column.data, column.offset, storage_bits(column.storage))) {
      return cudaErrorMemoryAllocation;
    }
    bool masked = args.map_nulls || column.validity != nullptr;
    if (masked && !add(first + 1, column.validity, column.offset, 1)) return cudaErrorMemoryAllocation;
  }
  if (args.rows == 0) return cudaSuccess;
  return for_each_launch(targets.data(), targets.size(), [&](const Targets &some) {
    return launch(gather_columns<Map>, blocks_for(args.rows, kThreads), kThreads, 0, stream, map, some, args.rows);
  });
}

}  // namespace

ENTRY(gather)(const GatherArgs *args, cudaStream_t stream) {
  return args->map_width == 4 ? gather_with<uint32_t>(*args, stream) : gather_with<uint64_t>(*args, stream);
}

}  // namespace CN_BUILD
