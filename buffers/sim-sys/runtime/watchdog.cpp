// A timer of the executor's own thread, armed during a launch. A kernel thread that neither waits nor returns
// is made to yield, and the launch ends if nothing makes progress for long.
//
// It measures processor time of the thread, so a busy machine does not cause a false hang.
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>
#include <ctime>
#include <mutex>

#include "executor.h"

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

namespace cn_sim::sim {
namespace {

constexpr long tick_ms = 20;
constexpr int tick_signal = SIGVTALRM;

void on_tick(int) {
  if (Executor *e = Executor::current) e->tick();
}

void set_timer(void *timer, long ms) {
  itimerspec period{};
  period.it_interval.tv_nsec = period.it_value.tv_nsec = ms * 1000000;
  timer_settime((timer_t)timer, 0, &period, nullptr);
}

}  // namespace

void Executor::tick() {
  if (!launched || !running) return;
  if (progressed != progressed_seen) {
    progressed_seen = progressed;
    stuck_ticks = 0;
  } else {
    stuck_ticks++;
  }
  if (in_runtime) return;
  if (stuck_ticks > asked.hang_ticks) {
    fail("hang: no thread has returned or passed a barrier for %ld ms; this thread is running",
         stuck_ticks * tick_ms);
  }
  if (switches != switches_seen) {
    switches_seen = switches;
    return;
  }
  // The same thread as at the previous tick. If another one can run, switch to it.
  if (!ready && spinning.empty() && !startable()) return;
  RuntimeScope scope(*this);
  yield("(preempted by the watchdog)", 0);
  switches_seen = switches;
}

void Executor::start_watchdog() {
  launched = true;
  switches_seen = ~0ull;
  stuck_ticks = 0;
  if (!asked.hang_ticks) return;
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action {};
    action.sa_handler = on_tick;
    // The handler may switch to another fiber and return much later, so the signal must not be blocked.
    action.sa_flags = SA_RESTART | SA_NODEFER;
    sigaction(tick_signal, &action, nullptr);
  });
  if (!has_timer) {
    sigevent event{};
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = tick_signal;
    event.sigev_notify_thread_id = (pid_t)syscall(SYS_gettid);
    has_timer = timer_create(CLOCK_THREAD_CPUTIME_ID, &event, (timer_t *)&timer) == 0;
  }
  if (has_timer) set_timer(timer, tick_ms);
}

void Executor::stop_watchdog() {
  launched = false;
  if (has_timer) set_timer(timer, 0);
}

void Executor::delete_timer() { timer_delete((timer_t)timer); }

}  // namespace cn_sim::sim
