// The interface between kernel code and the simulator: built-in variables, launches, barriers, shared memory,
// spin points.
#pragma once
#include "types.h"

// The caller's source location, as default arguments: every report names the kernel's file and line.
#define SIM_LOC const char *f_ = __builtin_FILE(), int l_ = __builtin_LINE()
#define SIM_L f_, l_

namespace cn_sim {

extern __thread uint3 threadIdx;
extern __thread uint3 blockIdx;
extern __thread dim3 blockDim;
extern __thread dim3 gridDim;
static constexpr int warpSize = 32;

namespace sim {

// ---- scheduling points ----

// Steps until the running thread yields; negative: preempt_slow.
extern __thread int preempt_budget;
void preempt_slow(SIM_LOC);

// A point where the schedule may change: every atomic and fence.
#ifdef CN_SIM_RACE
void preempt(SIM_LOC);
#else
inline void preempt(SIM_LOC) {
  if (__builtin_expect(--preempt_budget < 0, 0)) preempt_slow(SIM_L);
}
#endif

// A point where a thread may be spinning until another thread makes progress.
void spin_hint(SIM_LOC);

// While quiet, code that runs for a thread (a std:: algorithm of the CUB replacement) is neither preempted
// nor checked for races.
void quiet(bool);

// Reports a memory fence to the race checker.
#ifdef CN_SIM_RACE
void fence();
#else
inline void fence() {}
#endif

// Ends the launch with a report and does not return.
[[noreturn]] void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

// ---- barriers ----

enum class BarrierKind : uint8_t { Plain, Count, And, Or };
int barrier(BarrierKind kind, int predicate, SIM_LOC);
void grid_barrier(SIM_LOC);
bool is_cooperative();

// ---- shared memory ----

// One for each SHARED declaration (in a template, for each instantiation); id 0 before its first use.
struct SharedSite {
  size_t size, align;
  const char *name, *file;
  int line;
  int id;
};
// The running block's object of a site, created on first use and filled with 0xCB.
void *shared_slot(SharedSite &site);
void *dyn_smem();
size_t dyn_smem_size();

// Lets a macro take an array type such as int[256] as an argument.
template <class T>
struct type_identity {
  using type = T;
};
template <class T>
using type_t = typename type_identity<T>::type;

// ---- launches ----

// A kernel with its arguments: `function(context)` runs threads as long as next_thread() returns true.
struct Kernel {
  void (*function)(void *);
  void *context;
};
struct LaunchConfig {
  dim3 grid, block;
  size_t dynamic_shared;
  cudaStream_t stream;
  bool cooperative;
};

// Work on a stream: a launch, a copy, a CUB algorithm.
using Operation = std::function<cudaError_t()>;
// Runs the operation in stream order: at once, or in lazy mode at the synchronisation that needs it.
cudaError_t on_stream(cudaStream_t stream, Operation operation);

// Checks the configuration as a real launch does, then queues `run` on the stream.
cudaError_t submit(const LaunchConfig &config, const void *kernel, Operation run);
cudaError_t run_grid(const LaunchConfig &config, Kernel kernel);
// Ends the current thread and begins the next one; false if the worker has none left to begin.
bool next_thread();

template <class... P, class... A>
cudaError_t launch_impl(bool cooperative, void (*kernel)(P...), dim3 grid, dim3 block, size_t dynamic_shared,
                        cudaStream_t stream, A &&...a) {
  static_assert(sizeof...(P) == sizeof...(A), "the kernel takes another number of arguments");
  std::tuple<std::remove_cv_t<P>...> args(static_cast<std::remove_cv_t<P>>(std::forward<A>(a))...);
  LaunchConfig config{grid, block, dynamic_shared, stream, cooperative};
  return submit(config, (const void *)kernel, [config, kernel, args]() {
    struct Call {
      void (*kernel)(P...);
      const std::tuple<std::remove_cv_t<P>...> *args;
    } call{kernel, &args};
    auto worker = [](void *context) {
      auto *call = static_cast<Call *>(context);
      while (next_thread()) std::apply(call->kernel, *call->args);
    };
    return run_grid(config, Kernel{worker, &call});
  });
}

}  // namespace sim

inline void __syncthreads(SIM_LOC) { sim::barrier(sim::BarrierKind::Plain, 0, SIM_L); }
inline int __syncthreads_count(int p, SIM_LOC) { return sim::barrier(sim::BarrierKind::Count, !!p, SIM_L); }
inline int __syncthreads_and(int p, SIM_LOC) { return sim::barrier(sim::BarrierKind::And, !!p, SIM_L); }
inline int __syncthreads_or(int p, SIM_LOC) { return sim::barrier(sim::BarrierKind::Or, !!p, SIM_L); }

inline void __trap(SIM_LOC) { sim::fail("__trap() at %s:%d", f_, l_); }
inline void __nanosleep(unsigned, SIM_LOC) { sim::spin_hint(SIM_L); }

}  // namespace cn_sim
