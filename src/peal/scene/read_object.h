#pragma once

#include <peal/scene/read_context.h>
#include <peal/scene/scene.h>

namespace peal::scene {

Object read_object(const util::JsonValue& value, std::size_t index, ReadContext& context);
Listener read_listener(const util::JsonValue& value, std::size_t index, ReadContext& context);

/// A name from the table, or numbers, or both: {"base": "steel", "density": 7700}.
Material read_material(const util::JsonValue& value);

/// The `name` of an object or listener, or `fallback`. Output files are called by it.
std::string read_name(util::JsonObject& object, const std::string& fallback);

}  // namespace peal::scene
