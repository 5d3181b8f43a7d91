#include <peal/util/error.h>
#include <peal/util/files.h>

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <stdexcept>

namespace peal::util {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
 protected:
  Files() : folder_(fs::path(testing::TempDir()) / ("peal_files_" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
  }
  ~Files() override { fs::remove_all(folder_); }

  std::size_t count_files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
};

std::string problem_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    EXPECT_FALSE(error.location().file.empty());
    return error.problem();
  }
  return "none";
}

TEST_F(Files, ReadBackEveryByteTheyWereGiven) {
  std::string bytes;
  for (int k = 0; k < 100000; ++k) bytes += static_cast<char>(k * 7 % 256);
  write_file(folder_ / "a.bin", bytes);
  EXPECT_EQ(read_file(folder_ / "a.bin"), bytes);
  EXPECT_EQ(read_bytes(folder_ / "a.bin").view(), bytes);
  write_file(folder_ / "empty", "");
  EXPECT_EQ(read_file(folder_ / "empty"), "");
  EXPECT_EQ(read_bytes(folder_ / "empty").view(), "");
}

TEST_F(Files, AreReplacedWhole) {
  write_file(folder_ / "a.txt", "a long first text");
  write_file(folder_ / "a.txt", "second");
  EXPECT_EQ(read_file(folder_ / "a.txt"), "second");
  EXPECT_EQ(count_files(), 1u);
}

TEST_F(Files, MakeTheirFolder) {
  write_file(folder_ / "x/y/a.txt", "deep");
  EXPECT_EQ(read_file(folder_ / "x/y/a.txt"), "deep");
}

TEST_F(Files, StayAsTheyWereWhenAWriterFails) {
  write_file(folder_ / "a.wav", "old");
  const auto half_written = [](const fs::path& temporary) {
    EXPECT_EQ(temporary.extension(), ".wav");
    std::ofstream(temporary) << "half of the n";
    throw std::runtime_error("disk on fire");
  };
  EXPECT_THROW(write_file(folder_ / "a.wav", half_written), std::runtime_error);
  EXPECT_EQ(read_file(folder_ / "a.wav"), "old");
  EXPECT_EQ(count_files(), 1u);
  EXPECT_THROW(write_file(folder_ / "new.wav", half_written), std::runtime_error);
  EXPECT_EQ(count_files(), 1u);
}

TEST_F(Files, KeepTheOldTextInSightUntilTheNewOneIsWhole) {
  write_file(folder_ / "a.txt", "old");
  write_file(folder_ / "a.txt", [&](const fs::path& temporary) {
    std::ofstream(temporary) << "new";
    EXPECT_EQ(read_file(folder_ / "a.txt"), "old");
  });
  EXPECT_EQ(read_file(folder_ / "a.txt"), "new");
}

TEST_F(Files, SayWhyTheyCannotBeWritten) {
  write_file(folder_ / "a.txt", "a file");
  EXPECT_NE(problem_of([&] { write_file(folder_ / "a.txt/b.txt", "x"); }).find("cannot write"),
            std::string::npos);
  fs::create_directories(folder_ / "full/inside");
  EXPECT_NE(problem_of([&] { write_file(folder_ / "full", "x"); }).find("cannot write"),
            std::string::npos);
  EXPECT_EQ(count_files(), 2u);
}

TEST_F(Files, SayWhyTheyCannotBeRead) {
  write_file(folder_ / "a.txt", "12345");
  for (const auto& read :
       {std::function([](const fs::path&path, std::size_t limit) { read_file(path, limit); }),
        std::function([](const fs::path&path, std::size_t limit) { read_bytes(path, limit); })}) {
    EXPECT_EQ(problem_of([&] { read(folder_ / "none", 100); }), "no such file");
    EXPECT_EQ(problem_of([&] { read(folder_, 100); }), "is not a regular file");
    EXPECT_EQ(problem_of([&] { read("/dev/zero", 100); }), "is not a regular file");
    EXPECT_EQ(problem_of([&] { read(folder_ / "a.txt", 4); }),
              "is 5 bytes long; at most 4 are read");
    EXPECT_EQ(problem_of([&] { read(folder_ / "a.txt", 5); }), "none");
  }
}

}  // namespace
}  // namespace peal::util
