#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "apps/command_line.h"

/// A render that was killed while it simulated.
namespace peal {
namespace {

using testing::HasSubstr;
using testing::Not;

class KilledRenderSlow : public CommandLine {
 protected:
  /// A clamped bar that is struck: two or three seconds of one core.
  std::string struck_bar() const {
    return write("bar.json", R"({ "peal": 1, "duration": 0.8, "dynamics": {"gravity": [0, 0, 0]},
      "objects": [
        { "name": "bar", "shape": {"box": [0.1, 0.01, 0.01]},
          "material": {"base": "steel", "damping": {"mass": 2, "stiffness": 1e-7}},
          "motion": {"deformable": {"pinned": ["-x"], "divisions": [8, 1, 1]}},
          "strikes": [{"t": 0.001, "at": [0.05, 0.005, 0],
                       "force": {"impulse": 0.01, "contact_time": 0.0002}}] }],
      "listeners": [{"mono": {"position": [0, 0.5, 0]}}],
      "radiation": {"model": "rays", "max_frequency": 8000} })");
  }

  /// With a cache of its own.
  std::string rendering(const std::string& scene, const std::string& name) const {
    return "XDG_CACHE_HOME=" + path("cache-" + name) + " '" PEAL_PROGRAM "' render " + scene +
           " --no-picture --checkpoint-every 0.1 -o " + path("out-" + name) + " 2>" +
           path(name + ".err");
  }

  static int shell(const std::string& command) { return std::system(command.c_str()); }
};

TEST_F(KilledRenderSlow, GoesOnToTheSameBytes) {
  const std::string scene = struck_bar();
  ASSERT_EQ(shell(rendering(scene, "whole") + " >/dev/null"), 0);
  EXPECT_THAT(read("whole.err"), Not(HasSubstr("going on")));
  // Killed as soon as something is kept.
  const std::string kept = path("cache-killed") + "/peal/deformed/*.unfinished/state";
  ASSERT_EQ(shell(rendering(scene, "killed") +
                  " >/dev/null & render=$!; tries=0; "
                  "until ls " +
                  kept +
                  " >/dev/null 2>&1; do "
                  "tries=$((tries + 1)); [ $tries -lt 1000 ] || exit 1; sleep 0.02; done; "
                  "kill -9 $render; wait $render; [ $? -eq 137 ]"),
            0);
  EXPECT_FALSE(fs::exists(folder_ / "out-killed/audio.wav"));
  ASSERT_EQ(shell(rendering(scene, "killed") + " >/dev/null"), 0);
  EXPECT_THAT(read("killed.err"), HasSubstr("resuming the simulation at"));
  EXPECT_EQ(read("out-killed/audio.wav"), read("out-whole/audio.wav"));
  // Only the finished motion is left.
  for (const auto& entry : fs::directory_iterator(folder_ / "cache-killed/peal/deformed"))
    EXPECT_EQ(entry.path().extension(), ".recording");
}

}  // namespace
}  // namespace peal
