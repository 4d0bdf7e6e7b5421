// Element-wise kernels that move 16 bytes a thread.
#pragma once
#include "operand.cuh"

namespace CN_BUILD {

// Neighbouring rows of a thread whose results are of type T.
template <class T>
constexpr int kVectorRows = VectorPolicy::kBytes / static_cast<int>(sizeof(T));

// As many values as one load or store moves.
template <class T, int kRows>
struct alignas(sizeof(T) * kRows < 16 ? sizeof(T) * kRows : 16) Vector {
  T values[kRows];
};

// One load. `from` is aligned to V. In the simulator a copy: where another branch loads the same bytes one by one, GCC 12
// joins the two and takes the alignment of this one for both.
template <class V>
__device__ __forceinline__ V load_aligned(const void *from) {
#ifdef __CUDA_SIM__
  V vector;
  memcpy(&vector, from, sizeof(V));
  return vector;
#else
  return *static_cast<const V *>(from);
#endif
}

// The first row of this thread, and how many of its rows exist.
template <int kRows>
__device__ __forceinline__ int64_t vector_rows(int64_t rows, int *count) {
  int64_t first = thread_index() * kRows;
  int64_t left = rows - first;
  *count = left >= kRows ? kRows : left > 0 ? static_cast<int>(left) : 0;
  return first;
}

// `count` of kRows values from `row` on: in loads of up to 16 bytes where all exist and are aligned.
template <int kRows, class T>
__device__ __forceinline__ void load_vector(const T *values, int64_t row, int count, T (&out)[kRows]) {
  const T *from = values + row;
  constexpr int kLoad = kVectorRows<T> < kRows ? kVectorRows<T> : kRows;
  if (count == kRows && reinterpret_cast<uintptr_t>(from) % alignof(Vector<T, kLoad>) == 0) {
#pragma unroll
    for (int k = 0; k < kRows; k += kLoad) {
      Vector<T, kLoad> load = load_aligned<Vector<T, kLoad>>(from + k);
#pragma unroll
      for (int i = 0; i < kLoad; i++) out[k + i] = load.values[i];
    }
  } else {
#pragma unroll
    for (int k = 0; k < kRows; k++) out[k] = k < count ? from[k] : T{};
  }
}

template <int kRows, class T>
__device__ __forceinline__ void load_vector(const Operand<T> &operand, int64_t row, int count, T (&out)[kRows]) {
  if (operand.values != nullptr) return load_vector(operand.values, row, count, out);
#pragma unroll
  for (int k = 0; k < kRows; k++) out[k] = operand.value;
}

// Stores the rows of this thread; `out` is an output, so row 0 is aligned. With Alloc::unpadded the last thread fills
// the padding: launch with vector_blocks.
template <int kRows, class T>
__device__ __forceinline__ void store_vector(T *out, int64_t row, int count, const T (&values)[kRows]) {
  if (count == kRows) {
    constexpr int kStore = kVectorRows<T> < kRows ? kVectorRows<T> : kRows;
#pragma unroll
    for (int k = 0; k < kRows; k += kStore) {
      Vector<T, kStore> store;
#pragma unroll
      for (int i = 0; i < kStore; i++) store.values[i] = values[k + i];
      *reinterpret_cast<Vector<T, kStore> *>(out + row + k) = store;
    }
  } else {
#pragma unroll
    for (int k = 0; k < kRows; k++) {
      if (k < count) out[row + k] = values[k];
    }
  }
}

// Zeros between the last row and a multiple of kPadding bytes, by the threads whose rows are past the end.
template <int kRows, class T>
__device__ __forceinline__ void store_vector_padded(T *out, int64_t row, int64_t rows, const T (&values)[kRows]) {
  constexpr int64_t kPaddingRows = kPadding / static_cast<int64_t>(sizeof(T));
  int64_t end = (rows + kPaddingRows - 1) / kPaddingRows * kPaddingRows;
  if (row >= end) return;
  T padded[kRows];
#pragma unroll
  for (int k = 0; k < kRows; k++) padded[k] = row + k < rows ? values[k] : T{};
  store_vector(out, row, kRows, padded);
}

// Blocks for the rows and the padding of an output of type T.
template <class T, int kRows = kVectorRows<T>>
unsigned vector_blocks(int64_t rows) {
  constexpr int64_t kPaddingRows = kPadding / static_cast<int64_t>(sizeof(T));
  int64_t end = (rows + kPaddingRows - 1) / kPaddingRows * kPaddingRows;
  return blocks_for(end, static_cast<int64_t>(kThreads) * kRows);
}

}  // namespace CN_BUILD
