#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/mount.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "apps/command_line.h"

/// One render by several processes that share a folder.
namespace peal {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// A file system in memory, of a size.
class SmallDisk {
 public:
  explicit SmallDisk(fs::path folder) : folder_(std::move(folder)) {
    fs::create_directories(folder_);
    is_mounted_ = ::mount("peal", folder_.c_str(), "tmpfs", 0, "size=64k") == 0;
  }
  ~SmallDisk() {
    if (is_mounted_) ::umount(folder_.c_str());
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  bool is_mounted() const { return is_mounted_; }
  bool change(unsigned long flags, const char* size) const {
    return ::mount("peal", folder_.c_str(), "tmpfs", MS_REMOUNT | flags, size) == 0;
  }

 private:
  fs::path folder_;
  bool is_mounted_ = false;
};

class SharedRenders : public CommandLine {
 protected:
  /// A point beside a box: six chunks of the wave solver, some tenths of a second together.
  static std::string wave_scene(const std::string& frequency = "500") {
    return R"({ "peal": 1, "duration": 0.3, "sample_rate": 8000,
      "objects": [
        { "name": "box", "shape": {"box": [0.1, 0.1, 0.1]}, "motion": {"position": [0.2, 0, 0]}, "sound": [] },
        { "name": "point", "sound": [ { "point": { "tone": { "frequency": )" +
           frequency + R"( } } } ] } ],
      "listeners": [ { "name": "main", "stereo": { "position": [0.6, 0.1, 0.3] } } ],
      "radiation": { "model": "wave", "max_frequency": 1000, "accuracy": 0.1, "chunk": 0.05 } })";
  }
  /// A die that falls on the ground.
  static std::string falling_scene(const std::string& model) {
    return R"({ "peal": 1, "duration": 0.3, "sample_rate": 16000,
      "objects": [
        { "name": "ground", "shape": {"box": [0.5, 0.1, 0.5]}, "motion": {"position": [0, -0.05, 0]}, "sound": [] },
        { "name": "die", "shape": {"box": [0.05, 0.05, 0.05]}, "material": "steel",
          "motion": {"rigid": {"position": [0, 0.05, 0]}}, "sound": ["acceleration_noise"] } ],
      "listeners": [ { "mono": { "position": [0.3, 0.3, 0.6] } } ],
      "radiation": { "model": ")" +
           model + R"(" } })";
  }

  Finished chunk(const std::string& scene, const std::string& part, const std::string& folder,
                 const std::string& more = "") const {
    return peal("render " + scene + " --chunk " + part + " -o " + path(folder) + " " + more);
  }
  Finished merge(const std::string& folder) const { return peal("merge " + path(folder)); }
  nlohmann::json status(const std::string& folder) const {
    return nlohmann::json::parse(peal("status --json " + path(folder)).out);
  }
  void expect_same_files(const std::string& one, const std::string& other) const {
    int count = 0;
    for (const auto& entry : fs::directory_iterator(folder_ / one)) {
      const std::string name = entry.path().filename().string();
      ++count;
      EXPECT_TRUE(read(one + "/" + name) == read(other + "/" + name)) << name;
    }
    EXPECT_GE(count, 3);
  }
  std::vector<fs::path> results(const std::string& folder, const std::string& extension) const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::recursive_directory_iterator(folder_ / folder / "work"))
      if (entry.path().extension() == extension) found.push_back(entry.path());
    std::ranges::sort(found);
    return found;
  }
};

TEST_F(SharedRenders, MergeToTheBytesOfOneInAnyOrderAndWhenRepeated) {
  const std::string scene = write("s.json", wave_scene());
  ASSERT_EQ(peal("render " + scene + " -o " + path("one")).exit_code, 0);
  for (const char* part : {"3/3", "1/3", "3/3", "2/3"}) {
    const Finished run = chunk(scene, part, "shared");
    ASSERT_EQ(run.exit_code, 0) << run.err;
  }
  EXPECT_THAT(chunk(scene, "1/3", "shared").out, HasSubstr("2 units, 0 computed here"));
  // Another number of parts is another division of the same units.
  EXPECT_THAT(chunk(scene, "1/1", "shared").out, HasSubstr("6 units, 0 computed here"));
  ASSERT_EQ(merge("shared").exit_code, 0);
  expect_same_files("one", "shared");
  EXPECT_TRUE(status("shared")["is_merged"]);
}

TEST_F(SharedRenders, OfRadiatorsWithoutChunksAreOneUnit) {
  for (const char* model : {"direct", "rays"}) {
    const std::string name = model, scene = write(name + ".json", falling_scene(name));
    ASSERT_EQ(peal("render " + scene + " -o " + path("one-" + name)).exit_code, 0);
    for (const char* part : {"2/2", "1/2"}) ASSERT_EQ(chunk(scene, part, name).exit_code, 0);
    ASSERT_EQ(merge(name).exit_code, 0);
    expect_same_files("one-" + name, name);
  }
}

TEST_F(SharedRenders, SimulateOnceAndMakeEachTableOnce) {
  const std::string scene = write("s.json", falling_scene("precomputed"));
  ASSERT_EQ(peal("render --prepare " + scene + " -o " + path("shared")).exit_code, 0);
  const auto motion = results("shared", ".rigid-motion");
  ASSERT_EQ(motion.size(), 1u);
  const auto written = fs::last_write_time(motion[0]);
  for (const char* part : {"1/2", "2/2"}) ASSERT_EQ(chunk(scene, part, "shared").exit_code, 0);
  EXPECT_EQ(results("shared", ".rigid-radiation").size(), 1u);
  EXPECT_EQ(fs::last_write_time(motion[0]), written);
  ASSERT_EQ(merge("shared").exit_code, 0);
  EXPECT_EQ(fs::last_write_time(motion[0]), written);
  // A render that finds its tables, as the merge did.
  for (int i = 0; i < 2; ++i)
    ASSERT_EQ(peal("render " + scene + " -o " + path("one")).exit_code, 0);
  expect_same_files("one", "shared");
}

TEST_F(SharedRenders, FindTheModesOfManyBodiesAmongProcessesEachOnce) {
  // Two of the four bars are alike.
  std::string bars;
  for (const char* length : {"0.08", "0.1", "0.12", "0.1"}) {
    bars += R"({ "shape": {"box": [)" + std::string(length) +
            R"(, 0.02, 0.01]}, "material": "steel", "sound": [{"modal": {"max_frequency": 6000}}],
                "motion": {"rigid": {"position": [0, 0.05, )" +
            std::to_string(0.05 * static_cast<double>(std::ranges::count(bars, '\n'))) + "]}} },\n";
  }
  const std::string scene = write("s.json", R"({ "peal": 1, "duration": 0.2, "sample_rate": 16000,
      "objects": [ )" + bars + R"(
        { "name": "ground", "shape": {"box": [0.5, 0.1, 0.5]}, "motion": {"position": [0, -0.05, 0]}, "sound": [] } ],
      "listeners": [ { "mono": { "position": [0.3, 0.3, 0.6] } } ], "radiation": { "model": "direct" } })");
  ASSERT_EQ(peal("render " + scene + " -o " + path("one")).exit_code, 0);
  std::string together;
  for (const char* process : {"a", "b", "c"})
    together += "'" PEAL_PROGRAM "' render --modes --threads 1 --json " + scene + " -o " +
                path("shared") + " >" + path(process) + " 2>/dev/null & ";
  ASSERT_EQ(std::system((together + "wait").c_str()), 0);
  int found = 0;
  for (const char* process : {"a", "b", "c"}) {
    const auto report = nlohmann::json::parse(read(process));
    EXPECT_EQ(report["bodies"], 3);
    found += report["found"].get<int>();
  }
  EXPECT_EQ(found, 3);
  const auto modes = results("shared", ".solid-modes");
  ASSERT_EQ(modes.size(), 3u);
  const auto written = fs::last_write_time(modes[1]);
  for (const char* part : {"1/2", "2/2"}) ASSERT_EQ(chunk(scene, part, "shared").exit_code, 0);
  ASSERT_EQ(merge("shared").exit_code, 0);
  EXPECT_EQ(fs::last_write_time(modes[1]), written);
  expect_same_files("one", "shared");
  // Engines do this before the preparation, by no more processes than there are bodies.
  ASSERT_EQ(peal("submit " + scene + " --engine slurm --jobs 8 -o " + path("shared")).exit_code, 0);
  EXPECT_THAT(read("shared/jobs/modes.sh"), AllOf(HasSubstr("--array=1-3"), HasSubstr("--modes")));
  EXPECT_THAT(read("shared/jobs/submit.sh"), HasSubstr("--dependency=afterok:\"${modes%%;*}\""));
}

TEST_F(SharedRenders, NameWhatIsMissingOrDamaged) {
  const std::string scene = write("s.json", wave_scene());
  EXPECT_THAT(merge("shared").err, HasSubstr("nothing was prepared"));
  ASSERT_EQ(chunk(scene, "1/2", "shared").exit_code, 0);
  const Finished early = merge("shared");
  EXPECT_EQ(early.exit_code, 3);
  EXPECT_THAT(early.err, AllOf(HasSubstr("3 of 6 results cannot be merged"),
                               HasSubstr("s) is missing"), HasSubstr("peal status")));
  EXPECT_FALSE(fs::exists(folder_ / "shared/audio.wav"));
  EXPECT_EQ(status("shared")["waiting"], 3);
  ASSERT_EQ(chunk(scene, "2/2", "shared").exit_code, 0);
  const auto chunks = results("shared", ".chunk");
  ASSERT_EQ(chunks.size(), 6u);
  std::string bytes = util::read_file(chunks[2]);
  bytes[bytes.size() / 2] ^= 1;
  util::write_file(chunks[2], bytes);
  EXPECT_THAT(merge("shared").err,
              AllOf(HasSubstr("1 of 6 results"), HasSubstr("is damaged (wrong checksum)")));
  // Whoever comes next computes it again.
  EXPECT_THAT(chunk(scene, "1/1", "shared").out, HasSubstr("6 units, 1 computed here"));
  EXPECT_EQ(merge("shared").exit_code, 0);
}

TEST_F(SharedRenders, OfAnotherSceneOrSettingsAreRefusedAndStay) {
  const std::string scene = write("s.json", wave_scene());
  ASSERT_EQ(chunk(scene, "1/1", "shared").exit_code, 0);
  ASSERT_EQ(merge("shared").exit_code, 0);
  const std::string audio = read("shared/audio.wav"), plan = read("shared/plan.json");
  const auto refused = [&](const Finished& run, const std::string& problem) {
    EXPECT_EQ(run.exit_code, 3);
    EXPECT_THAT(run.err, AllOf(HasSubstr("plan.json"), HasSubstr(problem)));
  };
  refused(chunk(scene, "1/1", "shared", "--tail 0.1"), "with no options; this one has --tail 0.1");
  const std::string other = write("other.json", wave_scene("600"));
  refused(chunk(other, "1/1", "shared"), "another scene");
  refused(peal("submit " + other + " -o " + path("shared")), "another scene");
  // The scene has changed since.
  write("s.json", wave_scene("700"));
  refused(chunk(scene, "1/1", "shared"), "other contents of its files");
  refused(merge("shared"), "other contents of its files");
  // Another version of the program.
  write("s.json", wave_scene());
  std::string older = plan;
  older.replace(older.find("\"peal\": \""), 9, "\"peal\": \"0.0.");
  write("shared/plan.json", older);
  refused(chunk(scene, "1/1", "shared"), "a render by Peal 0.0.");
  write("shared/plan.json", plan.substr(0, plan.size() / 2));
  refused(merge("shared"), "plan.json");
  EXPECT_EQ(read("shared/audio.wav"), audio);
  EXPECT_FALSE(fs::exists(folder_ / "shared/jobs"));
}

TEST_F(SharedRenders, RefuseChunksThatDoNotExist) {
  const std::string scene = write("s.json", wave_scene());
  for (const char* part : {"0/4", "5/4", "1/0"}) {
    const Finished run = chunk(scene, part, "shared");
    EXPECT_EQ(run.exit_code, 3);
    EXPECT_THAT(run.err, HasSubstr("there is no chunk")) << part;
  }
  EXPECT_THAT(peal("render --chunk " + scene + " -o " + path("shared")).err,
              HasSubstr("the environment does not tell which chunk this is"));
  EXPECT_EQ(peal("render --slices --chunk 1/2 " + scene).exit_code, 2);
  EXPECT_EQ(peal("render --prepare --chunk 1/2 " + scene).exit_code, 2);
  EXPECT_FALSE(fs::exists(folder_ / "shared"));
}

TEST_F(SharedRenders, ReadTheirChunkFromTheEnvironment) {
  const std::string scene = write("s.json", wave_scene());
  const Variable task("SLURM_ARRAY_TASK_ID", "2"), first("SLURM_ARRAY_TASK_MIN", "1"),
      count("SLURM_ARRAY_TASK_COUNT", "3");
  const Finished run = peal("render --chunk " + scene + " -o " + path("shared"));
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("chunk 2/3: 2 units"));
}

TEST_F(SharedRenders, TellAFullDiskAndAFolderThatMayNotBeWritten) {
  const std::string scene = write("s.json", wave_scene());
  if (::geteuid() != 0) GTEST_SKIP() << "mounting file systems needs root";
  const SmallDisk disk(folder_ / "disk");
  if (!disk.is_mounted()) GTEST_SKIP() << "file systems cannot be mounted here";
  const Finished full = chunk(scene, "1/1", "disk");
  EXPECT_EQ(full.exit_code, 3);
  EXPECT_THAT(full.err, AllOf(HasSubstr("cannot write"), HasSubstr("No space left on device")));
  EXPECT_THAT(merge("disk").err, HasSubstr("cannot be merged"));
  // Space is made, and the same command goes on.
  ASSERT_TRUE(disk.change(0, "size=8m"));
  EXPECT_EQ(chunk(scene, "1/1", "disk").exit_code, 0);
  EXPECT_EQ(merge("disk").exit_code, 0);
  const std::string audio = read("disk/audio.wav");
  ASSERT_TRUE(disk.change(MS_RDONLY, "size=8m"));
  for (const std::string folder : {"disk", "disk/new"}) {
    const Finished closed = chunk(write("other.json", wave_scene("650")), "1/1", folder);
    EXPECT_EQ(closed.exit_code, 3);
    EXPECT_THAT(closed.err, testing::AnyOf(HasSubstr("cannot write"), HasSubstr("another scene")));
  }
  EXPECT_THAT(merge("disk").err, HasSubstr("cannot write"));
  EXPECT_EQ(read("disk/audio.wav"), audio);
}

TEST_F(SharedRenders, OfAFailedChunkTellItUntilItSucceeds) {
  const std::string scene = write("s.json", falling_scene("direct"));
  ASSERT_EQ(peal("render --prepare " + scene + " -o " + path("shared")).exit_code, 0);
  // What is stored of the result is a folder, so that it cannot be written.
  const auto plan = nlohmann::json::parse(read("shared/plan.json"));
  const fs::path file = folder_ / "shared/work" / plan["units"][0]["file"].get<std::string>();
  fs::create_directories(file / "in the way");
  EXPECT_EQ(chunk(scene, "1/1", "shared").exit_code, 3);
  const auto failed = status("shared");
  EXPECT_EQ(failed["failures"][0]["chunk"], "1/1");
  EXPECT_THAT(failed["failures"][0]["problem"].get<std::string>(), HasSubstr("cannot write"));
  EXPECT_THAT(peal("status " + path("shared")).out, HasSubstr("chunk 1/1 failed on"));
  fs::remove_all(file);
  EXPECT_EQ(chunk(scene, "1/1", "shared").exit_code, 0);
  EXPECT_TRUE(status("shared")["failures"].empty());
  EXPECT_EQ(status("shared")["done"], 1);
}

TEST_F(SharedRenders, RunOnThisMachineByOneCommand) {
  const std::string scene = write("s.json", wave_scene());
  ASSERT_EQ(peal("render " + scene + " -o " + path("one")).exit_code, 0);
  const Finished run =
      peal("submit " + scene + " --run --jobs 3 --threads 1 --json -o " + path("shared"));
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto report = nlohmann::json::parse(run.out);
  EXPECT_EQ(report["chunks"], 3);
  EXPECT_TRUE(report["submitted"]);
  EXPECT_GT(report["expected_core_s"], 0.0);
  expect_same_files("one", "shared");
  EXPECT_EQ(peal("submit " + scene + " --engine abacus").exit_code, 2);
  EXPECT_THAT(peal("status " + path("nothing")).err, HasSubstr("holds no shared render"));
}

}  // namespace
}  // namespace peal
