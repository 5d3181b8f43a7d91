// Judges scenes, one a line: "folder <tab> scene". Answers each with the reader's complaint, none
// if the scene is right, and a record separator, so that a script can compare the reader with the
// schema without starting a program for each scene.

#include <peal/scene/read_scene.h>
#include <peal/util/error.h>

#include <iostream>
#include <string>

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    const std::size_t tab = line.find('\t');
    try {
      peal::scene::parse_scene(line.substr(tab + 1), "scene", line.substr(0, tab));
    } catch (const peal::util::InputError& error) {
      std::cout << error.what();
    }
    std::cout << '\x1e';
  }
}
