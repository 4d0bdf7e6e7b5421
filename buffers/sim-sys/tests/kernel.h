// The kernels' portability macros, for the simulator's own tests, which cannot depend on that package.
#pragma once
#include <cuda_runtime.h>

#ifdef CN_PTX
// The flavour ptx: nvcc compiles the cases.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
#define SIM_LOC const char *f_ = __FILE__, int l_ = __LINE__
#define SIM_L f_, l_

namespace cn_sim {

namespace sim {
// Grids of this flavour have no barrier: its case is not among those that are run.
__device__ inline void grid_barrier() {}
}  // namespace sim

template <class T>
struct type_id {
  using type = T;
};
template <class T>
using type_t = typename type_id<T>::type;

template <class... P, class... A>
cudaError_t launch(void (*kernel)(P...), dim3 grid, dim3 block, size_t dynamic_shared, cudaStream_t stream,
                   A &&...args) {
  kernel<<<grid, block, dynamic_shared, stream>>>(static_cast<P>(std::forward<A>(args))...);
  return cudaGetLastError();
}

#define SHARED(name, ...) __shared__ type_t<__VA_ARGS__> name
#define DYN_SHARED(name, ...)                                    \
  extern __shared__ __align__(16) unsigned char dyn_smem_raw_[]; \
  type_t<__VA_ARGS__> *name = reinterpret_cast<type_t<__VA_ARGS__> *>(dyn_smem_raw_)

template <class T>
__device__ T load_acquire(const T *p) {
  return __nv_atomic_load_n(const_cast<T *>(p), __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);
}
template <class T>
__device__ void store_release(T *p, T value) {
  __nv_atomic_store_n(p, value, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
}
__device__ inline void spin_pause() { __nanosleep(20); }

}  // namespace cn_sim
#else

namespace cn_sim {

template <class... P, class... A>
cudaError_t launch(void (*kernel)(P...), dim3 grid, dim3 block, size_t dynamic_shared, cudaStream_t stream,
                   A &&...args) {
  return sim::launch_impl(false, kernel, grid, block, dynamic_shared, stream, std::forward<A>(args)...);
}

template <class... P, class... A>
cudaError_t launch_cooperative(void (*kernel)(P...), dim3 grid, dim3 block, size_t dynamic_shared,
                               cudaStream_t stream, A &&...args) {
  return sim::launch_impl(true, kernel, grid, block, dynamic_shared, stream, std::forward<A>(args)...);
}

#define SHARED(name, ...)                                                                                 \
  static sim::SharedSite name##_site{                                                                     \
      sizeof(sim::type_t<__VA_ARGS__>), alignof(sim::type_t<__VA_ARGS__>), #name, __FILE__, __LINE__, 0}; \
  auto &name = *(sim::type_t<__VA_ARGS__> *)sim::shared_slot(name##_site)
#define DYN_SHARED(name, ...) auto *name = (sim::type_t<__VA_ARGS__> *)sim::dyn_smem()

template <class T>
T load_acquire(const T *p, SIM_LOC) {
  sim::spin_hint(SIM_L);
  return __atomic_load_n(p, __ATOMIC_ACQUIRE);
}
template <class T>
void store_release(T *p, T value, SIM_LOC) {
  sim::preempt(SIM_L);
  __atomic_store_n(p, value, __ATOMIC_RELEASE);
}
inline void spin_pause(SIM_LOC) { sim::spin_hint(SIM_L); }

}  // namespace cn_sim
#endif
