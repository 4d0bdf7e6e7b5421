// Where rows of known sizes are, from the sum of the sizes of each block: a pass that knows the sizes writes them and the
// sums, the sums are added up, and the next pass adds up the sizes of its block.
#pragma once
#include "primitives.cuh"

namespace CN_BUILD {

// The bytes of the rows of each block, of blocks of kThreads rows and one row more than there are; then the bytes of all
// rows before each block, and at the end the total.
struct BlockBytes {
  int64_t *of_blocks;
  unsigned blocks;

  // False if out of memory. `more`: words after the total.
  bool create(const Alloc &alloc, int64_t rows, int64_t more) {
    blocks = blocks_for(rows + 1, kThreads);
    of_blocks = alloc.scratch<int64_t>(blocks + 1 + more);
    return of_blocks != nullptr;
  }
  // By one thread of each block.
  __device__ __forceinline__ void set(unsigned long long bytes) const {
    of_blocks[blockIdx.x] = static_cast<int64_t>(bytes);
    if (blockIdx.x == 0) of_blocks[blocks] = 0;
  }
  __device__ __forceinline__ int64_t before() const { return of_blocks[blockIdx.x]; }
  int64_t *total() const { return of_blocks + blocks; }
  cudaError_t add_up(const Alloc &alloc, cudaStream_t stream) const {
    return prim::exclusive_sum(alloc, of_blocks, of_blocks, static_cast<int64_t>(blocks) + 1, stream);
  }
};

// The bytes before this thread's row, which has `size`. Every thread of the block must call this.
__device__ __forceinline__ int64_t bytes_before(const BlockBytes &bytes, uint32_t size) {
  SHARED(before_block, int64_t);
  SHARED(sums, uint32_t[kThreads / 32]);
  int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  if (threadIdx.x == 0) before_block = bytes.before();
  uint32_t upto = size;
  for (int step = 1; step < 32; step *= 2) {
    uint32_t other = __shfl_up_sync(0xffffffffu, upto, static_cast<unsigned>(step));
    if (lane >= step) upto += other;
  }
  if (lane == 31) sums[warp] = upto;
  __syncthreads();
  uint32_t in_block = upto - size;
  for (int k = 0; k < warp; k++) in_block += sums[k];
  int64_t before = before_block + in_block;
  // For the next call.
  __syncthreads();
  return before;
}

// Where a row is in the output.
struct RowPlace {
  int64_t start, end;
};

// Rows whose sizes are below 2^32, a thread each.
struct SizedRows {
  // A 0 after the last.
  uint32_t *sizes;
  // In place of the sizes; null if they are not needed.
  uint32_t *offsets;
  BlockBytes bytes;

  // In `sizes`, with `more` words after the total. False if out of memory.
  bool create(const Alloc &alloc, uint32_t *sizes_of_rows, bool has_offsets, int64_t rows, int64_t more) {
    sizes = sizes_of_rows;
    offsets = has_offsets ? sizes : nullptr;
    return sizes != nullptr && bytes.create(alloc, rows, more);
  }
};

// Every thread of a block of kThreads must call this with its row; those past the end are empty.
__device__ __forceinline__ RowPlace place_of(const SizedRows &rows, int64_t row, int64_t count) {
  uint32_t size = row < count ? rows.sizes[row] : 0;
  int64_t start = bytes_before(rows.bytes, size);
  if (rows.offsets != nullptr && row <= count) rows.offsets[row] = static_cast<uint32_t>(start);
  return {start, start + size};
}

// Of rows at offsets. Every lane of the warp must call this with neighbouring rows.
__device__ __forceinline__ RowPlace place_of(const int64_t *offsets, int64_t row, int64_t count) {
  int64_t start = offsets[row < count ? row : count];
  int64_t end = __shfl_down_sync(0xffffffffu, start, 1);
  if (threadIdx.x % 32 == 31) end = offsets[row + 1 < count ? row + 1 : count];
  return {start, end};
}

}  // namespace CN_BUILD
