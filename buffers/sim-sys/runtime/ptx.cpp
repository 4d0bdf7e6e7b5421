// The CUDA runtime for objects that nvcc compiled, in the flavour ptx: their functions under CUDA's own names,
// in front of the simulator's streams, memory and errors. Launches are executed by buffers/ptx.
//
// Only what launchers, CUB's host code and nvcc's host stubs call; a function that is missing here is an
// undefined symbol of the program.
#include "ptx.h"
#ifdef CN_SIM_PTX
#include <cstdlib>
#include <memory>
#include <vector>

#include "errors.h"
#include "memory.h"
#include "options.h"

using namespace cn_sim::sim;
using cn_sim::cudaError_t;
using cn_sim::cudaStream_t;
using cn_sim::dim3;

extern "C" {
// Declared and documented in buffers/ptx/src/runtime/interface.rs.
struct CnPtxOptions {
  uint64_t seed, hang_ticks;
  uint32_t resident, quantum, shuffle_blocks, strict_exit, check_order;
};
struct CnPtxLaunch {
  uint32_t grid[3], block[3];
  size_t dynamic_shared;
  uint32_t cooperative;
};
struct CnPtxKernel {
  size_t shared, local;
  uint32_t max_threads;
};
struct CnPtxPending;
const char *cn_ptx_last_report();
void cn_ptx_options(const CnPtxOptions *options);
size_t cn_ptx_register_object(const void *container);
void cn_ptx_register_function(size_t object, const void *host, const char *name);
int32_t cn_ptx_describe(const void *host, CnPtxKernel *out);
int32_t cn_ptx_prepare(const void *host, const void *const *args, CnPtxPending **out);
int32_t cn_ptx_run(const CnPtxPending *pending, const CnPtxLaunch *launch);
void cn_ptx_drop(CnPtxPending *pending);
void cn_ptx_report(const char *path);
}

namespace {

// The last report as an error of the calling thread, and on the terminal.
cudaError_t fail(int32_t code) {
  fprintf(stderr, "%s\n", cn_ptx_last_report());
  return fail_call((cudaError_t)code, cn_ptx_last_report());
}

// Once, before the first launch.
void set_options() {
  static const bool once = [] {
    const Options &o = options();
    CnPtxOptions chosen{o.seed, (uint64_t)o.hang_ticks, o.resident_blocks, (uint32_t)o.preempt_steps,
                        o.shuffle_blocks, o.strict_exit, o.check_order};
    cn_ptx_options(&chosen);
    if (getenv("COLUMNADE_SIM_REPORT")) atexit([] { cn_ptx_report(getenv("COLUMNADE_SIM_REPORT")); });
    return true;
  }();
  (void)once;
}

cudaError_t launch(const void *host, dim3 grid, dim3 block, const void *const *args, size_t dynamic_shared,
                   cudaStream_t stream, bool cooperative) {
  set_options();
  CnPtxPending *prepared = nullptr;
  if (int32_t code = cn_ptx_prepare(host, args, &prepared)) return fail(code);
  std::shared_ptr<CnPtxPending> pending(prepared, cn_ptx_drop);
  LaunchConfig config{grid, block, dynamic_shared, stream, cooperative};
  return submit(config, host, [=] {
    CnPtxLaunch how{{grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, dynamic_shared, cooperative};
    int32_t code = cn_ptx_run(pending.get(), &how);
    return code ? fail(code) : cn_sim::cudaSuccess;
  });
}

struct Configuration {
  dim3 grid, block;
  size_t dynamic_shared;
  void *stream;
};
// Between <<<>>> and the host stub of its kernel.
thread_local std::vector<Configuration> configurations;

struct Wrapper {
  int32_t magic, version;
  const void *container;
  void *file;
};

struct Attribute {
  int32_t id;
  char padding[4];
  union {
    char bytes[64];
    int32_t cooperative;
  } value;
};
constexpr int32_t attribute_cooperative = 2;

struct LaunchConfigEx {
  dim3 grid, block;
  size_t dynamic_shared;
  void *stream;
  const Attribute *attributes;
  uint32_t attribute_count;
};

// The first fields of cudaFuncAttributes.
struct FuncAttributes {
  size_t shared, constant, local;
  int32_t max_threads, registers, ptx_version, binary_version;
};

int occupancy_of(const void *kernel, int block, size_t dynamic_shared) {
  CnPtxKernel known{};
  if (cn_ptx_describe(kernel, &known)) known = {};
  return occupancy(block, dynamic_shared + known.shared);
}

}  // namespace

extern "C" {

void **__cudaRegisterFatBinary(void *wrapper) {
  size_t object = cn_ptx_register_object(((const Wrapper *)wrapper)->container);
  return (void **)(object + 1);
}
void __cudaRegisterFatBinaryEnd(void **) {}
void __cudaUnregisterFatBinary(void **) {}
char __cudaInitModule(void **) { return 1; }
void __cudaRegisterVar(void **, char *, char *, const char *, int, size_t, int, int) {}
void __cudaRegisterFunction(void **object, const char *host, char *, const char *name, int, void *, void *, void *,
                            void *, int *) {
  cn_ptx_register_function((size_t)object - 1, host, name);
}
cudaError_t __cudaGetKernel(const void **out, const void *host) {
  *out = host;
  return cn_sim::cudaSuccess;
}
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t dynamic_shared, void *stream) {
  configurations.push_back({grid, block, dynamic_shared, stream});
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *dynamic_shared, void **stream) {
  if (configurations.empty()) return fail_call(cn_sim::cudaErrorInvalidConfiguration);
  Configuration last = configurations.back();
  configurations.pop_back();
  *grid = last.grid;
  *block = last.block;
  *dynamic_shared = last.dynamic_shared;
  *stream = last.stream;
  return cn_sim::cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void *host, dim3 grid, dim3 block, void **args, size_t dynamic_shared,
                             void *stream) {
  return launch(host, grid, block, args, dynamic_shared, (cudaStream_t)stream, false);
}
cudaError_t __cudaLaunchKernel(const void *host, dim3 grid, dim3 block, void **args, size_t dynamic_shared,
                               void *stream) {
  return cudaLaunchKernel(host, grid, block, args, dynamic_shared, stream);
}
cudaError_t cudaLaunchCooperativeKernel(const void *host, dim3 grid, dim3 block, void **args, size_t dynamic_shared,
                                        void *stream) {
  return launch(host, grid, block, args, dynamic_shared, (cudaStream_t)stream, true);
}
cudaError_t cudaLaunchKernelExC(const LaunchConfigEx *config, const void *host, void **args) {
  bool cooperative = false;
  for (uint32_t i = 0; i < config->attribute_count; i++) {
    const Attribute &attribute = config->attributes[i];
    cooperative |= attribute.id == attribute_cooperative && attribute.value.cooperative;
  }
  return launch(host, config->grid, config->block, args, config->dynamic_shared, (cudaStream_t)config->stream,
                cooperative);
}

cudaError_t cudaGetLastError() { return cn_sim::cudaGetLastError(); }
cudaError_t cudaPeekAtLastError() { return cn_sim::cudaPeekAtLastError(); }
const char *cudaGetErrorName(cudaError_t error) { return cn_sim::cudaGetErrorName(error); }
const char *cudaGetErrorString(cudaError_t error) { return cn_sim::cudaGetErrorString(error); }

cudaError_t cudaMallocAsync(void **out, size_t bytes, void *stream) {
  return cn_sim::cudaMallocAsync(out, bytes, (cudaStream_t)stream);
}
cudaError_t cudaFreeAsync(void *p, void *stream) { return cn_sim::cudaFreeAsync(p, (cudaStream_t)stream); }
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind, void *stream) {
  return cn_sim::cudaMemcpyAsync(to, from, bytes, (cn_sim::cudaMemcpyKind)kind, (cudaStream_t)stream);
}
cudaError_t cudaMemsetAsync(void *to, int byte, size_t bytes, void *stream) {
  return cn_sim::cudaMemsetAsync(to, byte, bytes, (cudaStream_t)stream);
}
cudaError_t cudaStreamCreateWithFlags(void **out, unsigned flags) {
  return cn_sim::cudaStreamCreateWithFlags((cudaStream_t *)out, flags);
}
cudaError_t cudaStreamDestroy(void *stream) { return cn_sim::cudaStreamDestroy((cudaStream_t)stream); }
cudaError_t cudaStreamSynchronize(void *stream) { return cn_sim::cudaStreamSynchronize((cudaStream_t)stream); }
cudaError_t cudaStreamQuery(void *stream) { return cn_sim::cudaStreamQuery((cudaStream_t)stream); }

cudaError_t cudaSetDevice(int device) {
  return device ? fail_call(cn_sim::cudaErrorInvalidDevice) : cn_sim::cudaSuccess;
}
cudaError_t cudaGetDevice(int *device) { return cn_sim::cudaGetDevice(device); }
cudaError_t cudaGetDeviceCount(int *count) {
  *count = 1;
  return cn_sim::cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int *value, int attribute, int device) {
  // What CUB asks and no simulated launcher does; limits of compute capability 9.0.
  switch (device ? -1 : attribute) {
    case 2:  // cudaDevAttrMaxBlockDimX
    case 3: *value = 1024; return cn_sim::cudaSuccess;
    case 4: *value = 64; return cn_sim::cudaSuccess;
    case 5: *value = 0x7fffffff; return cn_sim::cudaSuccess;  // cudaDevAttrMaxGridDimX
    case 6:
    case 7: *value = 65535; return cn_sim::cudaSuccess;
    case 12:  // cudaDevAttrMaxRegistersPerBlock
    case 82: *value = 65536; return cn_sim::cudaSuccess;  // cudaDevAttrMaxRegistersPerMultiprocessor
    case 81: *value = 228 << 10; return cn_sim::cudaSuccess;  // cudaDevAttrMaxSharedMemoryPerMultiprocessor
    default: break;
  }
  return cn_sim::cudaDeviceGetAttribute(value, (cn_sim::cudaDeviceAttr)attribute, device);
}
cudaError_t cudaFuncSetAttribute(const void *host, int attribute, int value) {
  if (attribute != cn_sim::cudaFuncAttributeMaxDynamicSharedMemorySize) return cn_sim::cudaSuccess;
  return set_max_dynamic_shared(host, value);
}
cudaError_t cudaFuncGetAttributes(FuncAttributes *out, const void *host) {
  CnPtxKernel known{};
  if (int32_t code = cn_ptx_describe(host, &known)) return fail(code);
  *out = {known.shared, 0, known.local, (int32_t)known.max_threads, 32, 90, 90};
  return cn_sim::cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *host, int block,
                                                          size_t dynamic_shared) {
  *blocks = occupancy_of(host, block, dynamic_shared);
  return cn_sim::cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *host, int block,
                                                                   size_t dynamic_shared, unsigned) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, host, block, dynamic_shared);
}

}  // extern "C"
#endif
