// Sums of the products of pairs of columns. A block has 16 columns by 16, a thread for each pair, and the rows of one
// segment, which it stages in shared memory: each column is read once for 16 others. A second launch adds the sums of
// segments in their order. Sums are made in the same order as on the host; no atomics; deterministic.
#include "co_moments.abi.h"
#include "column.cuh"

namespace CN_BUILD {
namespace {

constexpr int kTile = CoMomentPolicy::kTileColumns;
constexpr int kPanel = CoMomentPolicy::kPanelColumns;
constexpr int kStage = CoMomentPolicy::kStageRows;
static_assert(kTile * kTile == kThreads, "a thread for each pair");
static_assert(CoMomentPolicy::kTileRows % kStage == 0, "whole stages make a tile");

struct Source {
  const double *values;
  const uint8_t *validity;
  int64_t offset;
};

struct Panel {
  Source of[kPanel];
  int64_t first;
  int32_t count;
};

// The columns of both sides of a launch.
struct Sides {
  Panel of[2];
};

// Sums of each segment, of all pairs one segment after the other. Without masks only those of the products, and on the
// diagonal those of x.
struct Partial {
  double *xy, *x, *y, *xx, *yy, *n;
};

struct Rows {
  int64_t count, of_segment;
};

__host__ __device__ __forceinline__ int64_t pair_of(int64_t i, int64_t j) { return i * (i + 1) / 2 + j; }

// Deviations of a stage, column by column, 0 where null or beyond the rows. A column has an odd number of words of 8 bytes,
// so that the lanes of a warp read from different banks.
template <bool kMasked>
struct Stage {
  double x[2 * kTile][kStage + 1];
  double valid[kMasked ? 2 * kTile : 1][kStage + 1];
};

// Stages the columns of both sides of a tile; those of its first side alone where both are the same.
template <bool kMasked>
__device__ __forceinline__ void stage_rows(Stage<kMasked> &stage, const Sides &sides, const ColumnDesc &centers,
                                           int columns, int64_t from, int64_t end) {
  int64_t row = from + threadIdx.x % kStage;
  const double *center_values = static_cast<const double *>(centers.data);
  for (int at = static_cast<int>(threadIdx.x) / kStage; at < columns; at += kThreads / kStage) {
    const Panel &side = sides.of[at / kTile];
    int column = static_cast<int>(at < kTile ? blockIdx.y : blockIdx.z) * kTile + at % kTile;
    double x = 0, valid = 0;
    if (column < side.count && row < end) {
      const Source &source = side.of[column];
      if (!kMasked || source.validity == nullptr || get_bit(source.validity, source.offset + row)) {
        int64_t center = side.first + column;
        double mean = centers.valid(center) ? center_values[centers.offset + center] : 0.0;
        x = source.values[source.offset + row] - mean;
        valid = 1;
      }
    }
    stage.x[at][threadIdx.x % kStage] = x;
    if constexpr (kMasked) stage.valid[at][threadIdx.x % kStage] = valid;
  }
}

struct Sums {
  double xy = 0, x = 0, y = 0, xx = 0, yy = 0, n = 0;

  __device__ __forceinline__ void add(const Sums &other) {
    xy += other.xy;
    x += other.x;
    y += other.y;
    xx += other.xx;
    yy += other.yy;
    n += other.n;
  }
};

template <bool kMasked>
__global__ void __launch_bounds__(kThreads)
    sum_pairs(const __grid_constant__ Sides sides, const __grid_constant__ ColumnDesc centers, Partial partial, Rows rows,
              int64_t pairs) {
  SHARED(stage, Stage<kMasked>);
  int tile_of_i = static_cast<int>(blockIdx.y) * kTile, tile_of_j = static_cast<int>(blockIdx.z) * kTile;
  int64_t first_i = sides.of[0].first + tile_of_i, first_j = sides.of[1].first + tile_of_j;
  if (first_j > first_i) return;
  int tile_i = static_cast<int>(threadIdx.x) / kTile, tile_j = static_cast<int>(threadIdx.x) % kTile;
  int64_t segment = blockIdx.x, begin = segment * rows.of_segment;
  int64_t end = begin + rows.of_segment < rows.count ? begin + rows.of_segment : rows.count;
  int64_t i = first_i + tile_i, j = first_j + tile_j;
  bool is_pair = tile_of_i + tile_i < sides.of[0].count && tile_of_j + tile_j < sides.of[1].count && j <= i;
  bool is_diagonal = first_i == first_j;
  int place_j = is_diagonal ? tile_j : kTile + tile_j, columns = is_diagonal ? kTile : 2 * kTile;
  Sums sums;
  for (int64_t tile = begin; tile < end; tile += CoMomentPolicy::kTileRows) {
    Sums of_tile;
    int64_t tile_end = tile + CoMomentPolicy::kTileRows < end ? tile + CoMomentPolicy::kTileRows : end;
    for (int64_t from = tile; from < tile_end; from += kStage) {
      stage_rows<kMasked>(stage, sides, centers, columns, from, tile_end);
      __syncthreads();
      // A warp without a pair only stages.
      for (int row = 0; row < kStage && is_pair; row++) {
        double x = stage.x[tile_i][row], y = stage.x[place_j][row];
        of_tile.xy += x * y;
        if constexpr (kMasked) {
          double has_x = stage.valid[tile_i][row], has_y = stage.valid[place_j][row];
          of_tile.x += x * has_y;
          of_tile.y += has_x * y;
          of_tile.xx += (x * x) * has_y;
          of_tile.yy += has_x * (y * y);
          of_tile.n += has_x * has_y;
        } else if (is_diagonal) {
          of_tile.x += x;
        }
      }
      __syncthreads();
    }
    sums.add(of_tile);
  }
  if (!is_pair) return;
  int64_t place = segment * pairs + pair_of(i, j);
  partial.xy[place] = sums.xy;
  if (kMasked || i == j) partial.x[place] = sums.x;
  if constexpr (kMasked) {
    partial.y[place] = sums.y;
    partial.xx[place] = sums.xx;
    partial.yy[place] = sums.yy;
    partial.n[place] = sums.n;
  }
}

__device__ __forceinline__ double fold(const double *partial, int64_t place, int64_t pairs, int64_t segments) {
  double sum = 0;
  for (int64_t segment = 0; segment < segments; segment++) sum += partial[segment * pairs + place];
  return sum;
}

// The outputs: a thread for each pair.
template <bool kMasked>
__global__ void __launch_bounds__(kThreads)
    fold_segments(Partial partial, Partial out, int64_t columns, int64_t pairs, int64_t segments, double rows) {
  int64_t i = blockIdx.y, j = thread_index();
  for (; i < columns; i += gridDim.y) {
    if (j > i) continue;
    int64_t place = pair_of(i, j);
    out.xy[place] = fold(partial.xy, place, pairs, segments);
    if constexpr (kMasked) {
      out.x[place] = fold(partial.x, place, pairs, segments);
      out.y[place] = fold(partial.y, place, pairs, segments);
      out.xx[place] = fold(partial.xx, place, pairs, segments);
      out.yy[place] = fold(partial.yy, place, pairs, segments);
      out.n[place] = fold(partial.n, place, pairs, segments);
    } else {
      int64_t of_i = pair_of(i, i), of_j = pair_of(j, j);
      out.x[place] = fold(partial.x, of_i, pairs, segments);
      out.y[place] = fold(partial.x, of_j, pairs, segments);
      out.xx[place] = fold(partial.xy, of_i, pairs, segments);
      out.yy[place] = fold(partial.xy, of_j, pairs, segments);
      out.n[place] = rows;
    }
  }
}

Panel panel_of(const ColumnDesc *columns, int64_t count, int64_t first) {
  Panel panel{};
  panel.first = first;
  panel.count = static_cast<int32_t>(count - first < kPanel ? count - first : kPanel);
  for (int32_t c = 0; c < panel.count; c++) {
    const ColumnDesc &column = columns[first + c];
    panel.of[c] = {static_cast<const double *>(column.data), static_cast<const uint8_t *>(column.validity), column.offset};
  }
  return panel;
}

template <bool kMasked>
cudaError_t sum_all(const CoMomentsArgs &args, const Partial &partial, const Partial &out, int64_t pairs,
                    cudaStream_t stream) {
  Rows rows{args.rows, args.segment_rows};
  unsigned segments = static_cast<unsigned>(args.segments);
  for (int64_t i = 0; i < args.column_count; i += kPanel) {
    Panel left = panel_of(args.columns, args.column_count, i);
    for (int64_t j = 0; j <= i; j += kPanel) {
      Panel right = panel_of(args.columns, args.column_count, j);
      Sides sides{{left, right}};
      auto tiles = [](const Panel &panel) { return static_cast<unsigned>((panel.count + kTile - 1) / kTile); };
      dim3 grid(segments, tiles(left), tiles(right));
      CN_TRY(launch(sum_pairs<kMasked>, grid, kThreads, 0, stream, sides, args.centers, partial, rows, pairs));
    }
  }
  int64_t columns = args.column_count;
  dim3 grid(blocks_for(columns, kThreads), static_cast<unsigned>(columns < 65535 ? columns : 65535));
  return launch(fold_segments<kMasked>, grid, kThreads, 0, stream, partial, out, columns, pairs, args.segments,
                static_cast<double>(args.rows));
}

}  // namespace

ENTRY(co_moments)(const CoMomentsArgs *args, cudaStream_t stream) {
  int64_t pairs = pair_of(args->column_count, 0);
  Partial out{}, partial{};
  double **outputs[] = {&out.n, &out.x, &out.y, &out.xx, &out.yy, &out.xy};
  for (int32_t slot = 0; slot < 6; slot++) {
    *outputs[slot] = args->alloc.output<double>(slot, pairs);
    if (*outputs[slot] == nullptr) return cudaErrorMemoryAllocation;
  }
  if (pairs == 0) return cudaSuccess;
  double **sums[] = {&partial.xy, &partial.x, &partial.y, &partial.xx, &partial.yy, &partial.n};
  for (int kind = 0; kind < (args->is_masked != 0 ? 6 : 2); kind++) {
    *sums[kind] = args->alloc.scratch<double>(pairs * args->segments);
    if (*sums[kind] == nullptr) return cudaErrorMemoryAllocation;
  }
  return args->is_masked != 0 ? sum_all<true>(*args, partial, out, pairs, stream)
                              : sum_all<false>(*args, partial, out, pairs, stream);
}

}  // namespace CN_BUILD
