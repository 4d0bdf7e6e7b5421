#include "memory.h"

#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

#include "errors.h"
#include "options.h"
#include "ptx.h"

namespace cn_sim {
namespace sim {
namespace {

constexpr size_t alignment = 256;
// New memory has arbitrary contents on a GPU; here the contents are always the same.
constexpr int garbage = 0xA5;

// Live allocations, in shards, so that threads seldom contend.
struct alignas(128) Live {
  std::mutex mutex;
  std::map<uintptr_t, size_t> sizes;
  uint64_t bytes = 0;
};
using LiveParts = std::array<Live, 16>;
// Of all parts, for the peak.
std::atomic<uint64_t> live_bytes{0}, peak_bytes{0};
void add_live(uint64_t bytes) {
  uint64_t now = live_bytes.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  uint64_t peak = peak_bytes.load(std::memory_order_relaxed);
  while (now > peak && !peak_bytes.compare_exchange_weak(peak, now, std::memory_order_relaxed)) {
  }
}

LiveParts &live_parts() {
  static LiveParts &made_once = *new LiveParts;
  return made_once;
}
Live &live(const void *p) {
  // The upper bits of a product by the golden ratio: pages of the heaps of two threads differ in upper bits only.
  return live_parts()[((uintptr_t)p >> 12) * 0x9e3779b97f4a7c15ull >> 60];
}

}  // namespace

cudaError_t allocate(void **out, size_t bytes) {
  *out = nullptr;
  if (bytes == 0) return cudaSuccess;
  void *p = nullptr;
  if (options().protect_memory) {
    p = arena_allocate(bytes);
    if (!p) return fail_call(cudaErrorMemoryAllocation);
  } else if (posix_memalign(&p, alignment, bytes)) {
    return fail_call(cudaErrorMemoryAllocation);
  }
  {
    DeviceAccess access;
    memset(p, garbage, bytes);
  }
  Live &part = live(p);
  std::lock_guard<std::mutex> lock(part.mutex);
  part.sizes[(uintptr_t)p] = bytes;
  part.bytes += bytes;
  add_live(bytes);
  note_allocation(p, bytes);
  *out = p;
  return cudaSuccess;
}

cudaError_t release(void *p) {
  if (!p) return cudaSuccess;
  size_t bytes = 0;
  {
    Live &part = live(p);
    std::lock_guard<std::mutex> lock(part.mutex);
    auto found = part.sizes.find((uintptr_t)p);
    if (found == part.sizes.end()) {
      fprintf(stderr, "sim: %p is freed, but it is no live allocation\n", p);
      return fail_call(cudaErrorInvalidValue);
    }
    bytes = found->second;
    part.bytes -= bytes;
    live_bytes.fetch_sub(bytes, std::memory_order_relaxed);
    part.sizes.erase(found);
    note_free(p);
  }
  if (options().protect_memory) {
    arena_release(p, bytes);
  } else {
    free(p);
  }
  return cudaSuccess;
}

size_t bytes_from(const void *p) {
  uintptr_t address = (uintptr_t)p;
  // An allocation is in the part of its start, which an address within it does not tell.
  for (Live &part : live_parts()) {
    std::lock_guard<std::mutex> lock(part.mutex);
    auto after = part.sizes.upper_bound(address);
    if (after == part.sizes.begin()) continue;
    auto [start, size] = *--after;
    if (address - start < size) return size - (address - start);
  }
  return 0;
}

LiveMemory live_memory() {
  LiveMemory sum{};
  for (Live &part : live_parts()) {
    std::lock_guard<std::mutex> lock(part.mutex);
    sum.allocations += part.sizes.size();
    sum.bytes += part.bytes;
  }
  return sum;
}

namespace {

// Registered host memory: bytes by address.
struct Registered {
  std::mutex mutex;
  std::map<uintptr_t, size_t> ranges;
};
Registered &registered() {
  static Registered &made_once = *new Registered;
  return made_once;
}

}  // namespace

cudaError_t register_host(void *p, size_t bytes) {
  std::lock_guard<std::mutex> lock(registered().mutex);
  bool is_new = p && bytes && registered().ranges.emplace((uintptr_t)p, bytes).second;
  return is_new ? cudaSuccess : fail_call(cudaErrorInvalidValue);
}

cudaError_t unregister_host(void *p) {
  std::lock_guard<std::mutex> lock(registered().mutex);
  return registered().ranges.erase((uintptr_t)p) ? cudaSuccess : fail_call(cudaErrorInvalidValue);
}

bool is_registered(const void *p, size_t bytes) {
  std::lock_guard<std::mutex> lock(registered().mutex);
  auto after = registered().ranges.upper_bound((uintptr_t)p);
  if (after == registered().ranges.begin()) return false;
  auto [start, size] = *--after;
  return (uintptr_t)p - start + bytes <= size;
}

uint64_t take_peak() {
  return peak_bytes.exchange(live_bytes.load(std::memory_order_relaxed), std::memory_order_relaxed);
}

}  // namespace sim

using namespace sim;

static cudaError_t refuse(size_t bytes) {
  fprintf(stderr, "sim: %zu bytes are copied or filled, more than an allocation has\n", bytes);
  return fail_call(cudaErrorInvalidValue);
}

static void count_copy(const void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
  if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToHost) return count(Counted::within, bytes);
  bool up = kind == cudaMemcpyHostToDevice;
  count(up ? Counted::to_device : Counted::to_host, bytes);
  if (!is_registered(up ? from : to, bytes)) count(Counted::pageable);
}

cudaError_t cudaMallocAsync(void **out, size_t bytes, cudaStream_t) {
  count_call();
  count(Counted::allocation, bytes);
  return allocate(out, bytes);
}

cudaError_t cudaFreeAsync(void *p, cudaStream_t stream) {
  count_call();
  return on_stream(stream, [p] { return release(p); });
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  count_call();
  count_copy(to, from, bytes, kind);
  return on_stream(stream, [=] {
    if (overruns(to, bytes) || overruns(from, bytes)) return refuse(bytes);
    if (bytes) memmove(to, from, bytes);
    return cudaSuccess;
  });
}

cudaError_t cudaMemsetAsync(void *to, int byte, size_t bytes, cudaStream_t stream) {
  count_call();
  count(Counted::memset, bytes);
  return on_stream(stream, [=] {
    if (overruns(to, bytes)) return refuse(bytes);
    if (bytes) memset(to, byte, bytes);
    return cudaSuccess;
  });
}

}  // namespace cn_sim
