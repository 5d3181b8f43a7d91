#include <peal/elastic/joined_forces.h>

#include <algorithm>
#include <utility>

namespace peal::elastic {
namespace {

class JoinedForces final : public InternalForces {
 public:
  explicit JoinedForces(std::vector<std::unique_ptr<InternalForces>> parts)
      : parts_(std::move(parts)) {}

  void add(const Nodes& positions, Nodes& forces) override {
    for (const auto& part : parts_) part->add(positions, forces);
  }
  void add_one_by_one(const Nodes& positions, Nodes& forces) const override {
    for (const auto& part : parts_) part->add_one_by_one(positions, forces);
  }
  double energy(const Nodes& positions) const override {
    double sum = 0.0;
    for (const auto& part : parts_) sum += part->energy(positions);
    return sum;
  }
  std::size_t elements() const override {
    std::size_t sum = 0;
    for (const auto& part : parts_) sum += part->elements();
    return sum;
  }
  Strained most_strained(const Nodes& positions) const override {
    Strained worst = parts_.front()->most_strained(positions);
    for (const auto& part : parts_) {
      const Strained candidate = part->most_strained(positions);
      if (candidate.strain() > worst.strain()) worst = candidate;
    }
    return worst;
  }
  Strained most_squeezed(const Nodes& positions) const override {
    Strained worst = parts_.front()->most_squeezed(positions);
    for (const auto& part : parts_) {
      const Strained candidate = part->most_squeezed(positions);
      if (candidate.volume_ratio < worst.volume_ratio) worst = candidate;
    }
    return worst;
  }
  double least_volume(const Nodes& positions) override {
    double least = parts_.front()->least_volume(positions);
    for (const auto& part : parts_) least = std::min(least, part->least_volume(positions));
    return least;
  }

 private:
  std::vector<std::unique_ptr<InternalForces>> parts_;
};

}  // namespace

std::unique_ptr<InternalForces> joined(std::vector<std::unique_ptr<InternalForces>> parts) {
  if (parts.size() == 1) return std::move(parts.front());
  return std::make_unique<JoinedForces>(std::move(parts));
}

}  // namespace peal::elastic
