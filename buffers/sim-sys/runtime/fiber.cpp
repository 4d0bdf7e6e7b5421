#include "fiber.h"

#include <sys/mman.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <vector>

#ifdef CN_SIM_ASAN
#include <pthread.h>
#include <sanitizer/asan_interface.h>
#endif

#if defined(__x86_64__)
asm(R"(
.text
.p2align 4
.globl cn_sim_switch
.hidden cn_sim_switch
.type cn_sim_switch,@function
cn_sim_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size cn_sim_switch,.-cn_sim_switch
.section .note.GNU-stack,"",@progbits
.text
)");
#elif defined(__aarch64__)
asm(R"(
.text
.p2align 4
.globl cn_sim_switch
.hidden cn_sim_switch
.type cn_sim_switch,%function
cn_sim_switch:
  sub sp, sp, #176
  stp x19,x20,[sp]
  stp x21,x22,[sp,#16]
  stp x23,x24,[sp,#32]
  stp x25,x26,[sp,#48]
  stp x27,x28,[sp,#64]
  stp x29,x30,[sp,#80]
  stp d8,d9,[sp,#96]
  stp d10,d11,[sp,#112]
  stp d12,d13,[sp,#128]
  stp d14,d15,[sp,#144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp x19,x20,[sp]
  ldp x21,x22,[sp,#16]
  ldp x23,x24,[sp,#32]
  ldp x25,x26,[sp,#48]
  ldp x27,x28,[sp,#64]
  ldp x29,x30,[sp,#80]
  ldp d8,d9,[sp,#96]
  ldp d10,d11,[sp,#112]
  ldp d12,d13,[sp,#128]
  ldp d14,d15,[sp,#144]
  add sp, sp, #176
  ret
.size cn_sim_switch,.-cn_sim_switch
.section .note.GNU-stack,"",%progbits
.text
)");
#else
#error "the simulator switches fibers on x86-64 and AArch64 only"
#endif

namespace cn_sim::sim {
namespace {

// A frame like one that cn_sim_switch leaves, with return address `entry`.
void *initial_frame(char *top, void (*entry)()) {
#if defined(__x86_64__)
  auto **frame = (void **)top;
  *--frame = nullptr;  // in place of a return address: entry sees sp = 8 mod 16, as after a call
  *--frame = (void *)entry;
  for (int saved = 0; saved < 6; saved++) *--frame = nullptr;
  return frame;
#else
  constexpr size_t frame_bytes = 176, return_register = 11;
  char *frame = top - frame_bytes;
  memset(frame, 0, frame_bytes);
  ((void **)frame)[return_register] = (void *)entry;
  return frame;
#endif
}

constexpr size_t guard_bytes = 4096, colour_step = 448, colour_span = 8192;

// Stacks of ended operating-system threads: a test harness makes a thread for each test. Never destroyed,
// because a thread may end after static destruction.
struct Pool {
  std::mutex mutex;
  std::vector<Fiber *> fibers;
};
Pool &pool() {
  static Pool &made_once = *new Pool;
  return made_once;
}

Fiber *make_fiber(size_t bytes, size_t colour_index) {
  auto *fiber = new Fiber;
  void *mapping = mmap(nullptr, bytes + guard_bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED || mprotect(mapping, guard_bytes, PROT_NONE)) {
    perror("sim: no memory for a thread's stack");
    abort();
  }
  fiber->stack = (char *)mapping + guard_bytes;
  fiber->size = bytes;
  fiber->colour = colour_index * colour_step % colour_span & ~(size_t)63;
  return fiber;
}

}  // namespace

void adopt_thread_stack([[maybe_unused]] Fiber &fiber) {
#ifdef CN_SIM_ASAN
  pthread_attr_t attributes;
  void *stack = nullptr;
  if (pthread_getattr_np(pthread_self(), &attributes)) abort();
  pthread_attr_getstack(&attributes, &stack, &fiber.size);
  fiber.stack = (char *)stack;
  pthread_attr_destroy(&attributes);
#endif
}

Fiber *take_fiber(size_t bytes, size_t colour_index, void (*entry)()) {
  Fiber *fiber = nullptr;
  {
    std::lock_guard<std::mutex> lock(pool().mutex);
    if (!pool().fibers.empty()) {
      fiber = pool().fibers.back();
      pool().fibers.pop_back();
    }
  }
  if (!fiber) fiber = make_fiber(bytes, colour_index);
  reset_fiber(*fiber, entry);
  return fiber;
}

void give_fiber(Fiber *fiber) {
  std::lock_guard<std::mutex> lock(pool().mutex);
  pool().fibers.push_back(fiber);
}

void reset_fiber(Fiber &fiber, void (*entry)()) {
#ifdef CN_SIM_ASAN
  __asan_unpoison_memory_region(fiber.stack, fiber.size);
#endif
  fiber.fake_stack = nullptr;
  fiber.stack_pointer = initial_frame(fiber.stack + fiber.size - fiber.colour, entry);
}

void finish_first_switch() {
#ifdef CN_SIM_ASAN
  __sanitizer_finish_switch_fiber(nullptr, nullptr, nullptr);
#endif
}

}  // namespace cn_sim::sim
