// Judges scenes, one a line: "folder <tab> scene". Answers one JSON object a line, so that a script
// can compare the reader with the schema without starting a program for each scene.

#include <peal/scene/read_scene.h>
#include <peal/util/error.h>

#include <nlohmann/json.hpp>

#include <iostream>
#include <string>

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    const std::size_t tab = line.find('\t');
    nlohmann::json verdict = {{"ok", true}, {"message", ""}};
    try {
      peal::scene::parse_scene(line.substr(tab + 1), "scene", line.substr(0, tab));
    } catch (const peal::util::InputError& error) {
      verdict = {{"ok", false}, {"message", error.what()}};
    }
    std::cout << verdict.dump() << "\n";
  }
}
