// The simulator's replacement for CUB (CCCL 3.x): the part that kernels/ uses, with CUB's names and
// contracts.
//
//   device-wide   two-phase temporary storage, in stream order, run by std:: algorithms on the host
//   block, warp   CUB's signatures; temporary storage of its own, without a closing barrier, as in CUB
#pragma once
#include "block/block_load.cuh"
#include "block/block_reduce.cuh"
#include "block/block_scan.cuh"
#include "device/device_merge_sort.cuh"
#include "device/device_partition.cuh"
#include "device/device_radix_sort.cuh"
#include "device/device_reduce.cuh"
#include "device/device_run_length_encode.cuh"
#include "device/device_scan.cuh"
#include "device/device_segmented_reduce.cuh"
#include "device/device_select.cuh"
#include "warp/warp_reduce.cuh"
#include "warp/warp_scan.cuh"
