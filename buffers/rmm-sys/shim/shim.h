/* RMM memory resources behind a C interface.
 *
 * A resource is a handle that shares what it stands on: dropping the resource below an adaptor leaves the
 * adaptor working. Functions that return a status write their results only when it is COLUMNADE_RMM_OK; no
 * C++ exception leaves any of them. All may be called from any thread, with the context of the resource's
 * device current. `stream` is a CUDA stream, null for the default one. */
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

/** What became of a call. */
typedef enum columnade_rmm_status {
  COLUMNADE_RMM_OK = 0,
  /** The memory asked for is not to be had. */
  COLUMNADE_RMM_OUT_OF_MEMORY = 1,
  /** This machine has no driver, or one older than the toolkit, or no device. */
  COLUMNADE_RMM_NO_DEVICE = 2,
  /** RMM refused the arguments, or CUDA failed. */
  COLUMNADE_RMM_FAILED = 3
} columnade_rmm_status;

/** Called when an allocation of `bytes` fails; non-zero asks for another try. */
typedef int32_t (*columnade_rmm_on_failure)(size_t bytes, void *state);
/** Gives memory aligned to 256 bytes that may be used on `stream`, or null. */
typedef void *(*columnade_rmm_on_allocate)(size_t bytes, void *stream, void *state);
/** Takes such memory back. */
typedef void (*columnade_rmm_on_deallocate)(void *memory, size_t bytes, void *stream, void *state);
/** Called once, when the last resource that may call a callback with `state` is gone. */
typedef void (*columnade_rmm_on_drop)(void *state);

/** One counter of a statistics resource. */
typedef struct columnade_rmm_counter {
  int64_t current;
  int64_t peak;
  int64_t total;
} columnade_rmm_counter;

/** Why this thread's last call that failed did so. Valid until its next call. */
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
/** Memory that the caller's functions give. `state` is the shim's from the call on, failed or not. */
columnade_rmm_status columnade_rmm_make_callback(columnade_rmm_on_allocate allocate,
                                                 columnade_rmm_on_deallocate deallocate, void *state,
                                                 columnade_rmm_on_drop drop, columnade_rmm_resource **out);

/** A coalescing best-fit pool over `upstream`; a null maximum lets it grow without end. */
columnade_rmm_status columnade_rmm_make_pool(const columnade_rmm_resource *upstream, size_t initial_bytes,
                                             const size_t *maximum_bytes, columnade_rmm_resource **out);
/** Arenas per thread and stream over `upstream`; a null size takes half of the free memory. */
columnade_rmm_status columnade_rmm_make_arena(const columnade_rmm_resource *upstream, const size_t *bytes,
                                              columnade_rmm_resource **out);
/** Fixed-size bins of 2^minimum to 2^maximum bytes; larger requests go to `upstream`. */
columnade_rmm_status columnade_rmm_make_binning(const columnade_rmm_resource *upstream,
                                                int8_t minimum_exponent, int8_t maximum_exponent,
                                                columnade_rmm_resource **out);
/** Refuses what would bring the bytes in use above `bytes`. */
columnade_rmm_status columnade_rmm_make_limiting(const columnade_rmm_resource *upstream, size_t bytes,
                                                 columnade_rmm_resource **out);
/** Counts bytes and allocations. */
columnade_rmm_status columnade_rmm_make_statistics(const columnade_rmm_resource *upstream,
                                                   columnade_rmm_resource **out);
/** Remembers every outstanding allocation. */
columnade_rmm_status columnade_rmm_make_tracking(const columnade_rmm_resource *upstream,
                                                 columnade_rmm_resource **out);
/** Calls `failure` when `upstream` is out of memory, and tries again while it says so. `state` is the shim's
 * from the call on, failed or not. */
columnade_rmm_status columnade_rmm_make_failure_callback(const columnade_rmm_resource *upstream,
                                                         columnade_rmm_on_failure failure, void *state,
                                                         columnade_rmm_on_drop drop,
                                                         columnade_rmm_resource **out);

/** Memory usable on `stream` from now on. `alignment` is a power of two up to 256. */
columnade_rmm_status columnade_rmm_allocate(columnade_rmm_resource *resource, size_t bytes, size_t alignment,
                                            void *stream, void **out);
/** Takes memory back once the work before it on `stream` is done; `bytes` and `alignment` as allocated. */
columnade_rmm_status columnade_rmm_deallocate(columnade_rmm_resource *resource, void *memory, size_t bytes,
                                              size_t alignment, void *stream);
/** The counters of a statistics resource. */
columnade_rmm_status columnade_rmm_counters(const columnade_rmm_resource *resource,
                                            columnade_rmm_counter *bytes, columnade_rmm_counter *allocations);
/** The bytes and a listing of a tracking resource's outstanding allocations; the text is valid until this
 * thread's next call. */
columnade_rmm_status columnade_rmm_outstanding(const columnade_rmm_resource *resource, size_t *bytes,
                                               const char **report);
/** What a CUDA-asynchronous resource holds of the device, and what of it is in use. */
columnade_rmm_status columnade_rmm_pool_usage(const columnade_rmm_resource *resource, size_t *reserved_bytes,
                                              size_t *used_bytes);
/** Returns unused memory of a CUDA-asynchronous resource to the device, keeping at least `keep_bytes`. */
columnade_rmm_status columnade_rmm_trim(columnade_rmm_resource *resource, size_t keep_bytes);
/** Gives the handle up. */
void columnade_rmm_drop(columnade_rmm_resource *resource);

#ifdef __cplusplus
}
#endif
#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
