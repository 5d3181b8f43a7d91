#include <peal/vibration/ideal_shape.h>

namespace peal::vibration {

std::vector<double> IdealShape::displacement(const Vec2& at) const {
  std::vector<double> values(modes_.size());
  displacement(at, values);
  return values;
}

std::vector<base::Mode> damped(std::vector<base::Mode> modes, const base::Damping& damping) {
  for (base::Mode& mode : modes) mode.decay_rate = damping.decay_rate(mode.frequency);
  return modes;
}

base::ModalModel modal_model(const IdealShape& shape, geometry::TriMesh surface,
                             const base::Damping& damping) {
  base::ModalModel model;
  model.mass = shape.mass();
  model.modes = damped(shape.modes(), damping);
  const auto vertices = static_cast<Eigen::Index>(surface.vertices.size());
  const auto count = static_cast<Eigen::Index>(model.modes.size());
  model.shapes = Eigen::MatrixXf::Zero(3 * vertices, count);
  std::vector<double> values(model.modes.size());
  for (Eigen::Index v = 0; v < vertices; ++v) {
    const geometry::Vec3& x = surface.vertices[static_cast<std::size_t>(v)];
    shape.displacement({x.x(), x.z()}, values);
    for (Eigen::Index m = 0; m < count; ++m) {
      model.shapes(3 * v + 1, m) = static_cast<float>(values[static_cast<std::size_t>(m)]);
    }
  }
  model.surface = std::move(surface);
  return model;
}

}  // namespace peal::vibration
