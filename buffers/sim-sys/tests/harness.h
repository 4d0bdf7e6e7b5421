// Cases of the test program: each has a name and runs in a process of its own.
#pragma once
#include <string>
#include <vector>

#include "kernel.h"

namespace cn_sim {

// Exit codes; the Rust side of the tests uses the same.
enum { exit_correct = 0, exit_wrong = 3, exit_call_failed = 4 };

struct Case {
  const char *name;
  void (*run)();
};
std::vector<Case> &cases();
struct Registration {
  Registration(const char *name, void (*run)()) { cases().push_back({name, run}); }
};
#define CASE(name)                                                   \
  static void name##_case();                                         \
  static const Registration name##_registration(#name, name##_case); \
  static void name##_case()

// A wrong result ends the process.
#define REQUIRE(condition)                                                     \
  do {                                                                         \
    if (!(condition)) {                                                        \
      fprintf(stderr, "wrong: %s at %s:%d\n", #condition, __FILE__, __LINE__); \
      _Exit(exit_wrong);                                                       \
    }                                                                          \
  } while (0)

// So does a failed call; the simulator has printed its report.
inline void ok(cudaError_t error, SIM_LOC) {
  if (!error) return;
  fprintf(stderr, "call failed: %s at %s:%d\n", cudaGetErrorName(error), f_, l_);
  _Exit(exit_call_failed);
}

struct Stream {
  cudaStream_t handle;
  Stream() { ok(cudaStreamCreateWithFlags(&handle, cudaStreamNonBlocking)); }
  ~Stream() { ok(cudaStreamDestroy(handle)); }
  Stream(const Stream &) = delete;
  Stream &operator=(const Stream &) = delete;
  operator cudaStream_t() const { return handle; }
  void synchronize(SIM_LOC) const { ok(cudaStreamSynchronize(handle), SIM_L); }
};

// Device memory with synchronous copies from and to vectors.
template <class T>
struct Array {
  T *p = nullptr;
  size_t n;
  cudaStream_t stream;
  Array(size_t n, cudaStream_t stream) : n(n), stream(stream) {
    ok(cudaMallocAsync(&p, n * sizeof(T), stream));
  }
  Array(const std::vector<T> &values, cudaStream_t stream) : Array(values.size(), stream) {
    ok(cudaMemcpyAsync(p, values.data(), n * sizeof(T), cudaMemcpyHostToDevice, stream));
    ok(cudaStreamSynchronize(stream));
  }
  ~Array() { ok(cudaFreeAsync(p, stream)); }
  Array(const Array &) = delete;
  Array &operator=(const Array &) = delete;
  void fill(int byte) { ok(cudaMemsetAsync(p, byte, n * sizeof(T), stream)); }
  std::vector<T> values(SIM_LOC) const {
    std::vector<T> out(n);
    ok(cudaMemcpyAsync(out.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost, stream), SIM_L);
    ok(cudaStreamSynchronize(stream), SIM_L);
    return out;
  }
};

// xorshift, the same numbers every run.
struct Random {
  unsigned state = 12345;
  unsigned operator()() {
    state ^= state << 13;
    state ^= state >> 17;
    return state ^= state << 5;
  }
};

inline unsigned blocks(size_t n, unsigned block) { return (unsigned)((n + block - 1) / block); }

// Around a warp, a block and several blocks.
inline std::vector<size_t> sizes() { return {1, 31, 32, 33, 255, 256, 257, 1000, 5000}; }

}  // namespace cn_sim
