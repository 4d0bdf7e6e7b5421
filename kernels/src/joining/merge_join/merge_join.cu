// Join of two ascending sides by merging them. A tile is 2048 values in the order of both sides.
//   count_pairs   one block per tile: the number of its pairs; a scan gives each tile's place. Not for a left join,
//                 whose pairs are as many as left rows
//   write_pairs   one block per tile lists its pairs in shared memory, then writes them, neighbouring threads to
//                 neighbouring places
// Both find where a tile begins on either side by a binary search, read its values into shared memory, and merge eight
// of them a thread. Reads both sides once a kernel, writes the maps once; 8 bytes of scratch memory a tile.
// Deterministic. One synchronisation, for the number of pairs.
#include "merge_join.abi.h"
#include "primitives.cuh"

namespace CN_BUILD {
namespace {

constexpr int kTile = kThreads * MergePolicy::kThreadValues;

// Which rows become pairs; the bits of `kept`.
enum Kept : int32_t { MATCHED = 1, LEFT_ALONE = 2, RIGHT_ALONE = 4 };

// In the list of a tile: no row.
constexpr uint32_t kNoRow = 0xffff;

struct Sides {
  const int64_t *left;
  const int64_t *right;
  int64_t lefts;
  int64_t rights;
};

// How many of the first `items` values in the order of both are left ones; of equal values left ones are first.
template <class Size>
__device__ __forceinline__ Size lefts_before(const int64_t *left, Size lefts, const int64_t *right, Size rights,
                                             Size items) {
  Size low = items > rights ? items - rights : 0;
  Size high = items < lefts ? items : lefts;
  while (low < high) {
    Size middle = low + (high - low) / 2;
    if (left[middle] <= right[items - 1 - middle]) low = middle + 1;
    else high = middle;
  }
  return low;
}

struct Tile {
  // Its first rows, and how many it has of each side.
  int64_t left;
  int64_t right;
  int lefts;
  int rights;
  // Whether there are values before its left ones and after its right ones.
  bool has_before;
  bool has_after;
};

// Reads the values of a tile: the left one before it, its left ones, its right ones, the right one after it.
__device__ __forceinline__ Tile read_tile(const Sides &sides, int64_t *values, int64_t *ends) {
  int64_t all = sides.lefts + sides.rights;
  int64_t first = static_cast<int64_t>(blockIdx.x) * kTile;
  if (first > all) first = all;
  int64_t last = first + kTile < all ? first + kTile : all;
  // Two warps search at a time.
  if (threadIdx.x == 0) ends[0] = lefts_before(sides.left, sides.lefts, sides.right, sides.rights, first);
  if (threadIdx.x == 32) ends[1] = lefts_before(sides.left, sides.lefts, sides.right, sides.rights, last);
  __syncthreads();
  Tile tile;
  tile.left = ends[0];
  tile.right = first - ends[0];
  tile.lefts = static_cast<int>(ends[1] - ends[0]);
  tile.rights = static_cast<int>(last - first) - tile.lefts;
  tile.has_before = tile.left > 0;
  tile.has_after = tile.right + tile.rights < sides.rights;
  for (int i = static_cast<int>(threadIdx.x) - (tile.has_before ? 1 : 0); i < tile.lefts; i += kThreads) {
    values[1 + i] = sides.left[tile.left + i];
  }
  for (int i = static_cast<int>(threadIdx.x); i < tile.rights + (tile.has_after ? 1 : 0); i += kThreads) {
    values[1 + tile.lefts + i] = sides.right[tile.right + i];
  }
  __syncthreads();
  return tile;
}

// The pairs of the values that this thread merges: rows of the tile, the left one in the low half. Bit k of the result
// is set if the k-th value makes one.
__device__ __forceinline__ uint32_t merge(const Tile &tile, const int64_t *values, int32_t kept, uint32_t *pairs) {
  const int64_t *left = values + 1;
  const int64_t *right = values + 1 + tile.lefts;
  int all = tile.lefts + tile.rights;
  int first = static_cast<int>(threadIdx.x) * MergePolicy::kThreadValues;
  if (first >= all) return 0;
  int a = lefts_before(left, tile.lefts, right, tile.rights, first);
  int b = first - a;
  int rights = tile.rights + (tile.has_after ? 1 : 0);
  uint32_t made = 0;
#pragma unroll
  for (int k = 0; k < MergePolicy::kThreadValues; k++) {
    if (first + k < all) {
      bool is_left = a < tile.lefts && (b >= tile.rights || left[a] <= right[b]);
      bool is_match = is_left ? b < rights && right[b] == left[a]
                              : (a > 0 || tile.has_before) && left[a - 1] == right[b];
      int32_t as = is_left ? (is_match ? MATCHED : LEFT_ALONE) : is_match ? 0 : RIGHT_ALONE;
      pairs[k] = (is_left ? static_cast<uint32_t>(a) : kNoRow) |
                 (!is_left || is_match ? static_cast<uint32_t>(b) : kNoRow) << 16;
      if ((kept & as) != 0) made |= 1u << k;
      if (is_left) a++;
      else b++;
    }
  }
  return made;
}

// A tile more than there are, so that the last element of the scan is the total.
__global__ void count_pairs(Sides sides, int32_t kept, int64_t *counts) {
  SHARED(values, int64_t[kTile + 2]);
  SHARED(ends, int64_t[2]);
  SHARED(sums, int[kThreads / 32]);
  Tile tile = read_tile(sides, values, ends);
  uint32_t pairs[MergePolicy::kThreadValues];
  int count = __popc(merge(tile, values, kept, pairs));
  for (int step = 16; step > 0; step /= 2) count += __shfl_down_sync(0xffffffffu, count, step);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = count;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int warp = 1; warp < kThreads / 32; warp++) count += sums[warp];
  counts[blockIdx.x] = count;
}

template <class Row>
__device__ __forceinline__ Row row_of(int64_t first, uint32_t row) {
  return row == kNoRow ? static_cast<Row>(-1) : static_cast<Row>(first + row);
}

// `places` is null for a left join: as many pairs come before a tile as left rows.
template <class Row>
__global__ void write_pairs(Sides sides, int32_t kept, const int64_t *places, Row *left_rows, Row *right_rows) {
  SHARED(values, int64_t[kTile + 2]);
  SHARED(ends, int64_t[2]);
  SHARED(sums, int[kThreads / 32]);
  SHARED(list, uint32_t[kTile]);
  Tile tile = read_tile(sides, values, ends);
  uint32_t pairs[MergePolicy::kThreadValues];
  uint32_t made = merge(tile, values, kept, pairs);
  int lane = static_cast<int>(threadIdx.x) % 32;
  int warp = static_cast<int>(threadIdx.x) / 32;
  int before = __popc(made);
  for (int step = 1; step < 32; step *= 2) {
    int other = __shfl_up_sync(0xffffffffu, before, step);
    if (lane >= step) before += other;
  }
  if (lane == 31) sums[warp] = before;
  __syncthreads();
  before -= __popc(made);
  int count = 0;
  for (int w = 0; w < kThreads / 32; w++) {
    if (w < warp) before += sums[w];
    count += sums[w];
  }
#pragma unroll
  for (int k = 0; k < MergePolicy::kThreadValues; k++) {
    if ((made >> k & 1) != 0) list[before + __popc(made & ((1u << k) - 1))] = pairs[k];
  }
  __syncthreads();
  int64_t place = places == nullptr ? tile.left : places[blockIdx.x];
  for (int i = static_cast<int>(threadIdx.x); i < count; i += kThreads) {
    uint32_t pair = list[i];
    left_rows[place + i] = row_of<Row>(tile.left, pair & 0xffff);
    if (right_rows != nullptr) right_rows[place + i] = row_of<Row>(tile.right, pair >> 16);
  }
}

template <class Row>
cudaError_t join(const MergeJoinArgs &args, cudaStream_t stream) {
  auto values = [](const ColumnDesc &column) { return static_cast<const int64_t *>(column.data) + column.offset; };
  Sides sides{values(args.left), values(args.right), args.left.rows, args.right.rows};
  unsigned tiles = blocks_for(sides.lefts + sides.rights, kTile);
  int64_t *places = nullptr;
  int64_t pairs = sides.lefts;
  if (args.kept != (MATCHED | LEFT_ALONE)) {
    places = args.alloc.scratch<int64_t>(int64_t{tiles} + 1);
    if (places == nullptr) return cudaErrorMemoryAllocation;
    CN_TRY(launch(count_pairs, tiles + 1, kThreads, 0, stream, sides, args.kept, places));
    CN_TRY(prim::exclusive_sum(args.alloc, places, places, int64_t{tiles} + 1, stream));
    CN_TRY(args.alloc.read(places + tiles, &pairs, 1, stream));
  }
  *args.pairs = pairs;
  Row *left = args.alloc.output<Row>(0, pairs);
  Row *right = args.has_right ? args.alloc.output<Row>(1, pairs) : nullptr;
  if (left == nullptr || (args.has_right && right == nullptr)) return cudaErrorMemoryAllocation;
  if (pairs == 0) return cudaSuccess;
  return launch(write_pairs<Row>, tiles, kThreads, 0, stream, sides, args.kept, static_cast<const int64_t *>(places),
                left, right);
}

}  // namespace

ENTRY(merge_join)(const MergeJoinArgs *args, cudaStream_t stream) {
  return args->width == 4 ? join<unsigned>(*args, stream) : join<unsigned long long>(*args, stream);
}

}  // namespace CN_BUILD
