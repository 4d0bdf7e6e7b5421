// Values of groups by their order. Values are brought together by group with a stable radix sort of the groups of rows,
// which has few bits. A warp then selects in a group of few rows, whose values it holds in shared memory, bit by bit from
// the highest one that differs, until one value is left; a block selects in a group of more rows, in shared memory or
// where they are, by counts of a byte at a time. Groups of more rows than that, and values whose order is not that of
// their bits alone, end the work. Exact; atomics add and combine integers only.
#include "select.abi.h"
#include "primitives.cuh"
#include "value_words.cuh"

namespace CN_BUILD {
namespace {

constexpr int kBlockRows = SelectPolicy::kWarpRows * kThreads / 32;
constexpr int kWarps = kThreads / 32;
// In place of a storage type: words that are ordered already.
constexpr int32_t kOrdered = -1;

// Why the work ends: words on the device, then on the host.
struct Ends {
  uint32_t ambiguous;
  // Rows of the largest group.
  uint32_t most_rows;
};

// Whether a float32 is NaN or -0.0.
__device__ __forceinline__ bool is_ambiguous_float(const ColumnDesc &values, int64_t row) {
  if (values.storage != F32) return false;
  float value = values.at<float>(row);
  return value != value || values.at<uint32_t>(row) == 0x80000000u;
}

__global__ void words_of_rows(ColumnDesc values, uint64_t *words, Ends *ends) {
  int64_t row = thread_index();
  if (row >= values.rows) return;
  words[row] = ordered_word(values, row, 0);
  if (values.valid(row) && is_ambiguous_float(values, row)) atomicOr(&ends->ambiguous, 1u);
}

// The group of each value; nulls and rows of no group are in one after the last.
__global__ void groups_of_values(const uint32_t *ids, ColumnDesc values, uint32_t groups, uint32_t *out) {
  int64_t row = thread_index();
  if (row >= values.rows) return;
  uint32_t id = ids[row];
  out[row] = id < groups && values.valid(row) ? id : groups;
}

// Where each group begins among the sorted rows, and the end of the last.
__global__ void find_starts(const uint32_t *sorted, uint32_t groups, uint32_t *starts, int64_t rows) {
  int64_t row = thread_index();
  if (row > rows) return;
  // Groups without values begin where the next one does.
  auto group_at = [&](int64_t at) { return static_cast<int64_t>(sorted[at] < groups ? sorted[at] : groups); };
  int64_t before = row == 0 ? int64_t{-1} : group_at(row - 1);
  int64_t here = row == rows ? static_cast<int64_t>(groups) : group_at(row);
  for (int64_t group = before + 1; group <= here; group++) starts[group] = static_cast<uint32_t>(row);
}

struct Selection {
  // Values by group, as words or raw.
  const uint64_t *values;
  const uint32_t *starts;
  int32_t groups;
  // What `values` are: kOrdered or a storage type.
  int32_t kind;
  // Of the results.
  int32_t storage;
  int32_t count;
  // Groups of more rows end the work.
  uint32_t most_rows;
  ColumnDesc positions[SelectPolicy::kPositions];
  void *out[SelectPolicy::kPositions];
  uint32_t *valid[SelectPolicy::kPositions];
  Ends *ends;

  __device__ __forceinline__ Word word(int64_t at) const {
    Word raw = values[at];
    if (kind == F64) return (raw & kSign) != 0 ? ~raw : raw | kSign;
    return kind == I64 ? raw ^ kSign : raw;
  }
  // NaN, or -0.0.
  __device__ __forceinline__ bool is_ambiguous_word(Word word) const {
    return kind == F64 && (word == kSign - 1 || word > 0xfff0000000000000u || word < 0x000fffffffffffffu);
  }
  __device__ __forceinline__ void write(int k, int32_t group, Word value) const {
    store_ordered(value, storage, out[k], group);
    atomicOr(&valid[k][group / 32], 1u << (group % 32));
  }
};

__device__ __forceinline__ Word warp_and(Word word) {
  for (int step = 16; step > 0; step /= 2) word &= __shfl_xor_sync(0xffffffffu, word, step);
  return word;
}

// The word at `position` of the `count` sorted ones; every lane of the warp must call this.
__device__ __forceinline__ Word warp_nth(const Word *words, int count, int position) {
  int lane = static_cast<int>(threadIdx.x) % 32;
  Word all = ~Word{0}, none = ~Word{0};
  for (int at = lane; at < count; at += 32) {
    all &= words[at];
    none &= ~words[at];
  }
  all = warp_and(all);
  none = warp_and(none);
  Word varying = ~(all | none);
  int bit = varying == 0 ? -1 : 63 - __clzll(static_cast<long long>(varying));
  // Bits above `bit` are those of the wanted word, which is one of `left`.
  Word prefix = all;
  int left = count;
  for (; bit >= 0 && left > 1; bit--) {
    Word above = bit == 63 ? 0 : ~Word{0} << (bit + 1);
    int zeros = 0;
    for (int first = 0; first < count; first += 32) {
      int at = first + lane;
      bool is_zero = at < count && ((words[at] ^ prefix) & above) == 0 && (words[at] >> bit & 1) == 0;
      zeros += __popc(__ballot_sync(0xffffffffu, is_zero));
    }
    if (position < zeros) {
      prefix &= ~(Word{1} << bit);
      left = zeros;
    } else {
      position -= zeros;
      prefix |= Word{1} << bit;
      left -= zeros;
    }
  }
  // The one that is left has other bits below.
  Word above = bit == 63 ? 0 : ~Word{0} << (bit + 1);
  Word found = ~Word{0};
  for (int at = lane; at < count; at += 32) {
    if (((words[at] ^ prefix) & above) == 0) found &= words[at];
  }
  return warp_and(found);
}

// The next word after `value`, which is at `position`.
__device__ __forceinline__ Word warp_next(const Word *words, int count, int position, Word value) {
  int lane = static_cast<int>(threadIdx.x) % 32;
  unsigned upto = 0;
  Word next = ~Word{0};
  for (int at = lane; at < count; at += 32) {
    if (words[at] <= value) upto++;
    else if (words[at] < next) next = words[at];
  }
  upto = __reduce_add_sync(0xffffffffu, upto);
  for (int step = 16; step > 0; step /= 2) {
    Word other = __shfl_xor_sync(0xffffffffu, next, step);
    next = other < next ? other : next;
  }
  return static_cast<int>(upto) > position + 1 ? value : next;
}

// Shared memory of a block that selects.
struct BlockSelect {
  unsigned bins[256];
  unsigned warps[kWarps];
  unsigned digit, position;
  Word least;
};

// As warp_nth, by all threads of the block; `word(at)` is a word of the group.
template <class Load>
__device__ __forceinline__ Word block_nth(BlockSelect &shared, Load word, int64_t count, unsigned position) {
  int thread = static_cast<int>(threadIdx.x), lane = thread % 32, warp = thread / 32;
  Word prefix = 0;
  for (int shift = 56; shift >= 0; shift -= 8) {
    shared.bins[thread] = 0;
    __syncthreads();
    for (int64_t at = thread; at < count; at += kThreads) {
      Word here = word(at);
      bool is_candidate = shift == 56 || (here ^ prefix) >> (shift + 8) == 0;
      if (is_candidate) atomicAdd(&shared.bins[here >> shift & 255], 1u);
    }
    __syncthreads();
    unsigned mine = shared.bins[thread], upto = mine;
    for (int step = 1; step < 32; step *= 2) {
      unsigned other = __shfl_up_sync(0xffffffffu, upto, step);
      if (lane >= step) upto += other;
    }
    if (lane == 31) shared.warps[warp] = upto;
    __syncthreads();
    for (int w = 0; w < warp; w++) upto += shared.warps[w];
    if (upto - mine <= position && position < upto) {
      shared.digit = static_cast<unsigned>(thread);
      shared.position = position - (upto - mine);
    }
    __syncthreads();
    prefix |= static_cast<Word>(shared.digit) << shift;
    position = shared.position;
  }
  __syncthreads();
  return prefix;
}

template <class Load>
__device__ __forceinline__ Word block_next(BlockSelect &shared, Load word, int64_t count, unsigned position,
                                           Word value) {
  if (threadIdx.x == 0) {
    shared.position = 0;
    shared.least = ~Word{0};
  }
  __syncthreads();
  unsigned upto = 0;
  Word next = ~Word{0};
  for (int64_t at = threadIdx.x; at < count; at += kThreads) {
    Word here = word(at);
    if (here <= value) upto++;
    else if (here < next) next = here;
  }
  atomicAdd(&shared.position, upto);
  atomicMin(&shared.least, next);
  __syncthreads();
  Word found = shared.position > position + 1 ? value : shared.least;
  __syncthreads();
  return found;
}

// The position of column `k` in a group, if the group has such a value; else -1.
__device__ __forceinline__ int64_t position_of(const Selection &selection, int k, int32_t group, int64_t count) {
  const ColumnDesc &column = selection.positions[k];
  if (!column.valid(group)) return -1;
  int64_t position = column.at<int64_t>(group);
  return position >= 0 && position < count ? position : -1;
}

// Calls nth(position), or next(position, value) for the position after one whose value is known, and writes what it gets.
template <class Nth, class Next>
__device__ __forceinline__ void select_all(const Selection &selection, int32_t group, int64_t count, bool writes, Nth nth,
                                           Next next) {
  int64_t known = -1;
  Word value = 0;
  for (int k = 0; k < selection.count; k++) {
    int64_t position = position_of(selection, k, group, count);
    if (position < 0) continue;
    if (known >= 0 && position == known + 1) value = next(known, value);
    else if (known < 0 || position != known) value = nth(position);
    known = position;
    if (writes) selection.write(k, group, value);
  }
}

// A warp a group; groups of more rows are selected in by the whole block afterwards.
__global__ void __launch_bounds__(kThreads) select_values(const __grid_constant__ Selection selection) {
  SHARED(words, Word[kBlockRows]);
  SHARED(shared, BlockSelect);
  int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  int32_t first = static_cast<int32_t>(blockIdx.x) * kWarps, group = first + warp;
  bool ambiguous = false;
  int64_t start = 0, count = 0;
  if (group < selection.groups) {
    start = selection.starts[group];
    count = selection.starts[group + 1] - start;
  }
  if (count > 0 && count <= SelectPolicy::kWarpRows) {
    Word *mine = &words[warp * SelectPolicy::kWarpRows];
    int rows = static_cast<int>(count);
    for (int at = lane; at < rows; at += 32) {
      mine[at] = selection.word(start + at);
      ambiguous |= selection.is_ambiguous_word(mine[at]);
    }
    __syncwarp();
    auto nth = [&](int64_t position) { return warp_nth(mine, rows, static_cast<int>(position)); };
    auto next = [&](int64_t position, Word value) { return warp_next(mine, rows, static_cast<int>(position), value); };
    select_all(selection, group, count, lane == 0, nth, next);
  }
  __syncthreads();
  for (int w = 0; w < kWarps && first + w < selection.groups; w++) {
    group = first + w;
    start = selection.starts[group];
    count = selection.starts[group + 1] - start;
    if (count <= SelectPolicy::kWarpRows) continue;
    if (threadIdx.x == 0) atomicMax(&selection.ends->most_rows, static_cast<uint32_t>(count));
    if (count > selection.most_rows) continue;
    bool held = count <= kBlockRows;
    for (int64_t at = threadIdx.x; at < count; at += kThreads) {
      Word here = selection.word(start + at);
      ambiguous |= selection.is_ambiguous_word(here);
      if (held) words[at] = here;
    }
    __syncthreads();
    auto word = [&](int64_t at) { return held ? words[at] : selection.word(start + at); };
    auto nth = [&](int64_t position) { return block_nth(shared, word, count, static_cast<unsigned>(position)); };
    auto next = [&](int64_t position, Word value) {
      return block_next(shared, word, count, static_cast<unsigned>(position), value);
    };
    select_all(selection, group, count, threadIdx.x == 0, nth, next);
    __syncthreads();
  }
  if (ambiguous) atomicOr(&selection.ends->ambiguous, 1u);
}

cudaError_t select_from(const NthSmallestArgs &args, const uint64_t *values, int32_t kind, const uint32_t *starts,
                        Ends *ends, cudaStream_t stream) {
  int64_t words = (args.groups + 31) / 32;
  for (int32_t first = 0; first < args.position_count; first += SelectPolicy::kPositions) {
    Selection selection{};
    selection.values = values;
    selection.starts = starts;
    selection.groups = static_cast<int32_t>(args.groups);
    selection.kind = kind;
    selection.storage = args.values.storage;
    selection.most_rows = static_cast<uint32_t>(args.most_rows);
    selection.ends = ends;
    int32_t left = args.position_count - first;
    selection.count = left < SelectPolicy::kPositions ? left : SelectPolicy::kPositions;
    for (int32_t k = 0; k < selection.count; k++) {
      int32_t column = first + k;
      selection.positions[k] = args.positions[column];
      selection.out[k] = args.alloc.output<uint8_t>(2 * column, args.groups * result_width(args.values.storage));
      selection.valid[k] = args.alloc.output<uint32_t>(2 * column + 1, words);
      if (selection.out[k] == nullptr || selection.valid[k] == nullptr) return cudaErrorMemoryAllocation;
      CN_TRY(cudaMemsetAsync(selection.out[k], 0, static_cast<size_t>(args.groups * result_width(args.values.storage)), stream));
      CN_TRY(cudaMemsetAsync(selection.valid[k], 0, static_cast<size_t>(words) * sizeof(uint32_t), stream));
    }
    CN_TRY(launch(select_values, blocks_for(args.groups, kWarps), kThreads, 0, stream, selection));
  }
  return cudaSuccess;
}

}  // namespace

ENTRY(nth_smallest)(const NthSmallestArgs *args, cudaStream_t stream) {
  const Alloc &alloc = args->alloc;
  int64_t rows = args->values.rows;
  unsigned blocks = blocks_for(rows, kThreads);
  uint32_t groups = static_cast<uint32_t>(args->groups);
  Ends *ends = alloc.scratch<Ends>(1);
  uint32_t *starts = alloc.scratch<uint32_t>(args->groups + 1);
  uint32_t *sorted = alloc.scratch<uint32_t>(rows);
  uint64_t *by_group = alloc.scratch<uint64_t>(rows);
  if (ends == nullptr || starts == nullptr || sorted == nullptr || by_group == nullptr) return cudaErrorMemoryAllocation;
  CN_TRY(cudaMemsetAsync(ends, 0, sizeof(*ends), stream));
  const uint32_t *ids = static_cast<const uint32_t *>(args->ids);
  const uint64_t *values = static_cast<const uint64_t *>(args->values.data) + args->values.offset;
  int32_t kind = args->values.storage;
  if (rows > 0 && storage_bits(kind) < 64) {
    uint64_t *words = alloc.scratch<uint64_t>(rows);
    if (words == nullptr) return cudaErrorMemoryAllocation;
    CN_TRY(launch(words_of_rows, blocks, kThreads, 0, stream, args->values, words, ends));
    values = words;
    kind = kOrdered;
  }
  if (rows > 0 && args->values.validity != nullptr) {
    uint32_t *of_values = alloc.scratch<uint32_t>(rows);
    if (of_values == nullptr) return cudaErrorMemoryAllocation;
    CN_TRY(launch(groups_of_values, blocks, kThreads, 0, stream, ids, args->values, groups, of_values));
    ids = of_values;
  }
  // So many bits that all ones, which are no group, are no number of a group.
  int bits = 1;
  while ((int64_t{1} << bits) - 1 < args->groups) bits++;
  if (rows > 0) {
    CN_TRY(prim::sort_pairs(alloc, ids, sorted, values, by_group, rows, 0, bits, stream));
  }
  CN_TRY(launch(find_starts, blocks_for(rows + 1, kThreads), kThreads, 0, stream, static_cast<const uint32_t *>(sorted),
                groups, starts, rows));
  CN_TRY(select_from(*args, by_group, kind, starts, ends, stream));
  Ends found{};
  CN_TRY(alloc.read(static_cast<const Ends *>(ends), &found, 1, stream));
  *args->done = found.ambiguous == 0 && found.most_rows <= args->most_rows ? 1 : 0;
  return cudaSuccess;
}

}  // namespace CN_BUILD
