// Device-wide primitives over CUB; this file has all of them. Each takes its scratch memory from the
// allocator.
#pragma once
#include "limits.cuh"

#include <type_traits>

#include <cub/cub.cuh>

namespace CN_BUILD {
namespace prim {

// Runs a two-phase CUB call: once for the size of its scratch memory, once for the work.
template <class F>
cudaError_t with_scratch(const Alloc &alloc, F call) {
  size_t bytes = 0;
  CN_TRY(call(nullptr, bytes));
  void *scratch = alloc.scratch<uint8_t>(static_cast<int64_t>(bytes > 0 ? bytes : 1));
  if (scratch == nullptr) return cudaErrorMemoryAllocation;
  return call(scratch, bytes);
}

// The values that `of` computes from positions, as an iterator.
template <class Value, class F>
struct Computed {
  using iterator_category = std::random_access_iterator_tag;
  using value_type = Value;
  using difference_type = int64_t;
  using pointer = const Value *;
  using reference = Value;

  F of;
  int64_t first;

  __host__ __device__ Computed operator+(int64_t n) const { return {of, first + n}; }
  __host__ __device__ Computed &operator+=(int64_t n) {
    first += n;
    return *this;
  }
  __host__ __device__ Computed &operator++() { return *this += 1; }
  __host__ __device__ bool operator==(const Computed &other) const { return first == other.first; }
  __host__ __device__ bool operator!=(const Computed &other) const { return first != other.first; }
  __host__ __device__ int64_t operator-(const Computed &other) const { return first - other.first; }
  __device__ Value operator*() const { return of(first); }
  __device__ Value operator[](int64_t n) const { return of(first + n); }
};

// One block, in as many rounds as it takes; `in` may be `out`.
template <class In, class Out>
__global__ void exclusive_sum_of_few(In in, Out out, int64_t n) {
  using Value = std::decay_t<decltype(out[0])>;
  SHARED(sums, Value[kThreads / 32]);
  int lane = static_cast<int>(threadIdx.x) % 32;
  int warp = static_cast<int>(threadIdx.x) / 32;
  Value carry{};
  for (int64_t first = 0; first < n; first += kThreads * ScanPolicy::kThreadValues) {
    int64_t mine = first + static_cast<int64_t>(threadIdx.x) * ScanPolicy::kThreadValues;
    Value values[ScanPolicy::kThreadValues];
    Value sum{};
#pragma unroll
    for (int k = 0; k < ScanPolicy::kThreadValues; k++) {
      values[k] = mine + k < n ? static_cast<Value>(in[mine + k]) : Value{};
      sum += values[k];
    }
    Value before = sum;
    for (int step = 1; step < 32; step *= 2) {
      Value other = __shfl_up_sync(0xffffffffu, before, step);
      if (lane >= step) before += other;
    }
    if (lane == 31) sums[warp] = before;
    __syncthreads();
    Value all{};
    Value running = carry + before - sum;
    for (int w = 0; w < kThreads / 32; w++) {
      if (w < warp) running += sums[w];
      all += sums[w];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < ScanPolicy::kThreadValues; k++) {
      if (mine + k < n) out[mine + k] = running;
      running += values[k];
    }
    carry += all;
  }
}

template <class In, class Out>
cudaError_t exclusive_sum(const Alloc &alloc, In in, Out out, int64_t n, cudaStream_t stream) {
  if (n <= ScanPolicy::kOneBlock && !small_limits(alloc)) {
    if (n == 0) return cudaSuccess;
    return launch(exclusive_sum_of_few<In, Out>, 1, kThreads, 0, stream, in, out, n);
  }
  return with_scratch(alloc, [&](void *t, size_t &b) { return cub::DeviceScan::ExclusiveSum(t, b, in, out, n, stream); });
}
template <class In, class Out>
cudaError_t inclusive_sum(const Alloc &alloc, In in, Out out, int64_t n, cudaStream_t stream) {
  return with_scratch(alloc, [&](void *t, size_t &b) { return cub::DeviceScan::InclusiveSum(t, b, in, out, n, stream); });
}
template <class In, class Out, class Op>
cudaError_t inclusive_scan(const Alloc &alloc, In in, Out out, Op op, int64_t n, cudaStream_t stream) {
  return with_scratch(alloc,
                      [&](void *t, size_t &b) { return cub::DeviceScan::InclusiveScan(t, b, in, out, op, n, stream); });
}
template <class In, class Out, class Op, class T>
cudaError_t exclusive_scan(const Alloc &alloc, In in, Out out, Op op, T init, int64_t n, cudaStream_t stream) {
  return with_scratch(alloc, [&](void *t, size_t &b) {
    return cub::DeviceScan::ExclusiveScan(t, b, in, out, op, init, n, stream);
  });
}
template <class In, class Out, class Op, class T>
cudaError_t reduce(const Alloc &alloc, In in, Out out, int64_t n, Op op, T init, cudaStream_t stream) {
  return with_scratch(alloc,
                      [&](void *t, size_t &b) { return cub::DeviceReduce::Reduce(t, b, in, out, n, op, init, stream); });
}
template <class In, class Flags, class Out, class Count>
cudaError_t select_flagged(const Alloc &alloc, In in, Flags flags, Out out, Count count, int64_t n, cudaStream_t stream) {
  return with_scratch(
      alloc, [&](void *t, size_t &b) { return cub::DeviceSelect::Flagged(t, b, in, flags, out, count, n, stream); });
}
// Stable; bits [low, high) of the keys.
template <class K, class V>
cudaError_t sort_pairs(const Alloc &alloc, const K *keys, K *keys_out, const V *values, V *values_out, int64_t n, int low,
                       int high, cudaStream_t stream) {
  return with_scratch(alloc, [&](void *t, size_t &b) {
    return cub::DeviceRadixSort::SortPairs(t, b, keys, keys_out, values, values_out, n, low, high, stream);
  });
}
// Stable, in place, with a comparison function.
template <class K, class Less>
cudaError_t merge_sort(const Alloc &alloc, K *keys, int64_t n, Less less, cudaStream_t stream) {
  return with_scratch(alloc,
                      [&](void *t, size_t &b) { return cub::DeviceMergeSort::StableSortKeys(t, b, keys, n, less, stream); });
}

}  // namespace prim
}  // namespace CN_BUILD
