// Replaces CUDA's <cuda_runtime.h> when a kernel is compiled for the simulator.
//
// All names are in namespace cn_sim, as is kernel code (CN_BUILD), so that unqualified CUDA names resolve and
// one program can contain both the simulator and the real runtime.
#pragma once
#include "cn_sim/atomics.h"
#include "cn_sim/execution.h"
#include "cn_sim/intrinsics.h"
#include "cn_sim/runtime_api.h"
#include "cn_sim/types.h"
#include "cn_sim/warp.h"
