// Hash partition: the partition of each row by the hash of its keys, a stable radix sort of the row numbers by partition,
// and a search for where each partition starts among the sorted ones. More keys than the arguments of a launch hold take
// several. One thread per row, and one per partition. No atomics; deterministic, as the sort is stable.
#include "hash_partition.abi.h"
#include "rows.cuh"

namespace CN_BUILD {
namespace {

// The high half of hash × partitions: the hash as a fraction of 2^64, scaled to the number of partitions.
__device__ __forceinline__ uint64_t partition_of(uint64_t hash, uint64_t partitions, uint64_t seed) {
  uint64_t word = mix_word(mix_word(hash, seed), seed) >> 32;
  return (word * partitions) >> 32;
}

// The hashes of some columns, which those of the columns before begin from.
__global__ void mix_columns(AnyRows keys, bool is_first, uint64_t *hashes, int64_t rows) {
  int64_t row = thread_index();
  if (row < rows) hashes[row] = keys.mixed(row, is_first ? 0 : hashes[row]);
}

// `before`: the hashes of other columns, if there are any.
template <class Row>
__global__ void find_partitions(AnyRows keys, const uint64_t *before, uint64_t partitions, uint64_t seed,
                                Row *partition_of_row, Row *numbers, int64_t rows) {
  int64_t row = thread_index();
  if (row >= rows) return;
  uint64_t partition = partition_of(keys.mixed(row, before == nullptr ? 0 : before[row]), partitions, seed);
  partition_of_row[row] = static_cast<Row>(partition);
  numbers[row] = static_cast<Row>(row);
}

// The number of rows of the partitions before one.
template <class Row>
__device__ __forceinline__ int64_t rows_before(const Row *sorted, int64_t partition, int64_t rows) {
  int64_t low = 0, high = rows;
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    if (static_cast<int64_t>(sorted[middle]) < partition) low = middle + 1;
    else high = middle;
  }
  return low;
}

template <class Row>
__global__ void measure_partitions(const Row *sorted, uint64_t *sizes, int64_t partitions, int64_t rows) {
  int64_t partition = thread_index();
  if (partition >= partitions) return;
  sizes[partition] =
      static_cast<uint64_t>(rows_before(sorted, partition + 1, rows) - rows_before(sorted, partition, rows));
}

template <class Row>
cudaError_t sort_by_partition(const HashPartitionArgs &args, cudaStream_t stream) {
  int64_t rows = args.rows;
  Row *out = args.alloc.output<Row>(0, rows);
  Row *partition_of_row = args.alloc.scratch<Row>(rows);
  Row *sorted_partitions = args.alloc.scratch<Row>(rows);
  Row *numbers = args.alloc.scratch<Row>(rows);
  uint64_t *sizes = args.alloc.scratch<uint64_t>(args.partitions);
  if (out == nullptr || partition_of_row == nullptr || sorted_partitions == nullptr || numbers == nullptr || sizes == nullptr) {
    return cudaErrorMemoryAllocation;
  }
  if (rows == 0) return cudaSuccess;
  uint64_t *before = nullptr;
  int32_t first = 0;
  for (; args.column_count - first > kMaxKeys; first += kMaxKeys) {
    if (before == nullptr) before = args.alloc.scratch<uint64_t>(rows);
    if (before == nullptr) return cudaErrorMemoryAllocation;
    KeyColumns some = key_columns(args.columns + first, kMaxKeys, false);
    CN_TRY(launch(mix_columns, blocks_for(rows, kThreads), kThreads, 0, stream, AnyRows{some}, first == 0, before, rows));
  }
  KeyColumns keys = key_columns(args.columns + first, args.column_count - first, false);
  CN_TRY(launch(find_partitions<Row>, blocks_for(rows, kThreads), kThreads, 0, stream, AnyRows{keys},
                static_cast<const uint64_t *>(before), static_cast<uint64_t>(args.partitions), args.seed,
                partition_of_row, numbers, rows));
  int bits = 1;
  while ((int64_t{1} << bits) < args.partitions) bits++;
  CN_TRY(prim::sort_pairs(args.alloc, static_cast<const Row *>(partition_of_row), sorted_partitions, static_cast<const Row *>(numbers),
                          out, rows, 0, bits, stream));
  CN_TRY(launch(measure_partitions<Row>, blocks_for(args.partitions, kThreads), kThreads, 0, stream,
                static_cast<const Row *>(sorted_partitions), sizes, args.partitions, rows));
  return args.alloc.read(static_cast<const uint64_t *>(sizes), args.sizes, args.partitions, stream);
}

}  // namespace

ENTRY(hash_partition)(const HashPartitionArgs *args, cudaStream_t stream) {
  return args->map_width == 4 ? sort_by_partition<unsigned>(*args, stream)
                              : sort_by_partition<unsigned long long>(*args, stream);
}

}  // namespace CN_BUILD
