/* Stands for nanoarrow_device.h, which begins with nanoarrow.h and defines every device type. */
#ifndef NANOARROW_DEVICE_PEER_H
#define NANOARROW_DEVICE_PEER_H

#include "nanoarrow_peer.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifndef ARROW_C_DEVICE_DATA_INTERFACE
#define ARROW_C_DEVICE_DATA_INTERFACE

typedef int32_t ArrowDeviceType;

#define ARROW_DEVICE_CPU 1
#define ARROW_DEVICE_CUDA 2
#define ARROW_DEVICE_CUDA_HOST 3
#define ARROW_DEVICE_OPENCL 4
#define ARROW_DEVICE_VULKAN 7
#define ARROW_DEVICE_METAL 8
#define ARROW_DEVICE_VPI 9
#define ARROW_DEVICE_ROCM 10
#define ARROW_DEVICE_ROCM_HOST 11
#define ARROW_DEVICE_EXT_DEV 12
#define ARROW_DEVICE_CUDA_MANAGED 13
#define ARROW_DEVICE_ONEAPI 14
#define ARROW_DEVICE_WEBGPU 15
#define ARROW_DEVICE_HEXAGON 16

struct ArrowDeviceArray {
  struct ArrowArray array;
  int64_t device_id;
  ArrowDeviceType device_type;
  void* sync_event;
  int64_t reserved[3];
};

#endif

#ifndef ARROW_C_DEVICE_STREAM_INTERFACE
#define ARROW_C_DEVICE_STREAM_INTERFACE

struct ArrowDeviceArrayStream {
  ArrowDeviceType device_type;
  int (*get_schema)(struct ArrowDeviceArrayStream*, struct ArrowSchema*);
  int (*get_next)(struct ArrowDeviceArrayStream*, struct ArrowDeviceArray*);
  const char* (*get_last_error)(struct ArrowDeviceArrayStream*);
  void (*release)(struct ArrowDeviceArrayStream*);
  void* private_data;
};

#endif

/* As there: a struct of its own with the types of the interface. */
struct NanoarrowPeerDevice {
  ArrowDeviceType device_type;
  int64_t device_id;
  int (*array_init)(struct NanoarrowPeerDevice*, struct ArrowDeviceArray*, struct ArrowArray*, void*);
};

static inline void nanoarrow_peer_move(struct ArrowDeviceArray* from, struct ArrowDeviceArray* to) {
  *to = *from;
  from->array.release = 0;
}

#ifdef __cplusplus
}
#endif

#endif
