// Mesh readers: OBJ against tinyobjloader, binary PLY against a plain read of the same bytes. The
// store against plain files of the same bytes. One thread each; the files lie in the page cache.
#include <peal/geometry/io/read_mesh.h>
#include <peal/geometry/io/write_mesh.h>
#include <peal/util/checksum.h>
#include <peal/util/files.h>
#include <peal/util/store.h>

#include <bench/report.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <memory>
#include <numbers>
#include <span>
#include <stdexcept>
#include <string_view>
#include <vector>

#define TINYOBJLOADER_IMPLEMENTATION
#include <tiny_obj_loader.h>

namespace peal::bench {
namespace {

namespace fs = std::filesystem;
using geometry::TriMesh;
using geometry::Vec3;

/// A bumpy torus of 1 000 000 triangles.
TriMesh bumpy_torus() {
  constexpr std::uint32_t around = 1000;
  constexpr std::uint32_t across = 500;
  TriMesh mesh;
  for (std::uint32_t i = 0; i < around; ++i) {
    for (std::uint32_t j = 0; j < across; ++j) {
      const double u = 2.0 * std::numbers::pi * i / around;
      const double v = 2.0 * std::numbers::pi * j / across;
      const double tube = 0.3 + 0.02 * std::sin(17.0 * u) * std::sin(11.0 * v);
      const double radius = 1.0 + tube * std::cos(v);
      mesh.vertices.emplace_back(radius * std::cos(u), tube * std::sin(v), radius * std::sin(u));
      const std::uint32_t next_i = (i + 1) % around * across;
      const std::uint32_t next_j = (j + 1) % across;
      const std::uint32_t a = i * across + j;
      const std::uint32_t b = i * across + next_j;
      mesh.triangles.push_back({a, b, next_i + next_j});
      mesh.triangles.push_back({a, next_i + next_j, next_i + j});
    }
  }
  return mesh;
}

/// OBJ text with six digits after the point, as modelling tools write it.
std::string usual_obj(const TriMesh& mesh) {
  std::string text = "# bumpy torus\no torus\n";
  for (const Vec3& v : mesh.vertices) {
    fmt::format_to(std::back_inserter(text), "v {:.6f} {:.6f} {:.6f}\n", v.x(), v.y(), v.z());
  }
  text += "s off\n";
  for (const auto& [a, b, c] : mesh.triangles) {
    fmt::format_to(std::back_inserter(text), "f {} {} {}\n", a + 1, b + 1, c + 1);
  }
  return text;
}

class TemporaryFolder {
 public:
  TemporaryFolder() : path_(fs::temp_directory_path() / fmt::format("peal_bench_{}", ::getpid())) {
    fs::create_directories(path_);
  }
  ~TemporaryFolder() { fs::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

void require(bool condition, const char* what) {
  if (!condition) throw std::runtime_error(what);
}

void load_with_tinyobj(const fs::path& path, std::size_t triangles) {
  tinyobj::attrib_t attributes;
  std::vector<tinyobj::shape_t> shapes;
  std::vector<tinyobj::material_t> materials;
  std::string warning, error;
  require(tinyobj::LoadObj(&attributes, &shapes, &materials, &warning, &error, path.c_str()),
          "tinyobjloader failed");
  require(shapes.size() == 1 && shapes[0].mesh.indices.size() == 3 * triangles,
          "tinyobjloader lost triangles");
}

void load_with_peal(const fs::path& path, std::size_t triangles) {
  require(geometry::read_mesh(path).triangles.size() == triangles, "peal lost triangles");
}

/// Open, size, allocate, read, close: what any reader must do at least.
void plain_read(const fs::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY);
  struct stat status;
  require(descriptor >= 0 && ::fstat(descriptor, &status) == 0, "cannot open");
  const auto size = static_cast<std::size_t>(status.st_size);
  const auto buffer = std::make_unique_for_overwrite<char[]>(size);
  require(::read(descriptor, buffer.get(), size) == status.st_size, "cannot read");
  ::close(descriptor);
}

/// Compares the reader with a yardstick: the ratio of their processor times is the claim.
void compare(const std::string& benchmark, const fs::path& path, const std::string& yardstick,
             const std::vector<Seconds>& times, double limit, Report& report) {
  const double megabytes = static_cast<double>(fs::file_size(path)) * 1e-6;
  report.add(benchmark, "file size", megabytes, "MB");
  report.add(benchmark, yardstick + " wall time", times[0].wall * 1e3, "ms");
  report.add(benchmark, "peal wall time", times[1].wall * 1e3, "ms");
  report.add(benchmark, yardstick + " processor time", times[0].cpu * 1e3, "ms");
  report.add(benchmark, "peal processor time", times[1].cpu * 1e3, "ms");
  report.add(benchmark, "peal throughput", megabytes / times[1].cpu, "MB/s");
  report.add(benchmark, "peal / " + yardstick + ", wall time", times[1].wall / times[0].wall, "1");
  report.add_at_most(benchmark, "peal / " + yardstick, times[1].cpu / times[0].cpu, "1", limit);
}

void bench_obj(const TemporaryFolder& folder, const TriMesh& mesh, Report& report) {
  const fs::path path = folder.path() / "torus.obj";
  util::write_file(path, usual_obj(mesh));
  const auto times = median_times({[&] { load_with_tinyobj(path, mesh.triangles.size()); },
                                   [&] { load_with_peal(path, mesh.triangles.size()); }},
                                  7);
  compare("obj, 1M triangles", path, "tinyobjloader", times, 0.5, report);
}

void bench_ply(const TemporaryFolder& folder, const TriMesh& mesh, Report& report) {
  const fs::path path = folder.path() / "torus.ply";
  write_mesh(path, mesh, geometry::PlyPrecision::single_precision);
  const auto times = median_times(
      {[&] { plain_read(path); }, [&] { load_with_peal(path, mesh.triangles.size()); }}, 41);
  compare("ply, 1M triangles", path, "plain read", times, 3.0, report);
}

/// A result as large as the record of a deformable body.
struct LargeResult {
  std::vector<float> samples;
};

void serialize(util::Archive& archive, LargeResult& result) {
  archive.list(result.samples);
}

void bench_store(const TemporaryFolder& folder, Report& report) {
  LargeResult result{std::vector<float>(std::size_t{64} << 20, 0.5f)};  // 256 MiB
  const auto bytes = std::as_bytes(std::span(result.samples));
  const std::string_view plain(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const util::Store store({"bench", "", 1}, folder.path());
  const fs::path file = folder.path() / "plain";
  const auto writes = median_times({[&] { util::write_file(file, plain); },
                                    [&] { require(store.save("key", result), "not stored"); }},
                                   5);
  compare("store, write 256 MiB", file, "plain write", writes, 2.0, report);
  const auto reads =
      median_times({[&] { require(util::read_bytes(file).view().size() == plain.size(), "cut"); },
                    [&] { require(store.find<LargeResult>("key").has_value(), "not found"); }},
                   7);
  compare("store, read 256 MiB", file, "plain read", reads, 3.0, report);
  const auto sums = median_times({[&] { require(util::checksum(bytes)[0] != 0, "no sum"); }}, 7);
  report.add("store, checksum of 256 MiB", "throughput",
             static_cast<double>(bytes.size()) * 1e-9 / sums[0].cpu, "GB/s");
}

}  // namespace
}  // namespace peal::bench

int main(int argc, char** argv) {
  peal::bench::Report report("readers", argc, argv);
  const peal::bench::TemporaryFolder folder;
  const auto mesh = peal::bench::bumpy_torus();
  peal::bench::bench_obj(folder, mesh, report);
  peal::bench::bench_ply(folder, mesh, report);
  peal::bench::bench_store(folder, report);
  return report.finish();
}
