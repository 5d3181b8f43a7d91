#pragma once

#include <peal/scene/read_context.h>
#include <peal/scene/scene.h>

#include <map>
#include <string>
#include <vector>

namespace peal::scene {

/// Reads the key `thickness` of an object, which makes a thin wall of its surface: sets
/// Object::shell, and Object::mesh to the solid around it. Repairs of the surface are notices; what
/// cannot be repaired is reported. `vertex_values` are attributes of a mesh that a glTF node gives.
void read_thickness(util::JsonObject& keys,
                    const std::map<std::string, std::vector<double>>& vertex_values, Object& object,
                    ReadContext& context);

/// Makes the surface of an object the middle of a wall with a thickness at each of its vertices
/// [m]. Throws std::invalid_argument with the reason if it cannot be one. Returns what was
/// repaired.
std::vector<std::string> make_shell(Object& object, const std::vector<double>& thickness);

}  // namespace peal::scene
