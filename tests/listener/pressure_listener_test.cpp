#include <peal/listener/make_listener.h>

#include <gtest/gtest.h>

namespace peal::listener {
namespace {

TEST(PressureListener, StereoEarsLieLeftAndRightOfTheHead) {
  const auto listener = make_listener(
      {.name = "main", .kind = scene::Listener::Kind::stereo, .ear_distance = 0.2}, nullptr);
  const auto ears = listener->receivers();
  ASSERT_EQ(ears.size(), 2u);
  EXPECT_EQ(ears[0].offset, base::Vec3(-0.1, 0, 0));
  EXPECT_EQ(ears[1].offset, base::Vec3(0.1, 0, 0));
}

TEST(PressureListener, ChannelsAreThePressuresAtTheEarsInOrder) {
  const auto listener =
      make_listener({.name = "main", .kind = scene::Listener::Kind::stereo}, nullptr);
  const std::vector<base::Signal> pressures{{.samples = {1, 2}}, {.samples = {3, 4}}};
  const base::Audio audio = listener->listen(pressures);
  EXPECT_EQ(audio.channel_names, (std::vector<std::string>{"left", "right"}));
  EXPECT_EQ(audio.channels[0], pressures[0].samples);
  EXPECT_EQ(audio.channels[1], pressures[1].samples);
}

TEST(PressureListener, MonoHearsAtTheMiddleOfTheHead) {
  const auto listener = make_listener({.name = "ear"}, nullptr);
  ASSERT_EQ(listener->receivers().size(), 1u);
  EXPECT_EQ(listener->receivers()[0].offset, base::Vec3(0, 0, 0));
}

}  // namespace
}  // namespace peal::listener
