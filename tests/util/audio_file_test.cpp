#include <peal/util/audio_file.h>
#include <peal/util/error.h>
#include <peal/util/files.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sndfile.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace peal::util {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

/// Of the running test only, as tests run side by side.
fs::path folder() {
  const std::string test = ::testing::UnitTest::GetInstance()->current_test_info()->name();
  const fs::path path = fs::path(::testing::TempDir()) / ("peal_audio_" + test);
  fs::create_directories(path);
  return path;
}

std::string audio_complaint(const std::string& bytes) {
  try {
    parse_audio(bytes, "a.wav");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no complaint";
}

/// A file made by libsndfile in any of its formats.
std::string encoded(int format, const std::vector<float>& interleaved, int channels, int rate) {
  const fs::path path = folder() / "encoded";
  SF_INFO info{};
  info.format = format;
  info.channels = channels;
  info.samplerate = rate;
  SNDFILE* sound = sf_open(path.c_str(), SFM_WRITE, &info);
  EXPECT_NE(sound, nullptr);
  const auto frames = static_cast<sf_count_t>(interleaved.size()) / channels;
  EXPECT_EQ(sf_writef_float(sound, interleaved.data(), frames), frames);
  sf_close(sound);
  return read_file(path);
}

const std::vector<std::vector<float>> kStereo = {{0.0f, 0.25f, -1.0f, 3.5f},
                                                 {1.0f, -0.5f, 0.125f, -1e-9f}};

TEST(AudioFile, FloatSamplesComeBackExactly) {
  const fs::path path = folder() / "stereo.wav";
  write_wav(path, 44100, kStereo);
  const AudioFile audio = read_audio(path);
  EXPECT_EQ(audio.rate, 44100);
  EXPECT_EQ(audio.channels, kStereo);
}

TEST(AudioFile, SameSamplesGiveTheSameBytesWithoutATime) {
  const fs::path path = folder() / "same.wav";
  write_wav(path, 48000, kStereo);
  const std::string first = read_file(path);
  EXPECT_EQ(first.find("PEAK"), std::string::npos);
  EXPECT_LT(first.size(), 4 * 8 + 128u);
  write_wav(path, 48000, kStereo);
  EXPECT_EQ(read_file(path), first);
}

TEST(AudioFile, WholeNumbersAreScaledToOne) {
  const std::vector<float> samples = {0.5f, -0.5f, 0.25f, -1.0f};
  for (const int format : {SF_FORMAT_WAV | SF_FORMAT_PCM_16, SF_FORMAT_WAV | SF_FORMAT_PCM_24,
                           SF_FORMAT_WAV | SF_FORMAT_PCM_U8, SF_FORMAT_WAV | SF_FORMAT_PCM_32,
                           SF_FORMAT_FLAC | SF_FORMAT_PCM_16, SF_FORMAT_AIFF | SF_FORMAT_PCM_16,
                           SF_FORMAT_WAV | SF_FORMAT_DOUBLE, SF_FORMAT_RF64 | SF_FORMAT_FLOAT,
                           SF_FORMAT_W64 | SF_FORMAT_PCM_16, SF_FORMAT_CAF | SF_FORMAT_PCM_16,
                           SF_FORMAT_AU | SF_FORMAT_PCM_16}) {
    const AudioFile audio = parse_audio(encoded(format, samples, 2, 22050), "a");
    EXPECT_EQ(audio.rate, 22050);
    ASSERT_EQ(audio.channels.size(), 2u);
    const double step = (format & SF_FORMAT_SUBMASK) == SF_FORMAT_PCM_U8 ? 0.01 : 1e-4;
    EXPECT_NEAR(audio.channels[0][0], 0.5, step) << std::hex << format;
    EXPECT_NEAR(audio.channels[1][0], -0.5, step) << std::hex << format;
    EXPECT_NEAR(audio.channels[1][1], -1.0, step) << std::hex << format;
  }
}

TEST(AudioFile, OggIsRead) {
  std::vector<float> samples(48000);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    samples[i] = 0.5f * std::sin(static_cast<float>(i) * 0.05f);
  }
  const AudioFile audio =
      parse_audio(encoded(SF_FORMAT_OGG | SF_FORMAT_VORBIS, samples, 1, 48000), "a.ogg");
  ASSERT_EQ(audio.channels[0].size(), samples.size());
  EXPECT_NEAR(audio.channels[0][20000], samples[20000], 0.05);
}

TEST(AudioFile, EmptyAndForeignFilesAreTold) {
  EXPECT_THAT(audio_complaint(""), HasSubstr("is empty"));
  EXPECT_THAT(audio_complaint("hello, this is text"), HasSubstr("is not a sound file"));
  EXPECT_THAT(audio_complaint("RIFFxxxxWAVEgarbage"), HasSubstr("cannot be read as sound"));
  EXPECT_THAT(audio_complaint(encoded(SF_FORMAT_WAV | SF_FORMAT_PCM_16, {}, 1, 48000)),
              HasSubstr("contains no samples"));
}

TEST(AudioFile, FileCutShortIsTold) {
  const std::vector<float> samples(20000, 0.1f);
  const std::string wav = encoded(SF_FORMAT_WAV | SF_FORMAT_PCM_16, samples, 1, 48000);
  EXPECT_EQ(audio_complaint(wav), "no complaint");
  EXPECT_THAT(audio_complaint(wav.substr(0, 30000)), HasSubstr("40000 bytes of audio expected"));
  std::vector<float> noise(20000);
  for (std::size_t i = 0; i < noise.size(); ++i) {
    noise[i] = std::sin(static_cast<float>(i * i % 1000));
  }
  const std::string flac = encoded(SF_FORMAT_FLAC | SF_FORMAT_PCM_16, noise, 1, 48000);
  EXPECT_EQ(audio_complaint(flac), "no complaint");
  EXPECT_NE(audio_complaint(flac.substr(0, flac.size() / 2)), "no complaint");
}

TEST(AudioFile, StreamOfUnknownLengthIsReadToItsEnd) {
  std::string wav =
      encoded(SF_FORMAT_WAV | SF_FORMAT_PCM_16, std::vector<float>(100, 0.1f), 1, 48000);
  const std::size_t data = wav.find("data");
  ASSERT_NE(data, std::string::npos);
  wav.replace(data + 4, 4, "\xFF\xFF\xFF\xFF");
  wav.replace(4, 4, "\xFF\xFF\xFF\xFF");
  EXPECT_EQ(parse_audio(wav, "a").channels[0].size(), 100u);
}

TEST(AudioFile, HeaderCannotAskForMuchMemory) {
  std::string flac =
      encoded(SF_FORMAT_FLAC | SF_FORMAT_PCM_16, std::vector<float>(100, 0.1f), 1, 48000);
  // STREAMINFO: the 36 bits of "total samples" end at byte 26.
  flac.replace(22, 4, "\xFF\xFF\xFF\xFF");
  EXPECT_NE(audio_complaint(flac), "no complaint");
}

TEST(AudioFile, SampleThatIsNoNumberIsNamed) {
  const fs::path path = folder() / "nan.wav";
  std::vector<std::vector<float>> channels = {std::vector<float>(10000, 0.0f),
                                              std::vector<float>(10000, 0.0f)};
  channels[1][7000] = std::numeric_limits<float>::quiet_NaN();
  write_wav(path, 48000, channels);
  EXPECT_THAT(audio_complaint(read_file(path)),
              HasSubstr("sample 7000 of channel 1 is not a finite number"));
}

TEST(AudioFile, MoreChannelsThanTwoAreKeptInOrder) {
  std::vector<std::vector<float>> channels;
  for (int c = 0; c < 9; ++c) channels.push_back({static_cast<float>(c), 0.0f});
  const fs::path path = folder() / "nine.wav";
  write_wav(path, 96000, channels);
  EXPECT_EQ(read_audio(path).channels, channels);
}

TEST(AudioFile, UnwritableFolderIsTold) {
  EXPECT_THROW(write_wav("/proc/nowhere/a.wav", 48000, kStereo), InputError);
}

}  // namespace
}  // namespace peal::util
