// The portability header: everything that a .cu file may use beyond plain CUDA C++, the same under nvcc and
// under the simulator.
//   launch(kernel, grid, block, shared_bytes, stream, args...)   kernel<<<grid, block, shared_bytes, stream>>>(args...)
//   launch_cooperative(...)                                      the same, with grid-wide synchronisation
//   SHARED(name, type)        __shared__ type name               (the type may be an array: SHARED(bins, int[256]))
//   DYN_SHARED(name, type)    extern __shared__ type name[]
//   load_relaxed(p)           reads memory that other threads change with atomics
//   load_acquire(p), store_release(p, v), spin_pause()           the only way to wait for another block
//   ENTRY(op)(const OpArgs *args, cudaStream_t stream)           a C entry, named after the build
//   CN_TRY(call)                                                 returns a CUDA error to the caller of the entry
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include <cuda_runtime.h>

#ifdef __CUDA_SIM__
#define CN_BUILD cn_sim
#define ENTRY(name) extern "C" int32_t cn_sim_##name
namespace cn_sim {
template <class... P, class... A>
inline cudaError_t launch(void (*kernel)(P...), dim3 grid, dim3 block, size_t shared, cudaStream_t stream, A &&...args) {
  return sim::launch_impl(false, kernel, grid, block, shared, stream, std::forward<A>(args)...);
}
template <class... P, class... A>
inline cudaError_t launch_cooperative(void (*kernel)(P...), dim3 grid, dim3 block, size_t shared, cudaStream_t stream,
                                      A &&...args) {
  return sim::launch_impl(true, kernel, grid, block, shared, stream, std::forward<A>(args)...);
}
#define SHARED(name, ...)                                                                                      \
  static sim::SharedSite name##_site_{sizeof(sim::type_t<__VA_ARGS__>),                                        \
                                      alignof(sim::type_t<__VA_ARGS__>), #name, __FILE__, __LINE__, 0};        \
  sim::type_t<__VA_ARGS__> &name = *(sim::type_t<__VA_ARGS__> *)sim::shared_slot(name##_site_)
#define DYN_SHARED(name, ...) sim::type_t<__VA_ARGS__> *name = (sim::type_t<__VA_ARGS__> *)sim::dyn_smem()
template <class T>
inline T load_relaxed(const T *p, SIM_LOC) {
  sim::preempt(SIM_L);
  return __atomic_load_n(p, __ATOMIC_RELAXED);
}
template <class T>
inline T load_acquire(const T *p, SIM_LOC) {
  sim::spin_hint(SIM_L);
  return __atomic_load_n(p, __ATOMIC_ACQUIRE);
}
template <class T>
inline void store_release(T *p, T v, SIM_LOC) {
  sim::preempt(SIM_L);
  __atomic_store_n(p, v, __ATOMIC_RELEASE);
}
inline void spin_pause(SIM_LOC) { sim::spin_hint(SIM_L); }
}  // namespace cn_sim
#else
// Also the flavour `ptx` of the simulator, which excludes a build for GPUs: both may use the same objects.
#define CN_BUILD cn_cuda
#define ENTRY(name) extern "C" int32_t cn_cuda_##name
namespace CN_BUILD {
template <class T>
struct type_id {
  using type = T;
};
template <class T>
using type_t = typename type_id<T>::type;
template <class... P, class... A>
inline cudaError_t launch(void (*kernel)(P...), dim3 grid, dim3 block, size_t shared, cudaStream_t stream, A &&...args) {
  kernel<<<grid, block, shared, stream>>>(static_cast<P>(std::forward<A>(args))...);
  return cudaGetLastError();
}
template <class... P, class... A>
inline cudaError_t launch_cooperative(void (*kernel)(P...), dim3 grid, dim3 block, size_t shared, cudaStream_t stream,
                                      A &&...args) {
  cudaLaunchConfig_t config{};
  cudaLaunchAttribute attribute{};
  config.gridDim = grid;
  config.blockDim = block;
  config.dynamicSmemBytes = shared;
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = 1;
  attribute.id = cudaLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  return cudaLaunchKernelEx(&config, kernel, static_cast<P>(std::forward<A>(args))...);
}
#define SHARED(name, ...) __shared__ type_t<__VA_ARGS__> name
#define DYN_SHARED(name, ...)                                       \
  extern __shared__ __align__(16) unsigned char dyn_smem_raw_[];    \
  type_t<__VA_ARGS__> *name = reinterpret_cast<type_t<__VA_ARGS__> *>(dyn_smem_raw_)
// The compiler's own atomics: <cuda/atomic> emits the same instructions and costs 1.5 s of compile time per
// file.
template <class T>
__device__ __forceinline__ T load_relaxed(const T *p) {
  return __nv_atomic_load_n(const_cast<T *>(p), __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
}
template <class T>
__device__ __forceinline__ T load_acquire(const T *p) {
  return __nv_atomic_load_n(const_cast<T *>(p), __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);
}
template <class T>
__device__ __forceinline__ void store_release(T *p, T v) {
  __nv_atomic_store_n(p, v, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
}
__device__ __forceinline__ void spin_pause() { __nanosleep(20); }
}  // namespace CN_BUILD
#endif

#define CN_TRY(call)                          \
  do {                                        \
    cudaError_t error_ = (call);              \
    if (error_ != cudaSuccess) return error_; \
  } while (0)

// Needs CN_BUILD.
#include "tuning.abi.h"

namespace CN_BUILD {

// Allocates device memory for a running entry, through the Rust launcher.
struct Alloc {
  void *context;
  void *(*take)(void *context, int32_t slot, size_t bytes);

  // Memory until the entry's work is done; null if out of memory (return cudaErrorMemoryAllocation).
  template <class T>
  T *scratch(int64_t n) const {
    return static_cast<T *>(take(context, -1, static_cast<size_t>(n) * sizeof(T)));
  }
  // Page-locked host memory until the entry returns.
  template <class T>
  T *pinned(int64_t n) const {
    return static_cast<T *>(take(context, -2, static_cast<size_t>(n) * sizeof(T)));
  }
  // The output of that number, which the launcher returns to the caller.
  template <class T>
  T *output(int32_t slot, int64_t n) const {
    return static_cast<T *>(take(context, slot, static_cast<size_t>(n) * sizeof(T)));
  }
  // Like `output`; kernels write zeros from its end to the next multiple of kPadding bytes.
  template <class T>
  T *unpadded(int32_t slot, int64_t n) const {
    return static_cast<T *>(take(context, slot | 1 << 30, static_cast<size_t>(n) * sizeof(T)));
  }

  // Copies `n` values from the device to `out`, after the work of the stream so far.
  template <class T>
  cudaError_t read(const T *values, T *out, int64_t n, cudaStream_t stream) const {
    T *copy = pinned<T>(n);
    if (copy == nullptr) return cudaErrorMemoryAllocation;
    size_t bytes = static_cast<size_t>(n) * sizeof(T);
    CN_TRY(cudaMemcpyAsync(copy, values, bytes, cudaMemcpyDeviceToHost, stream));
    CN_TRY(cudaStreamSynchronize(stream));
    memcpy(out, copy, bytes);
    return cudaSuccess;
  }
  // `read` of `n` values, and of one value elsewhere.
  template <class A, class B>
  cudaError_t read_two(const A *values, A *out, int64_t n, const B *value, B *value_out, cudaStream_t stream) const {
    size_t bytes = static_cast<size_t>(n) * sizeof(A);
    size_t words = (bytes + 7) / 8;
    uint64_t *copy = pinned<uint64_t>(static_cast<int64_t>(words) + 1);
    if (copy == nullptr) return cudaErrorMemoryAllocation;
    CN_TRY(cudaMemcpyAsync(copy, values, bytes, cudaMemcpyDeviceToHost, stream));
    CN_TRY(cudaMemcpyAsync(copy + words, value, sizeof(B), cudaMemcpyDeviceToHost, stream));
    CN_TRY(cudaStreamSynchronize(stream));
    memcpy(out, copy, bytes);
    memcpy(value_out, copy + words, sizeof(B));
    return cudaSuccess;
  }
};

// The bytes of a buffer are followed by zeros up to a multiple of this; PADDING_BYTES of the buffers.
constexpr int64_t kPadding = 64;

// Threads per block, unless a kernel chooses otherwise.
constexpr int kThreads = LaunchPolicy::kThreads;

// The number of blocks for one thread per element.
inline unsigned blocks_for(int64_t n, int64_t per_block) { return static_cast<unsigned>((n + per_block - 1) / per_block); }

// Blocks of kThreads threads that the device runs at a time: grids whose blocks each end with atomics have no more.
inline cudaError_t resident_blocks(unsigned *out) {
  int device = 0, processors = 0, threads = 0;
  CN_TRY(cudaGetDevice(&device));
  CN_TRY(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
  CN_TRY(cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device));
  *out = static_cast<unsigned>(processors) * static_cast<unsigned>(threads / kThreads);
  return *out == 0 ? cudaErrorInvalidValue : cudaSuccess;
}

// The element of this thread in a one-dimensional launch.
__device__ __forceinline__ int64_t thread_index() {
  return static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

// Bit i of a bitmask, least significant first. Reads single bytes: bytes past the last bit may not exist.
__device__ __forceinline__ bool get_bit(const uint8_t *bits, int64_t i) { return (bits[i >> 3] >> (i & 7)) & 1; }

}  // namespace CN_BUILD
