#include <peal/plot/audio_picture.h>
#include <peal/util/audio_file.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>

#include "verbs.h"

namespace peal::apps {

namespace {

struct PlotArguments {
  std::filesystem::path audio;
  std::filesystem::path folder;
  bool full_scale = false;
};

void run(const Console& console, PlotArguments arguments) {
  const util::AudioFile audio = util::read_audio(arguments.audio);
  if (arguments.folder.empty()) arguments.folder = arguments.audio.parent_path();
  const std::string stem = arguments.audio.stem().string();
  const auto spectrogram = arguments.folder / (stem + "-spectrogram.png");
  const auto spectrum = arguments.folder / (stem + "-spectrum.png");
  const std::vector<std::span<const float>> channels(audio.channels.begin(), audio.channels.end());
  const plot::AudioPictureOptions options{
      .title = arguments.audio.filename().string(),
      .unit = arguments.full_scale ? plot::Unit::full_scale : plot::Unit::pascal};
  plot::write_spectrogram(spectrogram, channels, static_cast<double>(audio.rate), options);
  plot::write_spectrum(spectrum, channels, static_cast<double>(audio.rate), options);
  if (console.json) {
    console.document({{"spectrogram", spectrogram.string()}, {"spectrum", spectrum.string()}});
  } else {
    console.line(spectrogram.string());
    console.line(spectrum.string());
  }
}

}  // namespace

void add_plot(CLI::App& app, Console& console) {
  CLI::App* verb = app.add_subcommand(
      "plot",
      "Plot a sound: NAME-spectrogram.png and NAME-spectrum.png, with levels in dB re 20 uPa.");
  auto arguments = std::make_shared<PlotArguments>();
  verb->add_option("AUDIO", arguments->audio, "WAV, FLAC, OGG or AIFF file")->required();
  verb->add_option("-o,--output", arguments->folder,
                   "Folder for the pictures (default: next to AUDIO)");
  verb->add_flag("--full-scale", arguments->full_scale,
                 "Levels in dB re full scale, for audio that is not in pascal");
  verb->add_flag("--json", console.json, "Print the result as JSON");
  verb->callback([&console, arguments] { run(console, *arguments); });
}

}  // namespace peal::apps
