#include "interruption.h"

#include <peal/util/cache.h>

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>

namespace peal::apps {

namespace {

/// A signal handler may call little more than write(): the text is ready before.
std::array<char, 1024> interruption_text{};
std::atomic<std::size_t> interruption_length = 0;

extern "C" void on_interruption(int number) {
  const std::size_t length = interruption_length;
  if (length > 0 && ::write(STDERR_FILENO, interruption_text.data(), length) < 0) {
    // There is nobody to read it.
  }
  ::signal(number, SIG_DFL);
  ::raise(number);
}

}  // namespace

void explain_interruption(const std::string& sentence) {
  const std::string text = "\npeal: interrupted. " + sentence + "\n";
  interruption_length = 0;
  const std::size_t length = std::min(text.size(), interruption_text.size());
  std::memcpy(interruption_text.data(), text.data(), length);
  interruption_length = length;
  struct sigaction action {};
  action.sa_handler = on_interruption;
  ::sigemptyset(&action.sa_mask);
  for (const int number : {SIGINT, SIGTERM}) {
    // A shell may have asked for a program in the background to ignore them.
    struct sigaction before {};
    if (::sigaction(number, nullptr, &before) == 0 && before.sa_handler != SIG_IGN)
      ::sigaction(number, &action, nullptr);
  }
}

std::string what_is_kept() {
  const auto folder = util::whole_cache_folder();
  return folder ? fmt::format(
                      "Finished parts are stored in {}; run the same command again to continue.",
                      folder->string())
                : "Nothing was stored: there is no cache folder.";
}

}  // namespace peal::apps
