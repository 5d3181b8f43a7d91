#include <peal/render/sound_memory.h>
#include <peal/util/error.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace peal::render {
namespace {

TEST(SoundMemory, MoreThanTheMachineHasIsRefusedBeforeItIsTaken) {
  EXPECT_NO_THROW(check_sound_memory(2, 48000 * 60));
  // An hour at 192 kHz for a hundred thousand receivers.
  EXPECT_THAT([] { check_sound_memory(100000, std::int64_t{192000} * 3600); },
              testing::ThrowsMessage<util::InputError>(
                  testing::HasSubstr("the sound of 100000 receivers needs")));
}

}  // namespace
}  // namespace peal::render
