/* RMM memory resources behind a C interface.
 *
 * A resource is a handle that shares its upstream: destroying the handle of an upstream leaves its adaptors
 * working. Functions that return a status write their results only if it is COLUMNADE_RMM_OK; no C++ exception
 * leaves them. All may be called from any thread, with the context of the resource's device current. `stream`
 * is a CUDA stream, null for the default one. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif
#ifdef __cplusplus
extern "C" {
#endif

/** A memory resource. */
typedef struct columnade_rmm_resource columnade_rmm_resource;

/** The result of a call. */
typedef enum columnade_rmm_status {
  COLUMNADE_RMM_OK = 0,
  /** Out of memory. */
  COLUMNADE_RMM_OUT_OF_MEMORY = 1,
  /** No driver, a driver older than the toolkit, or no device. */
  COLUMNADE_RMM_NO_DEVICE = 2,
  /** RMM refused the arguments, or CUDA failed. */
  COLUMNADE_RMM_FAILED = 3
} columnade_rmm_status;

/** Called when an allocation of `bytes` fails; nonzero retries. */
typedef int32_t (*columnade_rmm_on_failure)(size_t bytes, void *state);
/** Allocates memory aligned to 256 bytes for use on `stream`; null on failure. */
typedef void *(*columnade_rmm_on_allocate)(size_t bytes, void *stream, void *state);
/** Frees such memory. */
typedef void (*columnade_rmm_on_deallocate)(void *memory, size_t bytes, void *stream, void *state);
/** Called once, when no resource can call a callback with `state` any more. */
typedef void (*columnade_rmm_on_drop)(void *state);

/** One counter of a statistics resource. */
typedef struct columnade_rmm_counter {
  int64_t current;
  int64_t peak;
  int64_t total;
} columnade_rmm_counter;

/** The message of this thread's last failed call. Valid until its next call. */
const char *columnade_rmm_last_error(void);

/** The major version of RMM times 100 plus the minor one, as compiled in. */
uint32_t columnade_rmm_version(void);

/** Free and total bytes of the current device. */
columnade_rmm_status columnade_rmm_device_memory(size_t *free_bytes, size_t *total_bytes);

/** cudaMalloc and cudaFree. */
columnade_rmm_status columnade_rmm_make_cuda(columnade_rmm_resource **out);
/** The driver's stream-ordered allocator, a pool of its own. A null size leaves the choice to RMM. */
columnade_rmm_status columnade_rmm_make_cuda_async(const size_t *initial_bytes,
                                                   const size_t *release_threshold,
                                                   columnade_rmm_resource **out);
/** Page-locked host memory that the device can read. */
columnade_rmm_status columnade_rmm_make_pinned_host(columnade_rmm_resource **out);
/** Memory from the caller's functions. The shim owns `state` after the call, failed or not. */
columnade_rmm_status columnade_rmm_make_callback(columnade_rmm_on_allocate allocate,
                                                 columnade_rmm_on_deallocate deallocate, void *state,
                                                 columnade_rmm_on_drop drop, columnade_rmm_resource **out);

/** A coalescing best-fit pool over `upstream`; a null maximum does not limit it. */
columnade_rmm_status columnade_rmm_make_pool(const columnade_rmm_resource *upstream, size_t initial_bytes,
                                             const size_t *maximum_bytes, columnade_rmm_resource **out);
/** Arenas per thread and stream over `upstream`; a null size takes half of the free memory. */
columnade_rmm_status columnade_rmm_make_arena(const columnade_rmm_resource *upstream, const size_t *bytes,
                                              columnade_rmm_resource **out);
/** Fixed-size bins of 2^minimum to 2^maximum bytes; larger requests go to `upstream`. */
columnade_rmm_status columnade_rmm_make_binning(const columnade_rmm_resource *upstream,
                                                int8_t minimum_exponent, int8_t maximum_exponent,
                                                columnade_rmm_resource **out);
/** Refuses allocations that would exceed `bytes` bytes in use. */
columnade_rmm_status columnade_rmm_make_limiting(const columnade_rmm_resource *upstream, size_t bytes,
                                                 columnade_rmm_resource **out);
/** Counts bytes and allocations. */
columnade_rmm_status columnade_rmm_make_statistics(const columnade_rmm_resource *upstream,
                                                   columnade_rmm_resource **out);
/** Records every outstanding allocation. */
columnade_rmm_status columnade_rmm_make_tracking(const columnade_rmm_resource *upstream,
                                                 columnade_rmm_resource **out);
/** Calls `failure` when `upstream` is out of memory, and retries while it returns nonzero. The shim owns `state`
 * after the call, failed or not. */
columnade_rmm_status columnade_rmm_make_failure_callback(const columnade_rmm_resource *upstream,
                                                         columnade_rmm_on_failure failure, void *state,
                                                         columnade_rmm_on_drop drop,
                                                         columnade_rmm_resource **out);

/** Allocates memory for work on `stream` from now on. `alignment` is a power of two up to 256. */
columnade_rmm_status columnade_rmm_allocate(columnade_rmm_resource *resource, size_t bytes, size_t alignment,
                                            void *stream, void **out);
/** Frees memory after the earlier work on `stream`; `bytes` and `alignment` as allocated. */
columnade_rmm_status columnade_rmm_deallocate(columnade_rmm_resource *resource, void *memory, size_t bytes,
                                              size_t alignment, void *stream);
/** The counters of a statistics resource. */
columnade_rmm_status columnade_rmm_counters(const columnade_rmm_resource *resource,
                                            columnade_rmm_counter *bytes, columnade_rmm_counter *allocations);
/** The bytes and a listing of a tracking resource's outstanding allocations; the text is valid until this
 * thread's next call. */
columnade_rmm_status columnade_rmm_outstanding(const columnade_rmm_resource *resource, size_t *bytes,
                                               const char **report);
/** The bytes that a CUDA-asynchronous resource has reserved, and those in use. */
columnade_rmm_status columnade_rmm_pool_usage(const columnade_rmm_resource *resource, size_t *reserved_bytes,
                                              size_t *used_bytes);
/** Returns unused memory of a CUDA-asynchronous resource to the device, keeping at least `keep_bytes`. */
columnade_rmm_status columnade_rmm_trim(columnade_rmm_resource *resource, size_t keep_bytes);
/** Destroys the handle. */
void columnade_rmm_drop(columnade_rmm_resource *resource);

#ifdef __cplusplus
}
#endif
#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
