// The modal bank: how many modes ring in real time on one core, with a force in every sample.
#include <peal/util/denormals.h>
#include <peal/vibration/modal_bank.h>

#include <bench/report.h>

#include <cmath>
#include <random>
#include <vector>

namespace peal::bench {
namespace {

constexpr std::size_t modes_asked = 300000;
constexpr base::Rate rate{48000};
constexpr std::size_t samples = 4800;  ///< a tenth of a second

std::vector<base::Mode> audible_modes(std::size_t count, double decay_rate) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> octave(std::log(30.0), std::log(18000.0));
  std::vector<base::Mode> modes(count);
  for (base::Mode& mode : modes) {
    mode = {.frequency = std::exp(octave(random)), .decay_rate = decay_rate};
  }
  return modes;
}

/// The same work without any trouble of memory: as many multiply-adds as the recursion needs on
/// numbers that stay in registers, 5 operations a mode and sample.
double registers_only(std::size_t modes) {
  typedef float Lanes [[gnu::vector_size(64)]];
  Lanes q[8], v[8];
  for (int i = 0; i < 8; ++i) q[i] = Lanes{} + 1.0f, v[i] = Lanes{};
  volatile float tiny = 1e-9f, r = 0.999f, k = 1e-3f;
  const Lanes r2 = Lanes{} + r, kk = Lanes{} + k, b = Lanes{} + tiny;
  Lanes sum = {};
  const std::size_t steps = modes * samples / (8 * 16);
  for (std::size_t n = 0; n < steps; ++n) {
    for (int i = 0; i < 8; ++i) {
      sum += q[i];
      v[i] = r2 * v[i] + b * r - kk * q[i];
      q[i] += v[i];
    }
  }
  double total = 0.0;
  for (int i = 0; i < 16; ++i) total += static_cast<double>(sum[i]);
  return total;
}

struct Run {
  vibration::ModalBank bank;
  std::vector<float> force, out;

  Run(std::size_t count, double decay_rate, bool driven)
      : bank(audible_modes(count, decay_rate), rate), force(samples, 0.0f), out(samples) {
    const std::vector<double> ones(count, 1.0);
    bank.set_gains(ones, ones);
    std::mt19937 random(2);
    std::uniform_real_distribution<float> noise(-1.0f, 1.0f);
    force[0] = 1.0f;
    if (driven) {
      for (float& f : force) f = noise(random);
    }
  }
  void operator()() { bank.process(force, out); }
};

int run(int argc, char** argv) {
  Report report("modal_bank", argc, argv);
  const double real_time = rate.seconds(samples);
  Run driven(modes_asked, 5.0, true);

  // Tails: struck once, then left until nothing but what rounding leaves is there.
  Run fresh(modes_asked, 2000.0, false), faded(modes_asked, 2000.0, false);
  faded.force.assign(samples, 0.0f);
  faded.force[0] = 1.0f;
  faded();
  faded.force[0] = 0.0f;
  for (int i = 0; i < 3; ++i) faded();

  double sink = 0.0;
  const auto times = median_times({[&] { driven(); }, [&] { fresh(); }, [&] { faded(); },
                                   [&] { sink += registers_only(modes_asked); }},
                                  5);
  if (sink == 1.0) report.add("", "", sink, "");  // keeps the work
  const double in_real_time = modes_asked * real_time / times[0].cpu;
  report.add("300000 modes, a force every sample", "modes in real time on one core", in_real_time,
             "1");
  report.add_at_most("300000 modes, a force every sample", "time / real time",
                     times[0].cpu / real_time, "1", 1.0);
  report.add_at_most("300000 modes, a force every sample", "time / the same in registers",
                     times[0].cpu / times[3].cpu, "1", 1.5);
  report.add_at_most("after the tails", "time / before", times[2].cpu / times[1].cpu, "1", 1.1);
  return report.finish();
}

}  // namespace
}  // namespace peal::bench

int main(int argc, char** argv) {
  return peal::bench::run(argc, argv);
}
