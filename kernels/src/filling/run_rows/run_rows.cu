// The run of each row, or the source row that it has there: a block finds the runs of neighbouring rows (runs.cuh) and writes
// them. Deterministic.
#include "run_rows.abi.h"
#include "column.cuh"
#include "runs.cuh"

namespace CN_BUILD {
namespace {

// `sources` null: the number of the run.
template <class Row>
__global__ void __launch_bounds__(kThreads)
    write_rows(const int64_t *begins, const int64_t *sources, int64_t runs, Row *out, int64_t rows) {
  SHARED(tile, RunsOfTile);
  int64_t first = static_cast<int64_t>(blockIdx.x) * kRunTile;
  int64_t end = first + kRunTile < rows ? first + kRunTile : rows;
  int64_t low = find_tile_runs(tile, begins, runs, first, end);
  for (int64_t row = first + threadIdx.x; row < end; row += kThreads) {
    int64_t run = low + tile.runs[row - first];
    out[row] = static_cast<Row>(sources == nullptr ? run : sources[run] + (row - begins[run]));
  }
}

template <class Row>
cudaError_t write(const RunRowsArgs &args, cudaStream_t stream) {
  Row *out = args.alloc.output<Row>(0, args.rows);
  if (out == nullptr) return cudaErrorMemoryAllocation;
  if (args.rows == 0) return cudaSuccess;
  const int64_t *begins = static_cast<const int64_t *>(args.begins.data) + args.begins.offset;
  const int64_t *sources = static_cast<const int64_t *>(args.sources.data);
  if (sources != nullptr) sources += args.sources.offset;
  return launch(write_rows<Row>, blocks_for(args.rows, kRunTile), kThreads, 0, stream, begins, sources,
                args.begins.rows, out, args.rows);
}

}  // namespace

ENTRY(run_rows)(const RunRowsArgs *args, cudaStream_t stream) {
  return args->width == 4 ? write<uint32_t>(*args, stream) : write<uint64_t>(*args, stream);
}

}  // namespace CN_BUILD
