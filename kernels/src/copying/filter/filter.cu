// Filter. A tile is 1024 rows, 32 words of the selection.
//   count_kept   one warp per tile, one word per lane: the number of kept rows; a scan gives each tile's place
//   clear_bits   zeros the bits and masks of the result
//   compact      one block per tile lists its kept rows in shared memory, then moves them for one column after
//                another, neighbouring threads to neighbouring places; a tile without a kept row reads no column.
//                Bits are packed by warp votes; two tiles that share a word combine it by an atomic or
// Reads n/8 bytes of selection twice and the sectors of kept rows once, writes every row of the result once; 8 bytes
// of scratch memory a tile. Deterministic. One synchronisation, for the number of kept rows; at most 4 launches for
// up to TargetsPolicy::kMost values and masks.
#include "filter.abi.h"
#include "primitives.cuh"
#include "targets.cuh"

#include <vector>

namespace CN_BUILD {
namespace {

constexpr int kTileWords = FilterPolicy::kTileRows / 32;

struct Selection {
  const uint8_t *keep;
  // Null: all bits of `keep` are valid.
  const uint8_t *validity;
  int64_t keep_offset;
  int64_t validity_offset;
  int64_t rows;

  __device__ __forceinline__ uint32_t word(int64_t word) const {
    int count = bits_in_word(word, rows);
    if (count == 0) return 0;
    uint32_t bits = load_word(keep, keep_offset + word * 32, count, keep_offset + rows);
    if (validity != nullptr && bits != 0) {
      bits &= load_word(validity, validity_offset + word * 32, count, validity_offset + rows);
    }
    return bits;
  }
};

__global__ void count_kept(Selection selection, int64_t *counts, int64_t tiles) {
  int64_t tile = thread_index() / 32;
  // One count more than tiles, so that the last element of the scan is the total.
  if (tile > tiles) return;
  int count = __popc(selection.word(tile * kTileWords + threadIdx.x % 32));
  for (int step = 16; step > 0; step /= 2) count += __shfl_down_sync(0xffffffffu, count, step);
  if (threadIdx.x % 32 == 0) counts[tile] = count;
}

// The kept rows of a tile, relative to its first row.
struct KeptRows {
  const uint16_t *rows;
  int64_t first;
  // Where they are in the result.
  int64_t place;
  int count;
};

template <class T>
__device__ __forceinline__ void move_values(const KeptRows &kept, const Target &target) {
  const T *source = static_cast<const T *>(target.source);
  T *out = static_cast<T *>(target.out) + kept.place;
  // Warps store whole sectors.
  int skew = static_cast<int>(kept.place & 31);
  for (int i = static_cast<int>(threadIdx.x) - skew; i < kept.count; i += kThreads) {
    if (i >= 0) out[i] = source[target.offset + kept.first + kept.rows[i]];
  }
}

template <class T>
__device__ __forceinline__ void move_row_numbers(const KeptRows &kept, const Target &target) {
  T *out = static_cast<T *>(target.out) + kept.place;
  for (int i = static_cast<int>(threadIdx.x); i < kept.count; i += kThreads) {
    out[i] = static_cast<T>(kept.first + kept.rows[i]);
  }
}

// A warp makes whole words of the result.
__device__ __forceinline__ void move_bits(const KeptRows &kept, const Target &target) {
  const uint8_t *source = static_cast<const uint8_t *>(target.source);
  uint32_t *words = static_cast<uint32_t *>(target.out) + kept.place / 32;
  int skew = static_cast<int>(kept.place & 31);
  int lane = static_cast<int>(threadIdx.x) % 32;
  for (int i = static_cast<int>(threadIdx.x) - lane; i - skew < kept.count; i += kThreads) {
    int row = i - skew + lane;
    bool set = row >= 0 && row < kept.count && get_bit(source, target.offset + kept.first + kept.rows[row]);
    uint32_t word = __ballot_sync(0xffffffffu, set);
    if (lane != 0) continue;
    bool is_whole = i >= skew && i - skew + 32 <= kept.count;
    if (is_whole) words[i / 32] = word;
    else if (word != 0) atomicOr(words + i / 32, word);
  }
}

__global__ void compact(Selection selection, const int64_t *places, Targets targets, int64_t total) {
  SHARED(rows, uint16_t[FilterPolicy::kTileRows]);
  SHARED(words, uint32_t[kTileWords]);
  SHARED(starts, int32_t[kTileWords]);
  int64_t tile = blockIdx.x;
  int lane = static_cast<int>(threadIdx.x) % 32;
  int warp = static_cast<int>(threadIdx.x) / 32;
  int64_t place = places[tile];
  int count = static_cast<int>(places[tile + 1] - place);
  if (tile == 0) {
    for (int32_t c = 0; c < targets.count; c++) {
      const Target &target = targets.of[c];
      if (target.bits > 1) store_padding(target.out, total * (target.bits / 8));
    }
  }
  if (count == 0) return;
  if (warp == 0) {
    uint32_t word = selection.word(tile * kTileWords + lane);
    int before = __popc(word);
    int ones = before;
    for (int step = 1; step < 32; step *= 2) {
      int other = __shfl_up_sync(0xffffffffu, before, step);
      if (lane >= step) before += other;
    }
    words[lane] = word;
    starts[lane] = before - ones;
  }
  __syncthreads();
  for (int word = warp; word < kTileWords; word += kThreads / 32) {
    uint32_t bits = words[word];
    if ((bits >> lane & 1) == 0) continue;
    rows[starts[word] + __popc(bits & ((1u << lane) - 1))] = static_cast<uint16_t>(word * 32 + lane);
  }
  __syncthreads();
  KeptRows kept{rows, tile * FilterPolicy::kTileRows, place, count};
  for (int32_t c = 0; c < targets.count; c++) {
    const Target &target = targets.of[c];
    if (target.source == nullptr) {
      if (target.bits == 32) move_row_numbers<uint32_t>(kept, target);
      else move_row_numbers<uint64_t>(kept, target);
    } else if (target.bits == 1) {
      move_bits(kept, target);
    } else {
      with_width(target.bits, [&](auto value) { move_values<decltype(value)>(kept, target); });
    }
  }
}

// 16 bytes a thread, padding included.
__global__ void clear_bits(Targets targets, int64_t chunks) {
  int64_t chunk = thread_index();
  if (chunk >= chunks) return;
  for (int32_t c = 0; c < targets.count; c++) {
    if (targets.of[c].bits == 1) static_cast<uint4 *>(targets.of[c].out)[chunk] = uint4{};
  }
}

// The arrays of the result: values of column c at output 2c, masks at 2c + 1, the row map after them.
cudaError_t outputs_of(const FilterArgs &args, int64_t kept, std::vector<Target> &targets) {
  auto add = [&](int32_t slot, const void *source, int64_t offset, int32_t bits) {
    Target target{source, output_of(args.alloc, slot, bits, kept), offset, bits};
    targets.push_back(target);
    return target.out != nullptr;
  };
  for (int32_t c = 0; c < args.column_count; c++) {
    const ColumnDesc &column = args.columns[c];
    int bits = storage_bits(column.storage);
    if (bits == 0) return cudaErrorInvalidValue;
    if (!add(2 * c, column.data, column.offset, bits)) return cudaErrorMemoryAllocation;
    if (column.validity != nullptr && !add(2 * c + 1, column.validity, column.offset, 1)) {
      return cudaErrorMemoryAllocation;
    }
  }
  if (args.map_width != 0 && !add(2 * args.column_count, nullptr, 0, args.map_width * 8)) {
    return cudaErrorMemoryAllocation;
  }
  return cudaSuccess;
}

}  // namespace

ENTRY(filter)(const FilterArgs *args, cudaStream_t stream) {
  *args->kept = 0;
  if (args->rows == 0) return cudaSuccess;
  int64_t tiles = blocks_for(args->rows, FilterPolicy::kTileRows);
  int64_t *places = args->alloc.scratch<int64_t>(tiles + 1);
  if (places == nullptr) return cudaErrorMemoryAllocation;
  Selection selection{static_cast<const uint8_t *>(args->keep), static_cast<const uint8_t *>(args->validity),
                      args->keep_offset, args->validity_offset, args->rows};
  CN_TRY(launch(count_kept, blocks_for(tiles + 1, kThreads / 32), kThreads, 0, stream, selection, places, tiles));
  CN_TRY(prim::exclusive_sum(args->alloc, places, places, tiles + 1, stream));
  CN_TRY(args->alloc.read(places + tiles, args->kept, 1, stream));
  int64_t kept = *args->kept;
  if (kept == 0) return cudaSuccess;
  std::vector<Target> targets;
  CN_TRY(outputs_of(*args, kept, targets));
  return for_each_launch(targets.data(), targets.size(), [&](const Targets &some) -> cudaError_t {
    bool has_bits = false;
    for (int32_t c = 0; c < some.count; c++) has_bits |= some.of[c].bits == 1;
    if (has_bits) {
      int64_t chunks = ((kept + 7) / 8 + kPadding - 1) / kPadding * (kPadding / 16);
      CN_TRY(launch(clear_bits, blocks_for(chunks, kThreads), kThreads, 0, stream, some, chunks));
    }
    return launch(compact, static_cast<unsigned>(tiles), kThreads, 0, stream, selection, places, some, kept);
  });
}

}  // namespace CN_BUILD
