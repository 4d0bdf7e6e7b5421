// The part of the CUDA runtime API that launchers use. The null stream is an ordinary stream without implicit
// synchronisation.
#pragma once
#include "execution.h"

namespace cn_sim {

cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
const char *cudaGetErrorName(cudaError_t error);
// After a failed launch of the calling thread: the simulator's report.
const char *cudaGetErrorString(cudaError_t error);

cudaError_t cudaMallocAsync(void **out, size_t bytes, cudaStream_t stream);
cudaError_t cudaFreeAsync(void *p, cudaStream_t stream);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream);
cudaError_t cudaMemsetAsync(void *to, int byte, size_t bytes, cudaStream_t stream);

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *out, unsigned flags);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags = 0);

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *out, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);

cudaError_t cudaGetDevice(int *device);
cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device);

namespace sim {
cudaError_t set_max_dynamic_shared(const void *kernel, int bytes);
int occupancy(int block, size_t dynamic_shared);
}  // namespace sim

template <class T>
cudaError_t cudaMallocAsync(T **out, size_t bytes, cudaStream_t stream) {
  return cudaMallocAsync((void **)out, bytes, stream);
}

template <class F>
cudaError_t cudaFuncSetAttribute(F *kernel, cudaFuncAttribute attribute, int value) {
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
  return sim::set_max_dynamic_shared((const void *)kernel, value);
}

template <class F>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, F *, int block,
                                                          size_t dynamic_shared) {
  *blocks = sim::occupancy(block, dynamic_shared);
  return cudaSuccess;
}

template <class F>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, F *, size_t dynamic_shared = 0,
                                               int limit = 0) {
  int processors = 0;
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
  *block = limit && limit < 256 ? limit : 256;
  *grid = processors * sim::occupancy(*block, dynamic_shared);
  return cudaSuccess;
}

template <class T>
cudaError_t cudaMemcpyToSymbolAsync(T &symbol, const void *from, size_t bytes, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream) {
  return cudaMemcpyAsync((char *)&symbol + offset, from, bytes, kind, stream);
}

}  // namespace cn_sim
