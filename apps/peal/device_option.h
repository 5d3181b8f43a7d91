#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace peal::apps {

/// --device, which wave::DeviceScope understands.
inline void add_device_option(CLI::App& verb, std::string& device) {
  verb.add_option("--device", device,
                  "What computes \"wave\": auto (a graphics processor if one is found), cpu, cuda "
                  "or cuda:N. The sound is the same to the last bit")
      ->default_val("auto")
      ->type_name("DEVICE");
}

}  // namespace peal::apps
