#include <peal/wave/scheme/cpml_cut_cells.h>

#include <gtest/gtest.h>

#include "wave/cut_bodies.h"
#include "wave/wave_fixture.h"

namespace peal::wave {
namespace {

using geometry::TriMesh;

/// A box of 1 m cells with one body, which may reach into the layer and beyond the grid.
template <class Real>
class BoxWithBody {
 public:
  BoxWithBody(const Grid& grid, Side side, const TriMesh& body, double gamma = 0.0)
      : scheme_{.lambda = 0.999 * limit(), .gamma = gamma},
        solver(grid, settings_for(grid, scheme_.lambda, side)),
        cut_(grid, layout_of(solver.pressure()), scheme_),
        layer_nodes_(solver.layer(), solver.courant()) {
    geometry_ = geometry_of(body);
    cut_.index(geometry_);
    layer_nodes_.select(cut_);
  }

  /// The body goes on to here in this many steps, less than a cell.
  void move(const TriMesh& body, int steps) {
    const CutGeometry next = geometry_of(body);
    cut_.enter(interval(solver.grid(), geometry_, next));
    layer_nodes_.select(cut_);
    for (int n = 1; n <= steps; ++n) {
      cut_.advance(static_cast<double>(n) / steps);
      cut_.resolve_changes(solver.pressure().values(), solver.previous().values(), {}, {});
      step();
    }
    geometry_ = next;
  }

  void step(const Cell& source = {}, double strength = 0.0) {
    const auto p = solver.pressure().values();
    layer_nodes_.before(cut_);
    cut_.update(p, solver.previous().values(), {});
    solver.advance_planes(0, solver.grid().size[2]);
    cut_.overwrite(solver.next().values());
    layer_nodes_.after(cut_, p, solver.next().values());
    solver.add_monopole(source, strength);
    solver.finish_step();
  }

  void fill_with_noise() {
    for_each_cell(solver.grid().size, [&](const Cell& c) {
      const bool solid = is_solid(geometry_.solid, c);
      const Real value = solid ? Real(0) : static_cast<Real>(noise(1, c));
      solver.pressure()[c] = solver.previous()[c] = value;
    });
    for (const CutNode<Real>& node : cut_.nodes()) {
      if (node.cell & extra_index) continue;
      solver.pressure().values()[node.cell] = solver.previous().values()[node.cell] = 0;
    }
  }

  std::size_t nodes_in_layer() const { return layer_nodes_.count(); }

 private:
  CutGeometry geometry_of(const TriMesh& body) const {
    const CutFractions fractions = cut_fractions(solver.grid(), body);
    return combined(solver.grid(), std::span(&fractions, 1));
  }

  CutScheme scheme_;

 public:
  Leapfrog<Real> solver;

 private:
  CutCells<Real> cut_;
  CpmlCutCells<Real> layer_nodes_;
  CutGeometry geometry_;
};

Grid box_grid(const Cell& size, const Vec3& origin = Vec3::Zero()) {
  return {.origin = origin, .cell_size = 1.0, .size = size};
}

TriMesh shifted(TriMesh mesh, const Vec3& by) {
  for (Vec3& v : mesh.vertices) v += by;
  return mesh;
}

/// Its back is in the layer at high x. What lies in the layer cannot send an echo back, so a ball
/// farther out differs more: by -24 dB if it reaches 3 cells into it.
TriMesh ball() {
  return sphere_at({26.7, 17.6, 18.2}, 5.3, 8);
}
/// The ground, wider than any grid here; it lies in the layers of all sides but high y.
TriMesh slab() {
  return shifted(geometry::box_mesh({300.3, 12.7, 300.1}, 400.0), {18.1, 5.0, 18.2});
}
/// Thinner than two cells, through the layers at low and high z, oblique.
TriMesh rod() {
  TriMesh mesh = geometry::box_mesh({1.6, 1.7, 200.0}, 400.0);
  for (Vec3& v : mesh.vertices) v += Vec3(22.4 + 0.1 * v.z(), 22.7 - 0.05 * v.z(), 18.0);
  return mesh;
}

/// Much thinner than a cell, through the layers of all sides but high and low y. (Oblique to the
/// layers, plates and slabs alike send back -30 dB: a layer absorbs along its own axis.)
TriMesh plate() {
  return shifted(geometry::box_mesh({300.0, 0.2, 300.0}, 400.0), {18.0, 12.3, 18.0});
}

/// Largest difference that the layer makes to the pulse of a point source [dB of what arrives at
/// the corner of the free part], against a box so large that nothing returns in time.
double reflection(const TriMesh& body) {
  const int small = 36, large = 96, steps = 110, shift = (large - small) / 2, layer = 5;
  const Grid far = box_grid({large, large, large}, Vec3::Constant(-shift));
  BoxWithBody<float> boxed(box_grid({small, small, small}), Side::absorbing_layer, body);
  BoxWithBody<float> open(far, Side::rigid, body);
  EXPECT_GT(boxed.nodes_in_layer(), 20u);
  EXPECT_EQ(open.nodes_in_layer(), 0u);
  const auto moved = [&](const Cell& c) { return Cell{c[0] + shift, c[1] + shift, c[2] + shift}; };
  const Cell source = {16, 19, 17};
  double reflected = 0.0, direct = 0.0;
  for (int n = 0; n < steps; ++n) {
    const double u = (n - 40) / 12.0, strength = (1.0 - 2.0 * u * u) * std::exp(-u * u);
    boxed.step(source, strength);
    open.step(moved(source), strength);
    const int inner = small - 2 * layer;
    for_each_cell({inner, inner, inner}, [&](const Cell& c) {
      const Cell at = {c[0] + layer, c[1] + layer, c[2] + layer};
      const double p = open.solver.pressure()[moved(at)];
      reflected = std::max(reflected, std::abs(boxed.solver.pressure()[at] - p));
      if (c == Cell{0, inner - 1, 0}) direct = std::max(direct, std::abs(p));
    });
  }
  return 20.0 * std::log10(reflected / direct);
}

TEST(LayerNodesSlow, a_body_may_reach_into_the_layer_and_through_it) {
  EXPECT_LT(reflection(ball()), -40.0);
  EXPECT_LT(reflection(slab()), -40.0);
  EXPECT_LT(reflection(rod()), -40.0);
  EXPECT_LT(reflection(plate()), -40.0);
}

/// Noise must not grow. (It leaves but for a corner of a cell that hardly opens to the others.)
void expect_no_growth(const TriMesh& body, int steps) {
  BoxWithBody<float> box(box_grid({22, 20, 21}), Side::absorbing_layer, body);
  EXPECT_GT(box.nodes_in_layer(), 20u);
  box.fill_with_noise();
  double bound = 2.0;
  for (int part = 0; part < 5; ++part) {
    for (int n = 0; n < steps / 5; ++n) box.step();
    const double most = largest(box.solver.pressure());
    EXPECT_LT(most, bound) << part;
    bound = std::max(1e-3, most);
  }
}

TEST(LayerNodesSlow, nothing_grows_around_a_body_in_the_layer_in_float) {
  expect_no_growth(sphere_at({17.3, 10.2, 9.4}, 5.2, 8), 100000);
  expect_no_growth(shifted(slab(), {0, -4, 0}), 20000);
  expect_no_growth(shifted(rod(), {-11, -12, -7}), 20000);
  TriMesh oblique = shifted(plate(), {-7, -2, -8});
  for (Vec3& v : oblique.vertices) v.y() += 0.03 * v.x() - 0.04 * v.z();
  expect_no_growth(oblique, 20000);
}

/// A ball swings from the free part through the layer, out of the grid and back.
TEST(LayerNodesSlow, a_moving_body_may_enter_and_leave_the_layer) {
  const auto at = [](double t) {
    const double x = 14.0 + 12.0 * std::sin(t);
    return sphere_at({x, 10.2, 9.4 + 0.2 * x}, 4.2, 4);
  };
  BoxWithBody<float> box(box_grid({26, 20, 22}), Side::absorbing_layer, at(0.0), 0.1);
  const int keys = 800, steps = 25;
  for (int key = 1; key <= keys; ++key) {
    if (key == 1) box.fill_with_noise();
    box.move(at(0.02 * key), steps);
    if (key % 100 == 0) {
      EXPECT_LT(largest(box.solver.pressure()), key < 500 ? 0.5 : 0.1) << key;
    }
  }
}

TEST(CpmlCutCells, a_silent_body_that_moves_through_the_layer_stays_silent) {
  BoxWithBody<float> box(box_grid({24, 20, 20}), Side::absorbing_layer,
                         sphere_at({12, 10, 10}, 4, 3), 0.1);
  for (int key = 1; key <= 60; ++key) box.move(sphere_at({12 + 0.2 * key, 10, 10}, 4, 3), 5);
  EXPECT_EQ(largest(box.solver.pressure()), 0.0);
}

/// Whole cells that happen to be in the list must not differ from those that are not.
TEST(CpmlCutCells, nodes_with_all_faces_open_equal_the_layer_itself) {
  const Grid grid = box_grid({20, 19, 18});
  const double lambda = 0.999 * limit();
  const LeapfrogSettings settings = settings_for(grid, lambda, Side::absorbing_layer);
  Leapfrog<double> plain(grid, settings), listed(grid, settings);
  for_each_cell(grid.size,
                [&](const Cell& c) { plain.pressure()[c] = listed.pressure()[c] = noise(1, c); });
  const FieldLayout layout = layout_of(listed.pressure());
  CutGeometry geometry;
  for (const Cell& c : {Cell{1, 1, 1}, Cell{1, 2, 1}, Cell{9, 9, 16}, Cell{4, 8, 9}, Cell{2, 9, 9},
                        Cell{18, 3, 10}, Cell{17, 3, 10}, Cell{9, 17, 9}}) {
    geometry.cells.push_back({.cell = c, .volume = 1, .area = {1, 1, 1, 1, 1, 1}});
  }
  std::ranges::sort(geometry.cells, {}, [&](const OpenCell& c) { return grid.index(c.cell); });
  CutCells<double> cut(grid, layout, {.lambda = lambda});
  cut.index(geometry);
  CpmlCutCells<double> layer_nodes(listed.layer(), listed.courant());
  layer_nodes.select(cut);
  EXPECT_EQ(layer_nodes.count(), geometry.cells.size());
  for (int n = 0; n < 40; ++n) {
    plain.step();
    layer_nodes.before(cut);
    cut.update(listed.pressure().values(), listed.previous().values(), {});
    listed.advance_planes(0, grid.size[2]);
    cut.overwrite(listed.next().values());
    layer_nodes.after(cut, listed.pressure().values(), listed.next().values());
    listed.finish_step();
  }
  for_each_cell(grid.size, [&](const Cell& c) {
    ASSERT_NEAR(plain.pressure()[c], listed.pressure()[c], 1e-12);
  });
}

}  // namespace
}  // namespace peal::wave
