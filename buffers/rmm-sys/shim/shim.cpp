#include "shim.h"

#include <cuda_runtime_api.h>

#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <rmm/cuda_device.hpp>
#include <rmm/error.hpp>
#include <rmm/mr/arena_memory_resource.hpp>
#include <rmm/mr/binning_memory_resource.hpp>
#include <rmm/mr/callback_memory_resource.hpp>
#include <rmm/mr/cuda_async_memory_resource.hpp>
#include <rmm/mr/cuda_memory_resource.hpp>
#include <rmm/mr/failure_callback_resource_adaptor.hpp>
#include <rmm/mr/limiting_resource_adaptor.hpp>
#include <rmm/mr/pinned_host_memory_resource.hpp>
#include <rmm/mr/pool_memory_resource.hpp>
#include <rmm/mr/statistics_resource_adaptor.hpp>
#include <rmm/mr/tracking_resource_adaptor.hpp>
#include <rmm/version_config.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

using erased = cuda::mr::any_resource<cuda::mr::device_accessible>;

// The variant keeps a typed handle, if the type has functions that the type-erased resource lacks; copies of
// a resource share its state.
using typed = std::variant<std::monostate, rmm::mr::cuda_async_memory_resource,
                           rmm::mr::statistics_resource_adaptor, rmm::mr::tracking_resource_adaptor>;

struct columnade_rmm_resource {
  erased memory;
  typed self;
};

namespace {

thread_local std::string last_text;

struct no_device : std::runtime_error {
  using std::runtime_error::runtime_error;
};

columnade_rmm_status fail(columnade_rmm_status status, char const *text) noexcept {
  try {
    last_text = text;
  } catch (...) {
    last_text.clear();
  }
  return status;
}

template <class Body>
columnade_rmm_status guard(Body body) noexcept {
  try {
    body();
    return COLUMNADE_RMM_OK;
  } catch (no_device const &error) {
    return fail(COLUMNADE_RMM_NO_DEVICE, error.what());
  } catch (std::bad_alloc const &error) {  // rmm::out_of_memory and rmm::bad_alloc among them
    return fail(COLUMNADE_RMM_OUT_OF_MEMORY, error.what());
  } catch (std::exception const &error) {
    return fail(COLUMNADE_RMM_FAILED, error.what());
  } catch (...) {
    return fail(COLUMNADE_RMM_FAILED, "an exception of unknown type");
  }
}

// Without a driver RMM reports the first feature that it checks, so check for the driver first.
void require_device() {
  int count = 0;
  cudaError_t const status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess) {
    cudaGetLastError();
    throw no_device{cudaGetErrorString(status)};
  }
  if (count == 0) {
    throw no_device{"no CUDA device"};
  }
}

void check(cudaError_t status) {
  if (status != cudaSuccess) {
    cudaGetLastError();
    throw std::runtime_error{cudaGetErrorString(status)};
  }
}

std::optional<std::size_t> optional(size_t const *value) {
  return value == nullptr ? std::nullopt : std::optional<std::size_t>{*value};
}

template <class Resource>
columnade_rmm_resource *box(Resource resource) {
  return new columnade_rmm_resource{resource, typed{}};
}

template <class Resource>
columnade_rmm_resource *box_typed(Resource resource) {
  return new columnade_rmm_resource{resource, typed{resource}};
}

template <class Resource>
Resource const &as(columnade_rmm_resource const *resource, char const *otherwise) {
  if (auto const *self = std::get_if<Resource>(&resource->self)) {
    return *self;
  }
  throw std::invalid_argument{otherwise};
}

rmm::mr::cuda_async_memory_resource const &as_async(columnade_rmm_resource const *resource) {
  return as<rmm::mr::cuda_async_memory_resource>(resource, "not a CUDA-asynchronous resource");
}

std::size_t attribute(cudaMemPool_t pool, cudaMemPoolAttr name) {
  cuuint64_t value = 0;
  check(cudaMemPoolGetAttribute(pool, name, &value));
  return value;
}

cuda::stream_ref as_stream(void *stream) { return cuda::stream_ref{static_cast<cudaStream_t>(stream)}; }

}  // namespace

extern "C" {

const char *columnade_rmm_last_error(void) { return last_text.c_str(); }

uint32_t columnade_rmm_version(void) { return RMM_VERSION_MAJOR * 100 + RMM_VERSION_MINOR; }

columnade_rmm_status columnade_rmm_device_memory(size_t *free_bytes, size_t *total_bytes) {
  return guard([&] {
    require_device();
    std::tie(*free_bytes, *total_bytes) = rmm::available_device_memory();
  });
}

columnade_rmm_status columnade_rmm_make_cuda(columnade_rmm_resource **out) {
  return guard([&] {
    require_device();
    *out = box(rmm::mr::cuda_memory_resource{});
  });
}

columnade_rmm_status columnade_rmm_make_cuda_async(const size_t *initial_bytes,
                                                   const size_t *release_threshold,
                                                   columnade_rmm_resource **out) {
  return guard([&] {
    require_device();
    *out =
        box_typed(rmm::mr::cuda_async_memory_resource{optional(initial_bytes), optional(release_threshold)});
  });
}

columnade_rmm_status columnade_rmm_make_pinned_host(columnade_rmm_resource **out) {
  return guard([&] {
    require_device();
    *out = box(rmm::mr::pinned_host_memory_resource{});
  });
}

columnade_rmm_status columnade_rmm_make_callback(columnade_rmm_on_allocate allocate,
                                                 columnade_rmm_on_deallocate deallocate, void *state,
                                                 columnade_rmm_on_drop drop, columnade_rmm_resource **out) {
  return guard([&] {
    std::shared_ptr<void> const owner{state, drop};
    *out = box(rmm::mr::callback_memory_resource{
        [allocate, owner](std::size_t bytes, cuda::stream_ref stream, void *) {
          void *const memory = allocate(bytes, stream.get(), owner.get());
          if (memory == nullptr) {
            throw rmm::out_of_memory{"the callback gave no memory"};
          }
          return memory;
        },
        [deallocate, owner](void *memory, std::size_t bytes, cuda::stream_ref stream, void *) {
          deallocate(memory, bytes, stream.get(), owner.get());
        }});
  });
}

columnade_rmm_status columnade_rmm_make_pool(const columnade_rmm_resource *upstream, size_t initial_bytes,
                                             const size_t *maximum_bytes, columnade_rmm_resource **out) {
  return guard([&] {
    require_device();
    *out = box(rmm::mr::pool_memory_resource{upstream->memory, initial_bytes, optional(maximum_bytes)});
  });
}

columnade_rmm_status columnade_rmm_make_arena(const columnade_rmm_resource *upstream, const size_t *bytes,
                                              columnade_rmm_resource **out) {
  return guard([&] {
    require_device();
    *out = box(rmm::mr::arena_memory_resource{upstream->memory, optional(bytes)});
  });
}

columnade_rmm_status columnade_rmm_make_binning(const columnade_rmm_resource *upstream,
                                                int8_t minimum_exponent, int8_t maximum_exponent,
                                                columnade_rmm_resource **out) {
  return guard([&] {
    require_device();
    *out = box(rmm::mr::binning_memory_resource{upstream->memory, minimum_exponent, maximum_exponent});
  });
}

columnade_rmm_status columnade_rmm_make_limiting(const columnade_rmm_resource *upstream, size_t bytes,
                                                 columnade_rmm_resource **out) {
  return guard([&] { *out = box(rmm::mr::limiting_resource_adaptor{upstream->memory, bytes}); });
}

columnade_rmm_status columnade_rmm_make_statistics(const columnade_rmm_resource *upstream,
                                                   columnade_rmm_resource **out) {
  return guard([&] { *out = box_typed(rmm::mr::statistics_resource_adaptor{upstream->memory}); });
}

columnade_rmm_status columnade_rmm_make_tracking(const columnade_rmm_resource *upstream,
                                                 columnade_rmm_resource **out) {
  return guard([&] { *out = box_typed(rmm::mr::tracking_resource_adaptor{upstream->memory}); });
}

columnade_rmm_status columnade_rmm_make_failure_callback(const columnade_rmm_resource *upstream,
                                                         columnade_rmm_on_failure failure, void *state,
                                                         columnade_rmm_on_drop drop,
                                                         columnade_rmm_resource **out) {
  return guard([&] {
    std::shared_ptr<void> const owner{state, drop};
    *out = box(rmm::mr::failure_callback_resource_adaptor<>{
        upstream->memory,
        [failure, owner](std::size_t bytes, void *) { return failure(bytes, owner.get()) != 0; }, nullptr});
  });
}

columnade_rmm_status columnade_rmm_allocate(columnade_rmm_resource *resource, size_t bytes, size_t alignment,
                                            void *stream, void **out) {
  return guard([&] { *out = resource->memory.allocate(as_stream(stream), bytes, alignment); });
}

columnade_rmm_status columnade_rmm_deallocate(columnade_rmm_resource *resource, void *memory, size_t bytes,
                                              size_t alignment, void *stream) {
  return guard([&] { resource->memory.deallocate(as_stream(stream), memory, bytes, alignment); });
}

columnade_rmm_status columnade_rmm_counters(const columnade_rmm_resource *resource,
                                            columnade_rmm_counter *bytes,
                                            columnade_rmm_counter *allocations) {
  return guard([&] {
    auto const &self = as<rmm::mr::statistics_resource_adaptor>(resource, "not a statistics resource");
    auto const b = self.get_bytes_counter();
    auto const a = self.get_allocations_counter();
    *bytes = {b.value, b.peak, b.total};
    *allocations = {a.value, a.peak, a.total};
  });
}

columnade_rmm_status columnade_rmm_outstanding(const columnade_rmm_resource *resource, size_t *bytes,
                                               const char **report) {
  return guard([&] {
    auto const &self = as<rmm::mr::tracking_resource_adaptor>(resource, "not a tracking resource");
    last_text = self.get_outstanding_allocations_str();
    *bytes = self.get_allocated_bytes();
    *report = last_text.c_str();
  });
}

columnade_rmm_status columnade_rmm_pool_usage(const columnade_rmm_resource *resource, size_t *reserved_bytes,
                                              size_t *used_bytes) {
  return guard([&] {
    cudaMemPool_t const pool = as_async(resource).pool_handle();
    std::size_t const reserved = attribute(pool, cudaMemPoolAttrReservedMemCurrent);
    *used_bytes = attribute(pool, cudaMemPoolAttrUsedMemCurrent);
    *reserved_bytes = reserved;
  });
}

columnade_rmm_status columnade_rmm_trim(columnade_rmm_resource *resource, size_t keep_bytes) {
  return guard([&] { check(cudaMemPoolTrimTo(as_async(resource).pool_handle(), keep_bytes)); });
}

void columnade_rmm_drop(columnade_rmm_resource *resource) {
  guard([&] { delete resource; });
}

}  // extern "C"
