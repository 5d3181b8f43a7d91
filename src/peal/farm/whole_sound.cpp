#include <peal/farm/whole_sound.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace peal::farm {

namespace {

/// Pressures at all receivers, as they are stored.
struct StoredPressures {
  std::vector<base::Signal> signals;
};

void serialize(util::Archive& archive, StoredPressures& pressures) {
  pressures.signals.resize(archive.count(pressures.signals.size(), 3 * sizeof(std::uint64_t)));
  for (base::Signal& signal : pressures.signals) {
    archive.number(signal.rate.hz, signal.start);
    archive.list(signal.samples);
  }
}

/// Hands the progress of a radiator on.
class Advancing : public util::Progress {
 public:
  explicit Advancing(const base::WorkUnits::Advance& advance) : advance_(advance) {}
  void begin(std::string_view, double) override {}
  void update(double fraction) override { advance_(fraction); }
  void end() override {}

 private:
  const base::WorkUnits::Advance& advance_;
};

}  // namespace

WholeSound::WholeSound(const base::Radiator& radiator, const base::RadiationPlan& plan,
                       const base::World& world, std::span<const base::Receiver> receivers,
                       std::string key)
    : radiator_(radiator),
      world_(world),
      receivers_(receivers),
      key_(std::move(key)),
      store_(util::stored::pressures),
      list_({{.name = fmt::format("the whole sound (\"{}\")", plan.model), .work = plan.work}}) {}

std::filesystem::path WholeSound::file(std::size_t) const {
  return store_.file(key_);
}

bool WholeSound::is_done(std::size_t) const {
  return store_.contains(key_);
}

void WholeSound::compute(std::size_t, const Advance& advance) const {
  Advancing progress(advance);
  StoredPressures pressures{radiator_.radiate(world_, receivers_, {0, world_.samples}, progress)};
  store_.save_or_throw(key_, pressures);
}

std::vector<base::Signal> WholeSound::sum(base::SampleRange, const Advance& advance) const {
  auto found = store_.find<StoredPressures>(key_);
  if (!found || found->signals.size() != receivers_.size()) {
    const bool is_there = std::filesystem::exists(file(0));
    throw base::MissingUnits({{0, is_there ? "is damaged" : "is missing"}});
  }
  advance(1.0);
  return std::move(found->signals);
}

}  // namespace peal::farm
