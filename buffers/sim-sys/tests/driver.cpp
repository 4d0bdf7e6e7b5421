// `program --list` names the cases; `program NAME` runs one.
#include <cstring>

#include "harness.h"

namespace cn_sim {
std::vector<Case> &cases() {
  static std::vector<Case> all;
  return all;
}
}  // namespace cn_sim

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
