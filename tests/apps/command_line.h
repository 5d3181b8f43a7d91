#pragma once

#include <peal/util/files.h>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

namespace peal {

namespace fs = std::filesystem;

/// What a run of the program left behind.
struct Finished {
  int exit_code;
  std::string out;
  std::string err;
};

/// A variable of the environment that has its old value again in the end.
class Variable {
 public:
  Variable(std::string name, const std::string& value) : name_(std::move(name)) {
    if (const char* before = std::getenv(name_.c_str())) before_ = before;
    ::setenv(name_.c_str(), value.c_str(), 1);
  }
  ~Variable() {
    if (before_) {
      ::setenv(name_.c_str(), before_->c_str(), 1);
    } else {
      ::unsetenv(name_.c_str());
    }
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  std::string name_;
  std::optional<std::string> before_;
};

/// Runs the program in a folder of its own.
class CommandLine : public testing::Test {
 protected:
  void SetUp() override {
    const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    folder_ = fs::temp_directory_path() / ("peal-apps-" + std::to_string(::getpid()) + "-" + name);
    fs::create_directories(folder_);
    cache_.emplace("XDG_CACHE_HOME", (folder_ / ".cache").string());
  }
  void TearDown() override {
    cache_.reset();
    fs::remove_all(folder_);
  }

  Finished peal(const std::string& arguments) const {
    const fs::path out = folder_ / ".stdout", err = folder_ / ".stderr";
    const std::string command = "'" PEAL_PROGRAM "' " + arguments + " >'" + out.string() + "' 2>'" +
                                err.string() + "' </dev/null";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, util::read_file(out),
            util::read_file(err)};
  }

  std::string write(const std::string& name, const std::string& text) const {
    util::write_file(folder_ / name, text);
    return "'" + (folder_ / name).string() + "'";
  }
  std::string path(const std::string& name) const { return "'" + (folder_ / name).string() + "'"; }
  std::string read(const std::string& name) const { return util::read_file(folder_ / name); }

  fs::path folder_;

 private:
  std::optional<Variable> cache_;
};

/// A tone and noise that fly past two listeners.
inline const std::string small_scene = R"({
  "peal": 1, "duration": 0.2, "seed": 5,
  "objects": [
    { "name": "tone", "motion": { "keyframes": [ { "t": 0, "position": [-3, 0, -1] },
                                                 { "t": 0.2, "position": [3, 0, -1] } ] },
      "sound": [ { "point": { "tone": { "frequency": 700 } } },
                 { "point": { "noise": {}, "pressure_at_1m": 0.1 } } ] } ],
  "listeners": [ { "name": "main", "stereo": { "position": [0, 0, 0] } },
                 { "name": "desk", "mono": { "position": [1, 0, 0] } } ]
})";

}  // namespace peal
