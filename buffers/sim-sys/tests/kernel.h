// The kernels' portability macros, for the simulator's own tests, which cannot depend on that package.
#pragma once
#include <cuda_runtime.h>

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
