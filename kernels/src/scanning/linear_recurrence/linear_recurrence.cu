// A scan of affine maps: a block composes those of a tile of fixed size, what stands before each tile is found
// (tile_scan.cuh), and a block a tile applies its maps row by row: the inputs are read twice. Maps of
// the first rows of ranges forget what was before, so that an infinite value or NaN stays in its range. The order of
// operations depends on the number of rows alone: the same bytes in every run. No atomics.
#include "linear_recurrence.abi.h"
#include "tile_scan.cuh"

namespace CN_BUILD {
namespace {

// Of a tile.
constexpr int kRows = kBlock * RecurrencePolicy::kThreadRows;

// The least positive number.
constexpr double kLeastFloat = 4.9406564584124654e-324;

// value = scale * before + shift; or shift alone, whatever was before.
struct Map {
  double scale, shift;
  // A word, so that shared memory has no gaps.
  int64_t forgets;

  static __device__ __forceinline__ Map start() { return {1.0, 0.0, 0}; }
  // First `a`, then `b`.
  static __device__ __forceinline__ Map merge(const Map &a, const Map &b) {
    if (b.forgets != 0) return b;
    if (a.forgets != 0) return {0.0, b.scale * a.shift + b.shift, 1};
    return {product(a.scale, b.scale), b.scale * a.shift + b.shift, 0};
  }
  // Not 0 because it is too small: an infinite value before the rows stays infinite.
  static __device__ __forceinline__ double product(double a, double b) {
    double both = a * b;
    return both == 0.0 && a != 0.0 && b != 0.0 ? copysign(kLeastFloat, both) : both;
  }
};

struct Recurrence {
  ColumnDesc scale, shift, starts;
};

// The rows of a tile, with a gap after those of a thread, so that threads use different banks.
__device__ __forceinline__ int slot_of(int row) { return row + row / RecurrencePolicy::kThreadRows; }
constexpr int kSlots = kRows + kRows / RecurrencePolicy::kThreadRows;

struct Tile {
  double scale[kSlots], shift[kSlots];
  uint8_t forgets[kSlots];
};

// Loads the tile of this block. Every thread must call this.
__device__ __forceinline__ void load_tile(const Recurrence &of, Tile *tile) {
  int64_t first = static_cast<int64_t>(blockIdx.x) * kRows;
  for (int at = static_cast<int>(threadIdx.x); at < kRows; at += kBlock) {
    int64_t row = first + at;
    if (row >= of.scale.rows) break;
    tile->scale[slot_of(at)] = of.scale.at<double>(row);
    tile->shift[slot_of(at)] = of.shift.at<double>(row);
    tile->forgets[slot_of(at)] = row <= of.starts.at<int64_t>(row) ? 1 : 0;
  }
  __syncthreads();
}

__device__ __forceinline__ int rows_of_thread(int64_t rows) {
  int64_t first = static_cast<int64_t>(blockIdx.x) * kRows;
  int64_t left = rows - first - static_cast<int64_t>(threadIdx.x) * RecurrencePolicy::kThreadRows;
  return left >= RecurrencePolicy::kThreadRows ? RecurrencePolicy::kThreadRows : left > 0 ? static_cast<int>(left) : 0;
}

// The maps of this thread's rows, composed.
__device__ __forceinline__ Map map_of_thread(const Tile &tile, int count) {
  Map all = Map::start();
  for (int k = 0; k < count; k++) {
    int slot = slot_of(static_cast<int>(threadIdx.x) * RecurrencePolicy::kThreadRows + k);
    all = Map::merge(all, {tile.scale[slot], tile.shift[slot], tile.forgets[slot]});
  }
  return all;
}

__global__ void compose_tiles(Recurrence of, Map *tiles) {
  SHARED(tile, Tile);
  load_tile(of, &tile);
  Map all;
  block_before(map_of_thread(tile, rows_of_thread(of.scale.rows)), &all);
  if (threadIdx.x == 0) tiles[blockIdx.x] = all;
}

__global__ void apply_maps(Recurrence of, const Map *before_tiles, double *out) {
  SHARED(tile, Tile);
  load_tile(of, &tile);
  int64_t rows = of.scale.rows;
  int count = rows_of_thread(rows);
  Map all;
  Map before = Map::merge(before_tiles[blockIdx.x], block_before(map_of_thread(tile, count), &all));
  // The value before the first row of all is 0.
  double value = before.forgets != 0 ? before.shift : before.scale * 0.0 + before.shift;
  for (int k = 0; k < count; k++) {
    int slot = slot_of(static_cast<int>(threadIdx.x) * RecurrencePolicy::kThreadRows + k);
    value = tile.forgets[slot] != 0 ? tile.shift[slot] : tile.scale[slot] * value + tile.shift[slot];
    tile.shift[slot] = value;
  }
  __syncthreads();
  int64_t first = static_cast<int64_t>(blockIdx.x) * kRows;
  for (int at = static_cast<int>(threadIdx.x); at < kRows && at < rows - first; at += kBlock) {
    out[first + at] = tile.shift[slot_of(at)];
  }
}

}  // namespace

ENTRY(linear_recurrence)(const LinearRecurrenceArgs *args, cudaStream_t stream) {
  int64_t rows = args->scale.rows;
  double *out = args->alloc.output<double>(0, rows);
  if (out == nullptr) return cudaErrorMemoryAllocation;
  if (rows == 0) return cudaSuccess;
  int64_t tiles = (rows + kRows - 1) / kRows;
  Map *maps = args->alloc.scratch<Map>(tiles);
  if (maps == nullptr) return cudaErrorMemoryAllocation;
  unsigned blocks = static_cast<unsigned>(tiles);
  Recurrence of{args->scale, args->shift, args->starts};
  CN_TRY(launch(compose_tiles, blocks, kBlock, 0, stream, of, maps));
  CN_TRY(scan_tiles(args->alloc, maps, tiles, stream));
  return launch(apply_maps, blocks, kBlock, 0, stream, of, static_cast<const Map *>(maps), out);
}

}  // namespace CN_BUILD
