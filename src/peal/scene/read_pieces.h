#pragma once

#include <peal/scene/read_context.h>

#include <nlohmann/json.hpp>

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

/// Bodies that broke in another program: {"pieces": "pane.jsonl"} of an object
/// (docs/pieces-format.md).
namespace peal::scene {

/// A file of pieces, their poses and contacts, but for the contacts.
struct PiecesFile {
  struct Piece {
    std::string name;
    std::string mesh;  ///< relative to the file
  };

  double breaks = 0.0;  ///< when the whole ends and its pieces begin [s]
  std::vector<Piece> pieces;
  /// Lists of keyframes as scenes have them, by the name of the body.
  std::map<std::string, nlohmann::json, std::less<>> keyframes;
  bool has_contacts = false;
};

/// Throws InputError that names the line.
PiecesFile parse_pieces(std::string_view bytes, const std::string& name);

/// An object with "pieces" as several: the whole, which ends when it breaks, and the pieces, which
/// begin then, each with its mesh and motion and the other properties of the whole. Its file is the
/// contact log of the scene if it has contacts; its path is `contacts` then. Reports what is wrong.
std::vector<nlohmann::json> with_pieces(const util::JsonValue& object, const ReadContext& context,
                                        std::filesystem::path& contacts);

}  // namespace peal::scene
