// Count ones: a grid of at most kBlocks blocks strides over the 32-bit words; each block adds its sum to the
// total with one integer atomic, so the order does not affect the result. Reads n/8 bytes.
#include "count.abi.h"
#include "bits.cuh"
#include "limits.cuh"

namespace CN_BUILD {
namespace {

__global__ void count_words(const uint8_t *bits, int64_t offset, int64_t rows, unsigned long long *total) {
  SHARED(sums, unsigned long long[kThreads]);
  unsigned long long sum = 0;
  int64_t stride = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t word = thread_index(); word < words_for(rows); word += stride) {
    sum += __popc(load_word(bits, offset + word * 32, bits_in_word(word, rows), offset + rows));
  }
  sums[threadIdx.x] = sum;
  for (int half = kThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (static_cast<int>(threadIdx.x) < half) sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  if (threadIdx.x == 0) atomicAdd(total, sums[0]);
}

}  // namespace

ENTRY(count_ones)(const CountOnesArgs *args, cudaStream_t stream) {
  *args->ones = 0;
  if (args->rows == 0) return cudaSuccess;
  unsigned long long *total = args->alloc.scratch<unsigned long long>(1);
  if (total == nullptr) return cudaErrorMemoryAllocation;
  CN_TRY(cudaMemsetAsync(total, 0, sizeof(*total), stream));
  unsigned blocks = blocks_for(words_for(args->rows), kThreads);
  unsigned most = small_limits(args->alloc) ? 1 : CountPolicy::kBlocks;
  CN_TRY(launch(count_words, blocks < most ? blocks : most, kThreads, 0, stream,
                static_cast<const uint8_t *>(args->bits), args->offset, args->rows, total));
  return args->alloc.read(reinterpret_cast<int64_t *>(total), args->ones, 1, stream);
}

}  // namespace CN_BUILD
