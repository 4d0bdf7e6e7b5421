// The hooks of the flavour ptx, in which buffers/ptx executes launches; empty in other flavours.
#pragma once
#include <cstddef>
#include <cstdint>

#ifdef CN_SIM_PTX
extern "C" {
void cn_ptx_allocated(uint64_t start, size_t bytes);
void cn_ptx_freed(uint64_t start);
int32_t cn_ptx_overruns(uint64_t start, size_t bytes);
}
#endif

namespace cn_sim::sim {

#ifdef CN_SIM_PTX
inline void note_allocation(void *p, size_t bytes) { cn_ptx_allocated((uint64_t)p, bytes); }
inline void note_free(void *p) { cn_ptx_freed((uint64_t)p); }
// Whether bytes begin in an allocation and end behind it.
inline bool overruns(const void *p, size_t bytes) { return cn_ptx_overruns((uint64_t)p, bytes); }
#else
inline void note_allocation(void *, size_t) {}
inline void note_free(void *) {}
inline bool overruns(const void *, size_t) { return false; }
#endif

}  // namespace cn_sim::sim
