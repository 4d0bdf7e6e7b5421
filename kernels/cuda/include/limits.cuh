// A hook for tests: small tiles and grids, so that few rows take the paths of many.
#pragma once
#include "kernel.h"

namespace CN_BUILD {

// Whether the launcher asks for them; kernels/src/limits.rs.
inline bool small_limits(const Alloc &alloc) { return alloc.take(alloc.context, -3, 0) != nullptr; }

}  // namespace CN_BUILD
