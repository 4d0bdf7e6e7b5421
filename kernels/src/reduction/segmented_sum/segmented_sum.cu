// Sums of runs of rows. A warp has neighbouring runs, a lane each. Where their rows lie close together it stages them in
// shared memory, each read once; otherwise all lanes add up one run after the other. Long runs are noted in chunks, whose
// sums blocks add with atomics, so that one run uses many blocks. Sums of integers do not depend on their order.
#include "segmented_sum.abi.h"
#include "limits.cuh"
#include "value_words.cuh"

namespace CN_BUILD {
namespace {

// The most rows that a warp stages, those between its runs included.
constexpr int64_t kStagedRows = 8 * SumPolicy::kStage;

struct Chunk {
  int64_t run;
  int64_t first;
};

struct Runs {
  ColumnDesc values;
  const int64_t *starts, *lengths;
  int64_t count;
  Chunk *chunks;
  // The number of chunks, and the most.
  unsigned long long *chunk_count;
  unsigned long long capacity;
  int64_t of_chunk;

  __device__ __forceinline__ Word value(int64_t row) const { return values.valid(row) ? low_word(values, row) : 0; }
};

__device__ __forceinline__ Word warp_sum(Word sum) {
  for (unsigned lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_down_sync(0xffffffffu, sum, lanes);
  return __shfl_sync(0xffffffffu, sum, 0);
}

// Notes the chunks of a long run; false if there is no space, since runs overlap.
__device__ __forceinline__ bool note_chunks(const Runs &runs, int64_t run, int64_t start, int64_t length) {
  unsigned lane = threadIdx.x % 32;
  unsigned long long count = static_cast<unsigned long long>((length + runs.of_chunk - 1) / runs.of_chunk), place = 0;
  if (lane == 0) place = atomicAdd(runs.chunk_count, count);
  place = __shfl_sync(0xffffffffu, place, 0);
  for (unsigned long long k = lane; k < count && place + k < runs.capacity; k += 32) {
    runs.chunks[place + k] = {run, start + static_cast<int64_t>(k) * runs.of_chunk};
  }
  if (place + count <= runs.capacity) return true;
  // What has been noted is no chunk.
  __syncwarp();
  for (unsigned long long k = lane; k < count && place + k < runs.capacity; k += 32) runs.chunks[place + k] = {-1, 0};
  return false;
}

__global__ void __launch_bounds__(kThreads) sum_runs(const __grid_constant__ Runs runs, Word *sums) {
  SHARED(stages, Word[kThreads / 32][SumPolicy::kStage]);
  Word *stage = stages[threadIdx.x / 32];
  int lane = static_cast<int>(threadIdx.x % 32);
  int64_t run = thread_index();
  int64_t start = 0, length = 0;
  if (run < runs.count) {
    length = runs.lengths[run];
    start = runs.starts[run];
  }
  int64_t low = length > 0 ? start : INT64_MAX, high = length > 0 ? start + length : 0;
  for (unsigned lanes = 16; lanes > 0; lanes /= 2) {
    int64_t other_low = __shfl_xor_sync(0xffffffffu, low, lanes), other_high = __shfl_xor_sync(0xffffffffu, high, lanes);
    low = other_low < low ? other_low : low;
    high = other_high > high ? other_high : high;
  }
  Word sum = 0;
  if (high > low && high - low <= kStagedRows) {
    for (int64_t from = low; from < high; from += SumPolicy::kStage) {
      int64_t to = from + SumPolicy::kStage < high ? from + SumPolicy::kStage : high;
      for (int64_t row = from + lane; row < to; row += 32) stage[row - from] = runs.value(row);
      __syncwarp();
      int64_t first = start > from ? start : from, end = start + length < to ? start + length : to;
      for (int64_t row = first; row < end; row++) sum += stage[row - from];
      __syncwarp();
    }
  } else if (high > low) {
    for (int of = 0; of < 32; of++) {
      int64_t from = __shfl_sync(0xffffffffu, start, of), rows = __shfl_sync(0xffffffffu, length, of);
      if (rows > runs.of_chunk && note_chunks(runs, run - lane + of, from, rows)) continue;
      Word some = 0;
      for (int64_t row = from + lane; row < from + rows; row += 32) some += runs.value(row);
      some = warp_sum(some);
      if (lane == of) sum = some;
    }
  }
  if (run < runs.count) sums[run] = sum;
}

__global__ void __launch_bounds__(kThreads) add_chunks(const __grid_constant__ Runs runs, Word *sums) {
  SHARED(sum, Word);
  unsigned long long count = *runs.chunk_count < runs.capacity ? *runs.chunk_count : runs.capacity;
  for (unsigned long long at = blockIdx.x; at < count; at += gridDim.x) {
    Chunk chunk = runs.chunks[at];
    if (chunk.run < 0) continue;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    int64_t end = runs.starts[chunk.run] + runs.lengths[chunk.run];
    if (end > chunk.first + runs.of_chunk) end = chunk.first + runs.of_chunk;
    Word some = 0;
    for (int64_t row = chunk.first + threadIdx.x; row < end; row += kThreads) some += runs.value(row);
    some = warp_sum(some);
    if (threadIdx.x % 32 == 0) atomicAdd(&sum, some);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(&sums[chunk.run], sum);
  }
}

}  // namespace

ENTRY(segmented_sum)(const SegmentedSumArgs *args, cudaStream_t stream) {
  int64_t count = args->starts.rows;
  Word *sums = args->alloc.output<Word>(0, count);
  if (sums == nullptr) return cudaErrorMemoryAllocation;
  if (count == 0) return cudaSuccess;
  Runs runs{};
  runs.values = args->values;
  runs.starts = static_cast<const int64_t *>(args->starts.data) + args->starts.offset;
  runs.lengths = static_cast<const int64_t *>(args->lengths.data) + args->lengths.offset;
  runs.count = count;
  runs.of_chunk = small_limits(args->alloc) ? SumPolicy::kSmallChunkRows : SumPolicy::kChunkRows;
  // As many as runs that do not overlap can have.
  runs.capacity = static_cast<unsigned long long>(2 * (args->values.rows / runs.of_chunk) + 1);
  runs.chunks = args->alloc.scratch<Chunk>(static_cast<int64_t>(runs.capacity));
  runs.chunk_count = args->alloc.scratch<unsigned long long>(1);
  if (runs.chunks == nullptr || runs.chunk_count == nullptr) return cudaErrorMemoryAllocation;
  bool has_long = args->values.rows > runs.of_chunk;
  if (has_long) CN_TRY(cudaMemsetAsync(runs.chunk_count, 0, sizeof(*runs.chunk_count), stream));
  CN_TRY(launch(sum_runs, blocks_for(count, kThreads), kThreads, 0, stream, runs, sums));
  if (!has_long) return cudaSuccess;
  unsigned blocks = 0;
  CN_TRY(resident_blocks(&blocks));
  if (blocks > runs.capacity) blocks = static_cast<unsigned>(runs.capacity);
  return launch(add_chunks, blocks, kThreads, 0, stream, runs, sums);
}

}  // namespace CN_BUILD
