#include <peal/util/cache.h>
#include <peal/util/files.h>
#include <peal/util/store.h>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <ctime>
#include <string>

namespace peal::util {
namespace {

namespace fs = std::filesystem;

struct Bytes {
  std::string bytes;
};

void serialize(Archive& archive, Bytes& some) {
  archive.text(some.bytes);
}

class Cache : public testing::Test {
 protected:
  Cache() {
    if (const char* before = std::getenv("XDG_CACHE_HOME")) before_ = before;
    ::setenv("XDG_CACHE_HOME", folder_.c_str(), 1);
  }
  ~Cache() override {
    if (before_.empty()) {
      ::unsetenv("XDG_CACHE_HOME");
    } else {
      ::setenv("XDG_CACHE_HOME", before_.c_str(), 1);
    }
    fs::remove_all(folder_);
  }

  static void save(const Store& store, const std::string& key, int hours_ago) {
    Bytes some{std::string(1000, 'x')};
    ASSERT_TRUE(store.save(key, some));
    set_age(store.file(key), hours_ago);
  }
  static void set_age(const fs::path& file, int hours_ago) {
    const timespec then = {.tv_sec = ::time(nullptr) - 3600 * hours_ago};
    const std::array<timespec, 2> both = {then, then};
    ASSERT_EQ(::utimensat(AT_FDCWD, file.c_str(), both.data(), 0), 0);
  }

  const fs::path folder_ = fs::temp_directory_path() / ("peal-cache-" + std::to_string(::getpid()));

 private:
  std::string before_;
};

TEST_F(Cache, AboveTheLimitWhatWasNotUsedForLongestIsRemoved) {
  const Store chunks(stored::wave_chunk), modes(stored::solid_modes);
  save(chunks, "old", 3);
  save(modes, "older", 4);
  save(modes, "oldest-but-read", 5);
  EXPECT_EQ(trim_cache().files, 0u) << "the limit is far";
  EXPECT_TRUE(modes.find<Bytes>("oldest-but-read"));
  const std::uintmax_t all = cache_use().bytes;
  EXPECT_EQ(cache_use().files, 3u);
  set_cache_limit(all - 1);
  EXPECT_EQ(trim_cache().files, 1u);
  EXPECT_FALSE(fs::exists(modes.file("older")));
  EXPECT_TRUE(fs::exists(chunks.file("old")));
  set_cache_limit(all / 2);
  trim_cache();
  EXPECT_FALSE(fs::exists(chunks.file("old")));
  EXPECT_TRUE(fs::exists(modes.file("oldest-but-read")));
}

TEST_F(Cache, TemporaryFilesOfKilledWritersAreRemovedAndThoseOfOthersStay) {
  const Store chunks(stored::wave_chunk);
  save(chunks, "whole", 0);
  const fs::path folder = *chunks.folder();
  const fs::path killed = folder / "a.chunk.99-0123abcd-0.tmp.chunk",
                 busy = folder / "b.chunk.98-0123abcd-1.tmp.chunk", other = folder / "notes.txt";
  for (const fs::path& path : {killed, busy, other}) write_file(path, "half of");
  set_age(killed, 2);
  set_age(other, 2);
  EXPECT_EQ(trim_cache().files, 1u);
  EXPECT_FALSE(fs::exists(killed));
  EXPECT_TRUE(fs::exists(busy));
  EXPECT_TRUE(fs::exists(other));
}

TEST_F(Cache, ClearingRemovesResultsAndNothingElse) {
  const Store chunks(stored::wave_chunk), fields(stored::distance_field);
  save(chunks, "a", 0);
  save(fields, "b", 0);
  write_file(*whole_cache_folder() / "deformed" / "k.unfinished" / "state", "some");
  write_file(*whole_cache_folder() / "deformed" / "notes.txt", "mine");
  EXPECT_EQ(clear_cache().files, 3u);
  EXPECT_EQ(cache_use().files, 0u);
  EXPECT_TRUE(fs::exists(*whole_cache_folder() / "deformed" / "notes.txt"));
  EXPECT_FALSE(fs::exists(*whole_cache_folder() / "deformed" / "k.unfinished"));
}

TEST_F(Cache, ItsLimitIsRemembered) {
  EXPECT_EQ(cache_limit(), default_cache_limit);
  set_cache_limit(123456789);
  EXPECT_EQ(cache_limit(), 123456789u);
  EXPECT_EQ(cache_use().files, 0u) << "the limit is no result";
}

}  // namespace
}  // namespace peal::util
