// Windows of rows: one thread per row, which reads the range of the row and writes the two bounds. No atomics.
#include "row_windows.abi.h"
#include "column.cuh"

namespace CN_BUILD {
namespace {

__global__ void windows_of_rows(ColumnDesc range_starts, ColumnDesc range_ends, int64_t before, int64_t after,
                                int64_t *starts, int64_t *ends) {
  int64_t row = thread_index();
  if (row >= range_starts.rows) return;
  int64_t first = range_starts.at<int64_t>(row), end = range_ends.at<int64_t>(row);
  int64_t start = row - before > first ? row - before : first;
  end = row + after + 1 < end ? row + after + 1 : end;
  bool has_range = range_starts.valid(row);
  starts[row] = has_range ? start : 0;
  ends[row] = has_range ? end : 0;
}

}  // namespace

ENTRY(row_windows)(const RowWindowsArgs *args, cudaStream_t stream) {
  int64_t rows = args->starts.rows;
  int64_t *starts = args->alloc.output<int64_t>(0, rows), *ends = args->alloc.output<int64_t>(1, rows);
  if (starts == nullptr || ends == nullptr) return cudaErrorMemoryAllocation;
  if (rows == 0) return cudaSuccess;
  return launch(windows_of_rows, blocks_for(rows, kThreads), kThreads, 0, stream, args->starts, args->ends,
                args->before, args->after, starts, ends);
}

}  // namespace CN_BUILD
