#include <peal/base/acoustic_shader.h>

namespace peal::base {

namespace {

class AskedEachTime : public BoundShader {
 public:
  AskedEachTime(const SurfaceShader& shader, std::span<const SurfacePoint> points)
      : shader_(shader), points_(points) {}

  void add_acceleration(SampleTime time, std::span<float> acceleration) override {
    shader_.add_acceleration(time, points_, acceleration);
  }

 private:
  const SurfaceShader& shader_;
  std::span<const SurfacePoint> points_;
};

}  // namespace

std::unique_ptr<BoundShader> SurfaceShader::bound_to(std::span<const SurfacePoint> points) const {
  return std::make_unique<AskedEachTime>(*this, points);
}

}  // namespace peal::base
