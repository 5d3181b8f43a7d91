#include <peal/util/measure.h>

#include <gtest/gtest.h>

#include "wave/exact_field.h"
#include "wave/wave_fixture.h"

namespace peal::wave {
namespace {

using std::numbers::pi;

/// Rests at one place, then at another.
class JumpingMotion : public base::Motion {
 public:
  JumpingMotion(const Vec3& before, const Vec3& after, double time)
      : before_(before), after_(after), jump_(time) {}
  base::Pose pose(double t) const override { return {.position = t < jump_ ? before_ : after_}; }
  bool is_still() const override { return false; }
  std::span<const double> jumps() const override { return {&jump_, 1}; }

 private:
  Vec3 before_, after_;
  double jump_;
};

/// Pressures of a signal from `begin` to `end` [s] and the exact ones.
struct Comparison {
  std::vector<double> received, exact;
};

Comparison compare(const base::Signal& signal, const base::Receiver& receiver,
                   const ExactField& field, double begin, double end) {
  Comparison result;
  for (std::size_t i = 0; i < signal.samples.size(); ++i) {
    const double t = signal.rate.seconds(signal.start + static_cast<std::int64_t>(i));
    if (t < begin || t >= end) continue;
    result.received.push_back(static_cast<double>(signal.samples[i]));
    result.exact.push_back(field.at(receiver.motion->pose(t).position, t));
  }
  return result;
}

double relative_error(const Comparison& c) {
  double error = 0.0, sum = 0.0;
  for (std::size_t i = 0; i < c.received.size(); ++i) {
    error += std::pow(c.received[i] - c.exact[i], 2.0);
    sum += c.exact[i] * c.exact[i];
  }
  return std::sqrt(error / sum);
}

TEST(ReceiverArraySlow, is_right_at_any_distance_from_the_surface) {
  const FarFieldSetup setup = box_setup(20, 0.01, 8);
  ExactField field(setup, monopole({0.01, -0.02, 0.005}), 1000.0, true);
  const double h = setup.grid.cell_size, surface = 10 * h;
  for (const double cells : {-4.0, -0.3, 0.0, 0.3, 0.7, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0}) {
    const std::vector<base::Receiver> receivers = {
        receiver_at({surface + cells * h, 0.013, 0.021}),
        receiver_at({surface + cells * h, surface + cells * h, 0.01})};
    EXPECT_LT(field.error(receivers, 300, 150), 3e-3) << cells;
  }
}

TEST(ReceiverArraySlow, a_receiver_that_crosses_the_box_does_not_click) {
  const FarFieldSetup setup = box_setup(20, 0.01, 8);
  ExactField field(setup, monopole({0.0, -0.06, 0.0}), 1500.0, true);
  const base::Receiver receiver = receiver_at({-0.25, 0.03, 0.02}, {20, 0, 0});
  const base::Signal received = field.received({receiver}, 1500)[0];
  const Comparison c = compare(received, receiver, field, 0.002, 0.024);
  ASSERT_GT(c.received.size(), 1300u);
  EXPECT_LT(relative_error(c), 5e-3);
  EXPECT_LT(util::click(c.received), 1.1 * util::click(c.exact));
}

TEST(ReceiverArraySlow, a_receiver_that_jumps_is_faded) {
  const FarFieldSetup setup = box_setup(20, 0.01, 8);
  ExactField field(setup, monopole({0.0, -0.06, 0.0}), 1000.0, true);
  const double jump = 0.01;
  const base::Receiver receiver{
      .name = "jumping",
      .motion = std::make_shared<JumpingMotion>(Vec3(0.5, 0, 0), Vec3(0.03, 0.04, 0), jump)};
  const base::Signal received = field.received({receiver}, 1500)[0];
  EXPECT_LT(relative_error(compare(received, receiver, field, 0.004, jump)), 1e-3);
  EXPECT_LT(relative_error(
                compare(received, receiver, field, jump + base::MotionSegment::edge_time, 0.02)),
            3e-3);
  const Comparison c = compare(received, receiver, field, 0.004, 0.02);
  EXPECT_LT(util::click(c.received),
            3.0 * std::numbers::sqrt2 * std::pow(2 * pi * 1000 / 60000, 2));
}

TEST(ReceiverArray, sound_starts_when_it_arrives) {
  FarFieldSetup setup = box_setup(16);
  setup.first_step = 6000;
  ExactField field(setup, monopole(), 1000.0);
  const base::Signal received = field.received({receiver_at({3.432, 0, 0})}, 300)[0];
  // The box' surface is 8 cells nearer than its centre; the signal ends when the far field is no
  // longer known from all of the box.
  EXPECT_NEAR(static_cast<double>(received.start), 6000 + 600 - 14, 4);
  EXPECT_GT(received.samples.size(), 240u);
  EXPECT_LE(received.samples.size(), 303u);
}

TEST(ReceiverArray, a_receiver_inside_hears_each_step_at_once) {
  FarFieldSetup setup = box_setup(12);
  ExactField field(setup, monopole({0.3, 0.3, 0.3}), 1000.0, true);
  ReceiverArray<float> receiver_array(setup, std::vector{receiver_at({0.012, 0.001, 0.02})});
  EXPECT_LT(receiver_array.bytes(), 100000u);  // no faces are recorded for nobody
  for (int step = 0; step < 320; ++step) receiver_array.record(field.at_step(step));
  const base::Signal received = receiver_array.take()[0];
  EXPECT_EQ(received.start, 0);
  EXPECT_EQ(received.samples.size(), 320u);
}

TEST(ReceiverArray, peaks_are_those_of_what_is_known) {
  const FarFieldSetup setup = box_setup(12);
  ExactField field(setup, monopole(), 500.0);
  ReceiverArray<float> receiver_array(setup, std::vector{receiver_at({0.5, 0, 0})});
  EXPECT_EQ(receiver_array.peak(0.01).overall, 0.0);
  Field<float> silence(setup.grid.size);
  for (int step = 0; step < 512; ++step) receiver_array.record(field.at_step(step));
  EXPECT_NEAR(receiver_array.peak(0.003).recent, 2.0, 0.01);
  for (int step = 0; step < 1024; ++step) receiver_array.record(silence);
  EXPECT_EQ(receiver_array.peak(0.003).recent, 0.0);
  EXPECT_GT(receiver_array.peak(0.003).overall, 1.99);
}

TEST(ReceiverArray, cells_without_air_are_not_read) {
  FarFieldSetup setup = box_setup(12);
  setup.is_air = [](const Cell& c) { return c[0] >= 10; };
  Field<float> field(setup.grid.size);
  for_each_cell(field.size(), [&](const Cell& c) { field[c] = c[0] >= 10 ? 3.0f : 1e9f; });
  const Vec3 beside = setup.grid.centre({10, 10, 10}) - Vec3(0.004, 0.001, 0.0);
  EXPECT_NEAR(probe(setup, field, beside), 3.0, 1e-6);
  EXPECT_EQ(probe(setup, field, setup.grid.centre({4, 10, 10})), 0.0);
}

/// Relative error of a monopole's pulse from solver to a receiver outside of the grid.
double solver_error(int refinement) {
  const int layer = 8, box = 20 * refinement, n = box + 2 * (layer + 2);
  const double h = 0.02 / refinement;
  FarFieldSetup setup = box_setup(box, h, layer + 2);
  setup.rate = {30000 * refinement};
  Leapfrog<float> solver(setup.grid, {.speed_of_sound = c_air, .time_step = setup.rate.step()});
  const auto strength = [](double t) {
    const double u = (t - 1.5e-3) / 3e-4;
    return (1.0 - 2.0 * u * u) * std::exp(-u * u);
  };
  const Cell source = {n / 2 + 2 * refinement, n / 2 - refinement, n / 2};
  const Vec3 place(1.1, 0.9, -0.3);
  ReceiverArray<float> receiver_array(setup, std::vector{receiver_at(place)});
  for (std::int64_t step = 0; setup.rate.seconds(step) < 6e-3; ++step) {
    receiver_array.record(solver.pressure());
    solver.advance_planes(0, n);
    solver.add_monopole(source, strength(setup.rate.seconds(step)));
    solver.finish_step();
  }
  const base::Signal received = receiver_array.take()[0];
  const double r = (place - setup.grid.centre(source)).norm();
  double error = 0.0, sum = 0.0;
  for (std::size_t i = 0; i < received.samples.size(); ++i) {
    const double t = received.rate.seconds(received.start + static_cast<std::int64_t>(i));
    const double exact = strength(t - r / c_air) / (4.0 * pi * r);
    error += std::pow(static_cast<double>(received.samples[i]) - exact, 2.0);
    sum += exact * exact;
  }
  return std::sqrt(error / sum);
}

TEST(ReceiverArraySlow, a_monopole_of_the_solver_is_heard_far_away) {
  const double coarse = solver_error(1), fine = solver_error(2);
  EXPECT_LT(fine, 0.01);
  EXPECT_GT(std::log2(coarse / fine), 1.7);
}

}  // namespace
}  // namespace peal::wave
