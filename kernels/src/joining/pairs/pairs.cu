// Pairs of rows from ranges. Counting: a scan of their lengths. Writing: a block writes neighbouring pairs, whose left rows
// it finds in the scan (runs.cuh), so that a row with many pairs uses many threads. Runs of a sorted map: one thread per row.
// No atomics; deterministic. One synchronisation, for the number of pairs.
#include "pairs.abi.h"
#include "runs.cuh"

namespace CN_BUILD {
namespace {

// The pairs of each left row; one count more than rows, so that the last element of the scan is the total.
template <class Row>
struct RangeLengths {
  const Row *starts, *ends;
  int64_t rows;
  int64_t least;

  __device__ __forceinline__ int64_t operator()(int64_t row) const {
    if (row >= rows) return 0;
    int64_t length = static_cast<int64_t>(ends[row]) - static_cast<int64_t>(starts[row]);
    return length > least ? length : least;
  }
};

template <class Row>
__global__ void __launch_bounds__(kThreads)
    write_range_pairs(const Row *starts, const Row *ends, const int64_t *before, const Row *list, Row *left, Row *right,
                      int64_t rows, int64_t first_pair, int64_t pairs) {
  SHARED(tile, RunsOfTile);
  int64_t first = first_pair + static_cast<int64_t>(blockIdx.x) * kRunTile;
  int64_t end = first + kRunTile < first_pair + pairs ? first + kRunTile : first_pair + pairs;
  int64_t low = find_tile_runs(tile, before, rows, first, end);
  for (int64_t pair = first + threadIdx.x; pair < end; pair += kThreads) {
    int64_t row = low + tile.runs[pair - first];
    left[pair - first_pair] = static_cast<Row>(row);
    Row start = starts[row], match = static_cast<Row>(-1);
    if (start != ends[row]) {
      int64_t at = static_cast<int64_t>(start) + (pair - before[row]);
      match = list == nullptr ? static_cast<Row>(at) : list[at];
    }
    right[pair - first_pair] = match;
  }
}

template <class Row>
__global__ void write_runs(const Row *sorted, Row *starts, Row *ends, int64_t rows) {
  int64_t i = thread_index();
  if (i >= rows) return;
  Row value = sorted[i];
  if (i == 0 || sorted[i - 1] != value) starts[value] = static_cast<Row>(i);
  if (i + 1 == rows || sorted[i + 1] != value) ends[value] = static_cast<Row>(i + 1);
}

template <class Row>
cudaError_t count(const CountPairsArgs &args, cudaStream_t stream) {
  int64_t *before = args.alloc.output<int64_t>(0, args.rows + 1);
  if (before == nullptr) return cudaErrorMemoryAllocation;
  RangeLengths<Row> lengths{static_cast<const Row *>(args.starts), static_cast<const Row *>(args.ends), args.rows,
                            args.keep_left};
  prim::Computed<int64_t, RangeLengths<Row>> counts{lengths, 0};
  CN_TRY(prim::exclusive_sum(args.alloc, counts, before, args.rows + 1, stream));
  return args.alloc.read(static_cast<const int64_t *>(before + args.rows), args.total, 1, stream);
}

template <class Row>
cudaError_t write(const WritePairsArgs &args, cudaStream_t stream) {
  Row *left = args.alloc.output<Row>(0, args.pairs);
  Row *right = args.alloc.output<Row>(1, args.pairs);
  if (left == nullptr || right == nullptr) return cudaErrorMemoryAllocation;
  if (args.pairs == 0) return cudaSuccess;
  return launch(write_range_pairs<Row>, blocks_for(args.pairs, kRunTile), kThreads, 0, stream,
                static_cast<const Row *>(args.starts), static_cast<const Row *>(args.ends), args.before,
                static_cast<const Row *>(args.list), left, right, args.rows, args.first, args.pairs);
}

template <class Row>
cudaError_t find(const FindRunsArgs &args, cudaStream_t stream) {
  Row *starts = args.alloc.output<Row>(0, args.values);
  Row *ends = args.alloc.output<Row>(1, args.values);
  if (starts == nullptr || ends == nullptr) return cudaErrorMemoryAllocation;
  if (args.values == 0) return cudaSuccess;
  size_t bytes = static_cast<size_t>(args.values) * sizeof(Row);
  CN_TRY(cudaMemsetAsync(starts, 0, bytes, stream));
  CN_TRY(cudaMemsetAsync(ends, 0, bytes, stream));
  if (args.rows == 0) return cudaSuccess;
  return launch(write_runs<Row>, blocks_for(args.rows, kThreads), kThreads, 0, stream,
                static_cast<const Row *>(args.sorted), starts, ends, args.rows);
}

}  // namespace

ENTRY(count_pairs)(const CountPairsArgs *args, cudaStream_t stream) {
  return args->width == 4 ? count<unsigned>(*args, stream) : count<unsigned long long>(*args, stream);
}

ENTRY(write_pairs)(const WritePairsArgs *args, cudaStream_t stream) {
  return args->width == 4 ? write<unsigned>(*args, stream) : write<unsigned long long>(*args, stream);
}

ENTRY(find_runs)(const FindRunsArgs *args, cudaStream_t stream) {
  return args->width == 4 ? find<unsigned>(*args, stream) : find<unsigned long long>(*args, stream);
}

}  // namespace CN_BUILD
