// Pairs of rows from ranges. Counting: one thread per left row, and a scan. Writing: one thread per pair, which finds
// its left row in the scan, so that a row with many pairs uses many threads. Runs of a sorted map: one thread per row.
// No atomics; deterministic. One synchronisation, for the number of pairs.
#include "pairs.abi.h"
#include "primitives.cuh"

namespace CN_BUILD {
namespace {

// One count more than rows, so that the last element of the scan is the total.
template <class Row>
__global__ void count_ranges(const Row *starts, const Row *ends, int32_t keep_left, int64_t *counts, int64_t rows) {
  int64_t row = thread_index();
  if (row > rows) return;
  int64_t count = 0;
  if (row < rows) {
    count = static_cast<int64_t>(ends[row]) - static_cast<int64_t>(starts[row]);
    if (count == 0) count = keep_left;
  }
  counts[row] = count;
}

template <class Row>
__global__ void write_range_pairs(const Row *starts, const Row *ends, const int64_t *before, const Row *list,
                                  Row *left, Row *right, int64_t rows, int64_t first, int64_t pairs) {
  int64_t i = thread_index();
  if (i >= pairs) return;
  int64_t pair = first + i;
  // The last row with before[row] <= pair.
  int64_t low = 0;
  int64_t high = rows;
  while (high - low > 1) {
    int64_t middle = low + (high - low) / 2;
    if (before[middle] <= pair) {
      low = middle;
    } else {
      high = middle;
    }
  }
  left[i] = static_cast<Row>(low);
  Row start = starts[low];
  if (start == ends[low]) {
    right[i] = static_cast<Row>(-1);
    return;
  }
  int64_t at = static_cast<int64_t>(start) + (pair - before[low]);
  right[i] = list == nullptr ? static_cast<Row>(at) : list[at];
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
  CN_TRY(launch(count_ranges<Row>, blocks_for(args.rows + 1, kThreads), kThreads, 0, stream,
                static_cast<const Row *>(args.starts), static_cast<const Row *>(args.ends), args.keep_left, before,
                args.rows));
  CN_TRY(prim::exclusive_sum(args.alloc, before, before, args.rows + 1, stream));
  return args.alloc.read(static_cast<const int64_t *>(before + args.rows), args.total, 1, stream);
}

template <class Row>
cudaError_t write(const WritePairsArgs &args, cudaStream_t stream) {
  Row *left = args.alloc.output<Row>(0, args.pairs);
  Row *right = args.alloc.output<Row>(1, args.pairs);
  if (left == nullptr || right == nullptr) return cudaErrorMemoryAllocation;
  if (args.pairs == 0) return cudaSuccess;
  return launch(write_range_pairs<Row>, blocks_for(args.pairs, kThreads), kThreads, 0, stream,
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
