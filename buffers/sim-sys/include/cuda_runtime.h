// Found in place of CUDA's <cuda_runtime.h> when a kernel is compiled for the simulator.
//
// All names live in namespace cn_sim, as does kernel code (CN_BUILD), so that unqualified CUDA names resolve
// and a program may hold the simulator and the real runtime at once.
#pragma once
#include "cn_sim/atomics.h"
#include "cn_sim/execution.h"
#include "cn_sim/intrinsics.h"
#include "cn_sim/runtime_api.h"
#include "cn_sim/types.h"
#include "cn_sim/warp.h"
