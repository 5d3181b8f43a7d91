#include <peal/base/medium.h>
#include <peal/vibration/make_ideal_shape.h>
#include <peal/vibration/paper_loudness.h>

#include <algorithm>
#include <memory>
#include <vector>

// The modes of ideal shapes as WebAssembly: what a worker of the page calls. Numbers go in and out
// through one buffer of doubles.

namespace {

using peal::geometry::Vec2;
using namespace peal::scene;

struct Solved {
  std::unique_ptr<peal::vibration::IdealShape> shape;
  std::vector<double> buffer;
};

Solved solved;

/// Reads the buffer from front to back.
class Numbers {
 public:
  double next() { return solved.buffer.at(at_++); }
  std::size_t count() { return static_cast<std::size_t>(next()); }
  Vec2 pair() {
    const double x = next();
    return {x, next()};
  }

 private:
  std::size_t at_ = 0;
};

Outline read_outline(Numbers& in) {
  switch (in.count()) {
    case 0:
      return Rectangle{in.pair()};
    case 1:
      return Disc{in.next()};
    default: {
      peal::geometry::Polygon corners(in.count());
      for (Vec2& corner : corners) corner = in.pair();
      return corners;
    }
  }
}

/// In the order of peal::explore::ideal_numbers().
IdealShape read_shape(Numbers& in) {
  switch (in.count()) {
    case 0: {
      const double length = in.next(), radius = in.next();
      return IdealString{length, radius, in.next()};
    }
    case 1: {
      IdealBar bar{.length = in.next()};
      bar.width = in.next();
      bar.thickness = in.next();
      bar.left = static_cast<BarEnd>(in.count());
      bar.right = static_cast<BarEnd>(in.count());
      return bar;
    }
    case 2: {
      IdealMembrane membrane{.outline = read_outline(in)};
      membrane.thickness = in.next();
      membrane.tension = in.next();
      return membrane;
    }
    default: {
      IdealPlate plate;
      const Outline outline = read_outline(in);
      if (const auto* disc = std::get_if<Disc>(&outline))
        plate.outline = *disc;
      else
        plate.outline = std::get<Rectangle>(outline);
      plate.thickness = in.next();
      for (PlateEdge& edge : plate.edges) edge = static_cast<PlateEdge>(in.count());
      return plate;
    }
  }
}

}  // namespace

#define EXPORT(name) extern "C" __attribute__((export_name(#name))) auto name

/// The buffer, with room for this many doubles.
EXPORT(core_buffer)(int doubles)->double* {
  if (solved.buffer.size() < static_cast<std::size_t>(doubles))
    solved.buffer.resize(static_cast<std::size_t>(doubles));
  return solved.buffer.data();
}

/// Buffer: density, Young's modulus, Poisson's ratio, highest frequency, largest number of modes,
/// the shape. Afterwards: mass [kg], loudness of a mode (vibration::paper_loudness), frequencies
/// [Hz]. Returns the number of modes.
EXPORT(core_solve)()->int {
  Numbers in;
  peal::base::Material material;
  material.density = in.next();
  material.young_modulus = in.next();
  material.poisson_ratio = in.next();
  peal::vibration::ModeLimits limits{.max_frequency = in.next()};
  limits.most = in.count();
  const IdealShape shape = read_shape(in);
  solved.shape = peal::vibration::make_ideal_shape(shape, material, limits);
  const auto& modes = solved.shape->modes();
  core_buffer(static_cast<int>(modes.size()) + 2);
  solved.buffer[0] = solved.shape->mass();
  solved.buffer[1] =
      modes.empty() ? 0.0
                    : peal::vibration::paper_loudness(modes.front().frequency,
                                                      peal::vibration::facing_area(shape),
                                                      solved.shape->mass(), peal::base::Medium{});
  for (std::size_t i = 0; i < modes.size(); ++i) solved.buffer[2 + i] = modes[i].frequency;
  return static_cast<int>(modes.size());
}

/// Buffer: x and z of each point [m]. Afterwards: the shapes of all modes at the first point, at
/// the second, ... [kg^-1/2].
EXPORT(core_shapes)(int points)->void {
  const std::size_t modes = solved.shape->modes().size(), count = static_cast<std::size_t>(points);
  const std::vector<double> at(solved.buffer.begin(), solved.buffer.begin() + 2 * points);
  core_buffer(static_cast<int>(modes * count));
  for (std::size_t i = 0; i < count; ++i)
    solved.shape->displacement({at[2 * i], at[2 * i + 1]},
                               std::span(solved.buffer).subspan(i * modes, modes));
}
