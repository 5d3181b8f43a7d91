#include <peal/util/files.h>
#include <peal/util/lanes.h>

#include <bench/report.h>
#include <fmt/format.h>
#include <stdio.h>
#include <time.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string_view>
#include <thread>

namespace peal::bench {

namespace {

/// Processors of one name may have vectors of different widths, which is a factor of two.
std::string cpu_model() {
  std::string model = "unknown CPU";
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("model name")) model = line.substr(line.find(':') + 2);
  }
  return fmt::format("{}, {} bit", model, 8 * util::widest_bytes);
}

/// "amd-epyc-256-bit-2-cores": a folder name.
std::string machine_name() {
  std::string name;
  for (const unsigned char c : cpu_model()) {
    if (std::isalnum(c)) {
      name += static_cast<char>(std::tolower(c));
    } else if (!name.empty() && name.back() != '-') {
      name += '-';
    }
  }
  if (name.ends_with('-')) name.pop_back();
  return fmt::format("{}-{}-cores", name, std::thread::hardware_concurrency());
}

/// The commit the tree is at, with "-dirty" if files differ from it.
std::string commit() {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(
      ::popen("git -C '" PEAL_SOURCE_DIR "' describe --always --dirty --abbrev=12 2>/dev/null",
              "r"),
      ::pclose);
  std::string text;
  for (int c = pipe ? std::fgetc(pipe.get()) : EOF; c != EOF && c != '\n';
       c = std::fgetc(pipe.get())) {
    text += static_cast<char>(c);
  }
  return text.empty() ? "unknown" : text;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

Report::Report(std::string name, int argc, char** argv) : name_(std::move(name)) {
  if (argc == 3 && std::string_view(argv[1]) == "--csv") {
    csv_folder_ = argv[2];
  } else if (argc != 1) {
    fmt::print(stderr, "usage: {} [--csv DIR]\n", argv[0]);
    std::exit(2);
  }
}

std::string Report::Row::verdict() const {
  if (!limit) return "";
  return value <= *limit ? "pass" : "MISSED";
}

void Report::add(const std::string& benchmark, const std::string& quantity, double value,
                 const std::string& unit) {
  add({benchmark, quantity, value, unit, std::nullopt});
}

void Report::add_at_most(const std::string& benchmark, const std::string& quantity, double value,
                         const std::string& unit, double limit) {
  add({benchmark, quantity, value, unit, limit});
}

void Report::add(const Row& row) {
  if (rows_.empty()) {
    fmt::print("{} cores of {}, commit {}\n", std::thread::hardware_concurrency(), cpu_model(),
               commit());
    fmt::print("{:<20} {:<34} {:>10} {:<6} {:>8} {}\n", "benchmark", "quantity", "value", "unit",
               "limit", "verdict");
  }
  fmt::print("{:<20} {:<34} {:>10.4g} {:<6} {:>8} {}\n", row.benchmark, row.quantity, row.value,
             row.unit, row.limit ? fmt::format("<= {:.4g}", *row.limit) : "", row.verdict());
  std::fflush(stdout);
  rows_.push_back(row);
}

int Report::finish() const {
  if (!csv_folder_.empty()) {
    const auto path = std::filesystem::path(csv_folder_) / machine_name() / (name_ + ".csv");
    util::write_file(path, csv());
    fmt::print("written: {}\n", path.string());
  }
  return std::any_of(rows_.begin(), rows_.end(),
                     [](const Row& row) { return row.verdict() == "MISSED"; })
             ? 1
             : 0;
}

std::string Report::csv() const {
  std::string text = "benchmark,quantity,value,unit,limit,verdict,cpu,cores,commit\n";
  for (const Row& row : rows_) {
    text += fmt::format("\"{}\",\"{}\",{:.6g},{},{},{},\"{}\",{},{}\n", row.benchmark, row.quantity,
                        row.value, row.unit, row.limit ? fmt::format("{:g}", *row.limit) : "",
                        row.verdict(), cpu_model(), std::thread::hardware_concurrency(), commit());
  }
  return text;
}

Seconds time_of(const std::function<void()>& work) {
  const auto cpu_seconds = [] {
    timespec now{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  };
  const auto wall_start = std::chrono::steady_clock::now();
  const double cpu_start = cpu_seconds();
  work();
  const double cpu = cpu_seconds() - cpu_start;
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - wall_start;
  return {wall.count(), cpu};
}

std::vector<Seconds> median_times(const std::vector<std::function<void()>>& works, int rounds) {
  for (const auto& work : works) work();
  std::vector<std::vector<double>> wall(works.size()), cpu(works.size());
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t k = 0; k < works.size(); ++k) {
      const Seconds time = time_of(works[k]);
      wall[k].push_back(time.wall);
      cpu[k].push_back(time.cpu);
    }
  }
  std::vector<Seconds> medians;
  for (std::size_t k = 0; k < works.size(); ++k)
    medians.push_back({median(wall[k]), median(cpu[k])});
  return medians;
}

}  // namespace peal::bench
