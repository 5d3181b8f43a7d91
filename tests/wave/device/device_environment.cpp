#include <peal/wave/device/cuda_device.h>
#include <peal/wave/device/field_device.h>
#include <peal/wave/driver/wave_device.h>

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <optional>
#include <string>

namespace peal::wave {
namespace {

/// Lets all tests of this run compute their fields on the device that PEAL_TEST_DEVICE names:
/// emulated or cuda.
class OnDevice : public testing::Environment {
 public:
  void SetUp() override {
    const char* const wanted = std::getenv("PEAL_TEST_DEVICE");
    if (wanted == nullptr) return;
    const std::string name = wanted;
    ASSERT_TRUE(name == "emulated" || name == "cuda") << name;
    auto device = name == "cuda" ? device::cuda_device(0)
                                 : device::emulated_device(device::ThreadOrder::shuffled);
    scope_.emplace(std::make_shared<device::FieldDevice>(std::move(device)));
  }
  void TearDown() override { scope_.reset(); }

 private:
  std::optional<DeviceScope> scope_;
};

const testing::Environment* const on_device = testing::AddGlobalTestEnvironment(new OnDevice);

}  // namespace
}  // namespace peal::wave
