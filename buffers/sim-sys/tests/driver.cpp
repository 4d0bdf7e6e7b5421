// `program --list` names the cases; `program NAME` runs one.
#include <cstring>

#include "harness.h"

namespace cn_sim {
std::vector<Case> &cases() {
  static std::vector<Case> all;
  return all;
}
}  // namespace cn_sim

#ifdef CN_PTX
// The program of the flavour ptx is the Rust test itself.
extern "C" int cn_sim_run_case(const char *name) {
  for (const cn_sim::Case &each : cn_sim::cases()) {
    if (strcmp(name, each.name)) continue;
    each.run();
    return cn_sim::exit_correct;
  }
  return 2;
}
#else
int main(int argc, char **argv) {
  using namespace cn_sim;
  if (argc != 2) return 2;
  for (const Case &each : cases()) {
    if (!strcmp(argv[1], "--list")) {
      puts(each.name);
    } else if (!strcmp(argv[1], each.name)) {
      each.run();
      return exit_correct;
    }
  }
  return strcmp(argv[1], "--list") ? 2 : 0;
}
#endif
