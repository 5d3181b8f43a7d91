#include <peal/util/error.h>
#include <peal/util/files.h>
#include <peal/util/store.h>

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "util/store_damage.h"

namespace peal::util {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Every kind of content that an archive knows.
struct Result {
  int number = 7;
  bool is_fine = true;
  std::vector<float> samples = {0.5f, -2.0f, 3.25f};
  std::vector<std::string> words = {"one", "", "three"};

  bool operator==(const Result&) const = default;
};

void serialize(Archive& archive, Result& result) {
  archive.number(result.number, result.is_fine);
  archive.list(result.samples);
  archive.texts(result.words);
}

constexpr StoreKind trial = {"trial", "trials", 3};
constexpr std::string_view key = "00112233445566778899aabbccddeeff";

class Stores : public testing::Test {
 protected:
  Stores() : folder_(fs::path(testing::TempDir()) / ("peal_store_" + std::to_string(::getpid()))) {
    fs::remove_all(folder_);
  }
  ~Stores() override { fs::remove_all(folder_); }

  Store store(const StoreKind& kind = trial) const { return {kind, folder_}; }
  fs::path file() const { return folder_ / (std::string(key) + ".trial"); }

  /// Saves the usual result and returns the bytes of its file.
  std::string saved() const {
    Result result;
    EXPECT_TRUE(store().save(std::string(key), result));
    return read_file(file());
  }
  /// What a store reports an entry that it must refuse.
  static std::vector<std::string> told_of_refused(const Store& store) {
    EXPECT_FALSE(store.find<Result>(std::string(key)));
    EXPECT_FALSE(store.contains(std::string(key)));
    return store.notices();
  }

  fs::path folder_;
};

TEST_F(Stores, GiveBackWhatTheyWereGiven) {
  Result result{.number = -3, .is_fine = false, .samples = {}, .words = {"a"}};
  result.samples.resize(300000, 0.25f);  // in several pieces
  EXPECT_TRUE(store().save(std::string(key), result));
  EXPECT_TRUE(store().contains(std::string(key)));
  EXPECT_EQ(store().find<Result>(std::string(key)), result);
  result.number = 4;
  EXPECT_TRUE(store().save(std::string(key), result));
  EXPECT_EQ(store().find<Result>(std::string(key)), result) << "the last one stays";
}

TEST_F(Stores, SayNothingOfWhatIsNotThere) {
  const Store empty = store();
  EXPECT_THAT(told_of_refused(empty), IsEmpty());
}

TEST_F(Stores, WithoutAFolderStoreNothing) {
  const Store none(trial, std::nullopt);
  Result result;
  EXPECT_FALSE(none.save(std::string(key), result));
  EXPECT_THAT(told_of_refused(none), IsEmpty());
}

TEST_F(Stores, FindEveryFlippedByteAndTellOfItOnce) {
  const std::string whole = saved();
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string flipped = whole;
    flipped[i] = static_cast<char>(flipped[i] ^ (1 << (i % 8)));
    overwrite(file(), flipped);
    const Store one = store();
    EXPECT_THAT(told_of_refused(one), ElementsAre(HasSubstr(file().string()))) << "byte " << i;
    EXPECT_THROW(parse_entry(flipped, file(), trial, key), EntryError) << "byte " << i;
  }
  overwrite(file(), whole);
  EXPECT_EQ(store().find<Result>(std::string(key)), Result());
}

TEST_F(Stores, FindEveryCutAndEveryByteTooMany) {
  const std::string whole = saved();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    overwrite(file(), std::string_view(whole).substr(0, size));
    const Store one = store();
    EXPECT_THAT(told_of_refused(one), ElementsAre(HasSubstr("is damaged"))) << size;
  }
  overwrite(file(), whole + "x");
  EXPECT_THAT(told_of_refused(store()), ElementsAre(HasSubstr("is damaged (cut short, or longer")));
}

TEST_F(Stores, OverwriteWhatTheyRefuse) {
  const std::string whole = saved();
  flip_byte(file(), 0.9);
  const Store one = store();
  EXPECT_FALSE(one.find<Result>(std::string(key)));
  Result again;
  EXPECT_TRUE(one.save(std::string(key), again));
  EXPECT_EQ(one.find<Result>(std::string(key)), again);
  EXPECT_EQ(read_file(file()), whole);
  EXPECT_THAT(one.notices(), ElementsAre(HasSubstr("it is recomputed")));
}

TEST_F(Stores, RefuseWhatAnotherVersionComputed) {
  saved();
  EXPECT_THAT(told_of_refused(store({"trial", "trials", 4})),
              ElementsAre(HasSubstr("cannot be used (computed by another version of Peal)")));
}

TEST_F(Stores, RefuseAnotherKindOrKeyUnderTheirName) {
  saved();
  const fs::path other = folder_ / (std::string(key) + ".other");
  fs::copy_file(file(), other);
  EXPECT_THAT(told_of_refused(store({"other", "trials", 3})),
              ElementsAre(AllOf(HasSubstr(other.string()), HasSubstr("an entry of another kind"))));
  const std::string moved = "ffeeddccbbaa99887766554433221100";
  fs::rename(file(), folder_ / (moved + ".trial"));
  const Store one = store();
  EXPECT_FALSE(one.find<Result>(moved));
  EXPECT_THAT(one.notices(), ElementsAre(HasSubstr("an entry of another key")));
}

TEST_F(Stores, RefuseFilesThatTheyDidNotWrite) {
  fs::create_directories(folder_);
  overwrite(file(), std::string(500, 'x'));
  EXPECT_THAT(told_of_refused(store()), ElementsAre(HasSubstr("not written by Peal's store")));
  fs::remove(file());
  fs::create_directories(file());
  EXPECT_THAT(told_of_refused(store()), ElementsAre(HasSubstr("is not a regular file")));
}

TEST_F(Stores, RefuseContentThatIsWholeButNotWhatIsAskedFor) {
  saved();
  const Store one = store();
  // It reads more than there is, and less.
  EXPECT_FALSE(one.read(std::string(key), [](Archive& archive) {
    Result result;
    serialize(archive, result);
    archive.number(result.number);
  }));
  EXPECT_FALSE(one.read(std::string(key), [](Archive& archive) {
    int number = 0;
    archive.number(number);
  }));
  EXPECT_THAT(one.notices(), ElementsAre(HasSubstr("is damaged")));
}

TEST_F(Stores, TellOfManyProblemsInOneSentenceOfEachKind) {
  Result result;
  const Store one = store();
  for (const std::string name : {"a", "b", "c", "d"}) EXPECT_TRUE(one.save(name, result));
  for (const std::string name : {"b", "d"}) flip_byte(folder_ / (name + ".trial"), 1.0);
  fs::copy_file(folder_ / "a.trial", folder_ / "e.trial");
  for (const std::string name : {"d", "c", "b", "a", "e", "d"}) one.find<Result>(name);
  EXPECT_THAT(one.notices(),
              ElementsAre("cache: 2 stored results in " + folder_.string() +
                              " are damaged, such as b.trial (wrong checksum): they are recomputed",
                          "cache: the stored result " + (folder_ / "e.trial").string() +
                              " cannot be used (an entry of another key): it is recomputed"));
}

TEST_F(Stores, TellWhatCannotBeWritten) {
  write_file(folder_, "a file in place of the folder");
  Result result;
  const Store one = store();
  EXPECT_FALSE(one.save(std::string(key), result));
  EXPECT_THAT(one.notices(), ElementsAre(HasSubstr("could not be written")));
  EXPECT_THROW(one.save_or_throw(std::string(key), result), InputError);
}

/// Writes, reads and removes one entry again and again. Whatever is found must be whole.
bool writes_and_reads(const Store& store, int turns) {
  Result result;
  result.samples.assign(50000, 1.5f);
  bool is_fine = true;
  for (int turn = 0; turn < turns; ++turn) {
    is_fine = store.save(std::string(key), result) && is_fine;
    const auto found = store.find<Result>(std::string(key));
    is_fine = (!found || *found == result) && is_fine;
    if (turn % 5 == 0) {
      std::error_code ignored;
      fs::remove(store.file(std::string(key)), ignored);
    }
  }
  return is_fine && store.notices().empty();
}

TEST_F(Stores, MayBeSharedByProcesses) {
  constexpr int turns = 60;
  std::vector<::pid_t> children;
  for (int i = 0; i < 2; ++i) {
    const ::pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) ::_exit(writes_and_reads(store(), turns) ? 0 : 1);
    children.push_back(child);
  }
  EXPECT_TRUE(writes_and_reads(store(), turns));
  for (const ::pid_t child : children) {
    int status = -1;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  EXPECT_LE(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1)
      << "no temporary file is left";
}

TEST_F(Stores, MayBeSharedByThreads) {
  const Store one = store();
  bool first = false, second = false;
  std::thread thread([&] { first = writes_and_reads(one, 40); });
  second = writes_and_reads(one, 40);
  thread.join();
  EXPECT_TRUE(first && second);
}

TEST_F(Stores, RefuseKeysThatTheirFilesCannotHold) {
  Result result;
  EXPECT_THROW(store().save(std::string(longest_key + 1, 'a'), result), std::invalid_argument);
}

}  // namespace
}  // namespace peal::util
