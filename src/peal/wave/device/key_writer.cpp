#include <peal/wave/device/key_writer.h>
#include <peal/wave/device/step_kernels.h>
#include <peal/wave/device/table_writer.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace peal::wave::device {

namespace {

/// Entries of items, in the order in which they were added to each.
class ListsBuilder {
 public:
  explicit ListsBuilder(std::size_t items) : lists_(items) {}

  void add(std::size_t item, std::uint32_t entry) { lists_[item].push_back(entry); }

  ListsOf write(TableWriter& to) const {
    std::vector<std::uint32_t> first{0}, all;
    for (const std::vector<std::uint32_t>& list : lists_) {
      all.insert(all.end(), list.begin(), list.end());
      first.push_back(static_cast<std::uint32_t>(all.size()));
    }
    return {.first = to.add(first), .entry = to.add(all)};
  }

 private:
  std::vector<std::vector<std::uint32_t>> lists_;
};

template <class Real>
class KeyWriter {
 public:
  KeyWriter(const KeySource<Real>& source, TableWriter& to)
      : source_(source), cells_(source.cells), plan_(cells_.plan()), to_(to) {}

  KeyTables<Real> write() {
    find_groups();
    add_nodes();
    if (!cells_.links().empty()) add_links();
    add_changes();
    add_layer();
    add_cavities();
    return out_;
  }

 private:
  std::size_t count() const { return cells_.nodes().size(); }

  void find_groups() {
    // Cells whose subcells relax towards each other.
    std::vector<bool> relaxes(count(), false);
    for (std::size_t i = 0; i < cells_.links().size(); ++i)
      if (pulls(i)) relaxes[cells_.links()[i].a] = relaxes[cells_.links()[i].b] = true;
    for (std::uint32_t i = 0; i < count(); ++i) {
      const bool same_cell =
          i > 0 && i < plan_.listed && cells_.cell_of(i) == cells_.cell_of(i - 1);
      // All subcells from the first that relaxes on.
      const bool joined = same_cell && (in_relaxing_cell_ || relaxes[i - 1]);
      if (!joined) first_.push_back(i);
      in_relaxing_cell_ = joined;
      group_of_.push_back(static_cast<std::uint32_t>(first_.size() - 1));
    }
    out_.groups = static_cast<std::uint32_t>(first_.size());
    first_.push_back(static_cast<std::uint32_t>(count()));
    out_.group = to_.add(first_);
  }
  bool pulls(std::size_t link) const {
    const auto& course = cells_.link_coefficients()[link];
    return course.pull != 0 || course.pull_change != 0 || cells_.links()[link].pull != 0;
  }

  void add_nodes() {
    const std::span<const CutNode<Real>> nodes = cells_.nodes();
    out_.nodes = static_cast<std::uint32_t>(count());
    out_.listed = static_cast<std::uint32_t>(plan_.listed);
    out_.reserve = cells_.reserve();
    out_.node = to_.make<NodePlace>(count(), [&](std::size_t i) {
      NodePlace place{place_of(plan_.indices[i]), 0};
      for (std::uint32_t f = 0; f < cell_faces; ++f)
        place.open |= (nodes[i].step[f] != 0 ? 1u : 0u) << f;
      return place;
    });
    out_.course = to_.make<NodeCourse>(count(), [&](std::size_t i) {
      const NodeCoefficients& from = plan_.coefficients[i];
      NodeCourse course{.volume = from.volume, .volume_change = from.volume_change};
      for (std::size_t f = 0; f < cell_faces; ++f)
        course.area[f] = from.area[f], course.area_change[f] = from.area_change[f];
      return course;
    });
    out_.state = to_.make<NodeState<Real>>(count(), [&](std::size_t i) {
      NodeState<Real> state{.gain = nodes[i].gain, .inertia = 1};
      for (std::size_t f = 0; f < cell_faces; ++f) state.area[f] = nodes[i].area[f];
      return state;
    });
    if (source_.drives) {
      std::vector<std::uint32_t> number(plan_.listed, nothing);
      for (std::uint32_t k = 0; k < source_.driven.size(); ++k) number[source_.driven[k]] = k;
      out_.driven = to_.add(number);
    }
    out_.has_opened = to_.zeros<std::uint32_t>(1);
    out_.volume = to_.add(cells_.volumes());
    const std::size_t taken = std::max(count(), plan_.transfers.size());
    out_.next_now = to_.zeros<Real>(taken);
    out_.next_before = to_.zeros<Real>(taken);
    for (Real*& extra : out_.extra) extra = to_.zeros<Real>(plan_.extras);
    out_.extra_mask = to_.make<unsigned char>(
        plan_.extras, [](std::size_t) { return static_cast<unsigned char>(1); });
  }

  void add_links() {
    const auto links = cells_.links();
    const auto courses = cells_.link_coefficients();
    const std::size_t n = links.size();
    out_.links = static_cast<std::uint32_t>(n);
    out_.link = to_.make<LinkEnds>(n, [&](std::size_t i) {
      return LinkEnds{links[i].a, links[i].b, links[i].inner ? 1u : 0u};
    });
    out_.link_course = to_.make<LinkCourse>(n, [&](std::size_t i) {
      const auto& from = courses[i];
      return LinkCourse{from.area, from.area_change, from.pull, from.pull_change};
    });
    out_.link_state = to_.make<LinkState<Real>>(n, [&](std::size_t i) {
      return LinkState<Real>{links[i].area, links[i].pull};
    });
    std::vector<std::vector<LinkEntry>> entries(count());
    ListsBuilder of_groups(out_.groups);
    for (std::uint32_t i = 0; i < n; ++i) {
      entries[links[i].a].push_back({place_of(links[i].place_b), 2 * i});
      entries[links[i].b].push_back({place_of(links[i].place_a), 2 * i + 1});
      if (pulls(i)) of_groups.add(group_of_[links[i].a], i);
    }
    std::vector<std::uint32_t> first{0};
    std::vector<LinkEntry> all;
    for (const std::vector<LinkEntry>& own : entries) {
      all.insert(all.end(), own.begin(), own.end());
      first.push_back(static_cast<std::uint32_t>(all.size()));
    }
    out_.first_link = to_.add(first);
    out_.link_entry = to_.add(all);
    out_.pulls_of_group = of_groups.write(to_);
  }

  void add_changes() {
    const auto places = [&](const std::vector<CellIndex>& from) {
      return to_.make<Place>(from.size(), [&](std::size_t i) { return place_of(from[i]); });
    };
    out_.behind = static_cast<std::uint32_t>(plan_.behind.size());
    out_.behind_place = places(plan_.behind);
    if (source_.is_first) return;
    out_.sealed = static_cast<std::uint32_t>(plan_.sealed.size());
    out_.sealed_place = places(plan_.sealed);
    std::vector<Place> to;
    std::vector<std::uint32_t> first, from;
    std::vector<double> weight;
    for (const NodeTransfer& t : plan_.transfers) {
      if (to.empty() || to.back() != place_of(t.to)) {
        to.push_back(place_of(t.to));
        first.push_back(static_cast<std::uint32_t>(from.size()));
      }
      if (t.weight == 0) continue;
      from.push_back(place_of(t.from));
      weight.push_back(t.weight);
    }
    first.push_back(static_cast<std::uint32_t>(from.size()));
    out_.transfers = static_cast<std::uint32_t>(to.size());
    out_.transfer_to = to_.add(to);
    out_.sources_of_transfer = {to_.add(first), to_.add(from)};
    out_.transfer_weight = to_.add(weight);
  }

  void add_layer() {
    const std::vector<LayerSelection::Node>& nodes = source_.layer.nodes();
    const std::vector<LayerSelection::NodePair>& links = source_.layer.links();
    const auto numbers = [&](std::size_t n, const auto& value) {
      return to_.make<std::uint32_t>(n, value);
    };
    const std::size_t n = nodes.size(), pairs = links.size();
    out_.layer_nodes = static_cast<std::uint32_t>(n);
    out_.layer_node = numbers(n, [&](std::size_t i) { return nodes[i].node; });
    out_.layer_cell = numbers(
        3 * n, [&](std::size_t i) { return static_cast<std::uint32_t>(nodes[i / 3].name[i % 3]); });
    out_.layer_node_before = numbers(n, [&](std::size_t i) { return nodes[i].before; });
    out_.own_xi = to_.zeros<Real>(3 * n);
    out_.layer_links = static_cast<std::uint32_t>(pairs);
    out_.layer_link = numbers(pairs, [&](std::size_t i) { return links[i].link; });
    out_.layer_link_axis =
        numbers(pairs, [&](std::size_t i) { return static_cast<std::uint32_t>(links[i].axis); });
    out_.layer_link_before = numbers(pairs, [&](std::size_t i) { return links[i].before; });
    const LayerCoefficients<Real>& c = source_.coefficients;
    out_.layer_link_a =
        to_.make<Real>(pairs, [&](std::size_t i) { return c.face_a[outer_face(links[i])]; });
    out_.layer_link_b =
        to_.make<Real>(pairs, [&](std::size_t i) { return c.face_b[outer_face(links[i])]; });
    out_.layer_link_psi = to_.zeros<Real>(pairs);
    out_.layer_link_difference = to_.zeros<Real>(pairs);
    ListsBuilder of_nodes(n);
    for (std::uint32_t i = 0; i < pairs; ++i) {
      if (links[i].low != LayerSelection::none) of_nodes.add(links[i].low, 2 * i);
      if (links[i].high != LayerSelection::none) of_nodes.add(links[i].high, 2 * i + 1);
    }
    out_.links_of_layer_node = of_nodes.write(to_);
  }

  /// The number, from the outside, of the face between the cells of a link; that of the innermost
  /// face if it is not in the layer.
  std::size_t outer_face(const LayerSelection::NodePair& link) const {
    const int size = source_.size[static_cast<std::size_t>(link.axis)];
    const LayerPlace low = layer_place(link.from, size, source_.layer_cells);
    const LayerPlace high = layer_place(link.from + 1, size, source_.layer_cells);
    if (low.inside && low.high) return low.high_outer;
    if (high.inside && !high.high) return high.low_outer;
    return static_cast<std::size_t>(source_.layer_cells);
  }

  void add_cavities() {
    using Cavities = SealedCavities<Real>;
    std::vector<CavityTable<Real>> cavities;
    std::vector<std::uint32_t> begin, end, sum_first, sum_cavity;
    std::vector<float> volume;
    for (const typename Cavities::Cavity& cavity : source_.cavities.cavities()) {
      if (cavity.runs.empty() && cavity.cut.empty()) continue;
      CavityTable<Real>& own = cavities.emplace_back();
      own.first_sum = static_cast<std::uint32_t>(sum_first.size());
      own.volume = cavity.volume;
      const auto start_sum = [&](std::size_t i, std::size_t at_once) {
        if (i % at_once != 0) return;
        sum_first.push_back(static_cast<std::uint32_t>(begin.size()));
        sum_cavity.push_back(static_cast<std::uint32_t>(cavities.size() - 1));
      };
      for (std::size_t i = 0; i < cavity.runs.size(); ++i) {
        start_sum(i, Cavities::runs_at_once);
        begin.push_back(place_of(cavity.runs[i].begin));
        end.push_back(place_of(cavity.runs[i].end));
        volume.push_back(0);
      }
      for (std::size_t i = 0; i < cavity.cut.size(); ++i) {
        start_sum(i, Cavities::cut_at_once);
        begin.push_back(place_of(cavity.cut[i].index));
        end.push_back(0);
        volume.push_back(cavity.cut[i].volume);
      }
      own.sums = static_cast<std::uint32_t>(sum_first.size()) - own.first_sum;
    }
    out_.cavities = static_cast<std::uint32_t>(cavities.size());
    out_.members = static_cast<std::uint32_t>(begin.size());
    out_.sums = static_cast<std::uint32_t>(sum_first.size());
    sum_first.push_back(out_.members);
    out_.cavity = to_.add(cavities);
    out_.member_begin = to_.add(begin);
    out_.member_end = to_.add(end);
    out_.member_volume = to_.add(volume);
    out_.sum_first = to_.add(sum_first);
    out_.sum_cavity = to_.add(sum_cavity);
    out_.sum_now = to_.zeros<double>(out_.sums);
    out_.sum_before = to_.zeros<double>(out_.sums);
    out_.shift = to_.zeros<Real>(out_.cavities);
  }

  const KeySource<Real>& source_;
  const CutCells<Real>& cells_;
  const BoundaryPlan& plan_;
  TableWriter& to_;
  KeyTables<Real> out_{};
  std::vector<std::uint32_t> first_, group_of_;
  bool in_relaxing_cell_ = false;
};

}  // namespace

template <class Real>
Tables write_key(BufferPool& pool, const KeySource<Real>& source) {
  constexpr std::size_t of_node = 512;  // bytes, about: less is written twice
  return write_tables(pool, of_node * source.cells.nodes().size(), [&](TableWriter& to) {
    auto* const head = to.reserve<KeyTables<Real>>(1);
    const KeyTables<Real> tables = KeyWriter<Real>(source, to).write();
    if (head != nullptr) *head = tables;
  });
}

template <class Real>
Tables write_empty_key(BufferPool& pool) {
  return write_tables(pool, sizeof(KeyTables<Real>),
                      [](TableWriter& to) { to.zeros<KeyTables<Real>>(1); });
}

template Tables write_key(BufferPool&, const KeySource<float>&);
template Tables write_key(BufferPool&, const KeySource<double>&);
template Tables write_empty_key<float>(BufferPool&);
template Tables write_empty_key<double>(BufferPool&);

}  // namespace peal::wave::device
