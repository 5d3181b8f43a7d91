#pragma once

#include <peal/elastic/contact_surface.h>
#include <peal/elastic/edge_contact.h>
#include <peal/elastic/load.h>
#include <peal/util/archive.h>

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace peal::elastic {

/// Two solids that may touch: samples of the first are tested against the second; equal:
/// self-contact.
struct SurfacePair {
  std::size_t solid = 0, other = 0;
};

/// A sample of one solid and the faces of another that it may touch.
struct SampleCandidate {
  std::uint32_t pair = 0;
  std::uint32_t sample = 0;
  std::vector<std::uint32_t> faces;
  std::int64_t next_look = 0;  ///< step before which it cannot touch
};

/// Broad phase of surface contact: lists the samples and faces, and the sharp edges, that may
/// touch. The lists are rebuilt when something has moved by a quarter of the margin.
class SurfaceBroadPhase {
 public:
  static constexpr std::int64_t interval = 32;  ///< steps from one update() to the next

  /// `margin` is the largest distance of what is listed [m].
  SurfaceBroadPhase(std::vector<SurfacePair> pairs, double margin)
      : pairs_(std::move(pairs)), margin_(margin) {}

  const std::vector<SurfacePair>& pairs() const { return pairs_; }
  std::vector<SampleCandidate>& samples() { return samples_; }
  const std::vector<SampleCandidate>& samples() const { return samples_; }
  std::span<const EdgePair> edges() const { return edges_; }
  double fastest() const { return fastest_; }  ///< speed of a vertex at the last update [m/s]

  /// Updates the lists. Calls `is_away(pair, sample)` for samples that the other solid is not near.
  void update(const std::vector<ContactSurface>& surfaces, const State& state,
              const std::function<void(std::uint32_t, std::uint32_t)>& is_away);
  void serialize(util::Archive& archive);

 private:
  void list_samples(std::uint32_t pair, const std::vector<ContactSurface>& surfaces,
                    const State& state,
                    const std::function<void(std::uint32_t, std::uint32_t)>& is_away);
  void list_edges(const SurfacePair& pair, const std::vector<ContactSurface>& surfaces,
                  const State& state);

  std::vector<SurfacePair> pairs_;
  double margin_;
  std::vector<SampleCandidate> samples_;
  std::vector<EdgePair> edges_;
  std::vector<Nodes> listed_at_;  ///< positions at that time; empty before the first update
  double fastest_ = 0.0;
};

}  // namespace peal::elastic
