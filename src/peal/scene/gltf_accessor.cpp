#include <peal/scene/gltf_accessor.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace peal::scene::gltf {

namespace {

enum Component { i8 = 5120, u8 = 5121, i16 = 5122, u16 = 5123, u32 = 5125, f32 = 5126 };

std::size_t size_of(Component component) {
  switch (component) {
    case i8:
    case u8:
      return 1;
    case i16:
    case u16:
      return 2;
    default:
      return 4;
  }
}

Component component_of(const Value& owner) {
  const Value value = owner.at("componentType");
  const auto number = value.integer(0, 1 << 20);
  for (const Component known : {i8, u8, i16, u16, u32, f32}) {
    if (number == known) return known;
  }
  value.fail(fmt::format("is {}, but must be 5120, 5121, 5122, 5123, 5125 or 5126", number));
}

template <class T>
double load(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return static_cast<double>(value);
}

double load(Component component, const char* at) {
  switch (component) {
    case i8:
      return load<std::int8_t>(at);
    case u8:
      return load<std::uint8_t>(at);
    case i16:
      return load<std::int16_t>(at);
    case u16:
      return load<std::uint16_t>(at);
    case u32:
      return load<std::uint32_t>(at);
    default:
      return load<float>(at);
  }
}

/// glTF 2.0, section 3.11: f = c / largest, and not below -1 for signed types.
double normalized(Component component, double c) {
  switch (component) {
    case i8:
      return std::max(c / 127.0, -1.0);
    case u8:
      return c / 255.0;
    case i16:
      return std::max(c / 32767.0, -1.0);
    case u16:
      return c / 65535.0;
    default:
      return c;
  }
}

/// Elements at equal distances in a buffer, known to lie inside it.
struct Elements {
  const char* data = nullptr;
  std::size_t count = 0;
  std::size_t stride = 0;  ///< [bytes] from one element to the next
  Component component = f32;
};

Elements elements_in_view(const Document& document, const Value& owner, std::size_t count,
                          Component component, int components) {
  const Value view_index = owner.at("bufferView");
  const std::size_t views = document.count("bufferViews");
  const Value view = document.item(
      "bufferViews", static_cast<std::size_t>(view_index.index(views, "bufferViews")));
  const std::string_view buffer = document.buffer(
      static_cast<std::size_t>(view.at("buffer").index(document.count("buffers"), "buffers")));
  const auto bytes_of = [](const Value& from, const char* key) {
    const auto value = from.find(key);
    return value ? static_cast<std::size_t>(value->integer(0, std::int64_t{1} << 40)) : 0;
  };
  const std::size_t view_offset = bytes_of(view, "byteOffset");
  view.at("byteLength");
  const std::size_t view_length = bytes_of(view, "byteLength");
  if (view_offset > buffer.size() || view_length > buffer.size() - view_offset) {
    view.fail(fmt::format("bytes {} to {} lie outside the buffer, which has {}", view_offset,
                          view_offset + view_length, buffer.size()));
  }
  const std::size_t element = size_of(component) * static_cast<std::size_t>(components);
  std::size_t stride = bytes_of(view, "byteStride");
  if (stride == 0) stride = element;
  if (stride < element || stride > 252) {
    view.fail(fmt::format("byteStride {} must be from {} (one element) to 252", stride, element));
  }
  const std::size_t offset = bytes_of(owner, "byteOffset");
  const std::size_t needed = count == 0 ? 0 : (count - 1) * stride + element;
  if (offset > view_length || needed > view_length - offset) {
    owner.fail(fmt::format("{} elements from byte {} need {} bytes, but {} has {}", count, offset,
                           offset + needed, view.path(), view_length));
  }
  return {buffer.data() + view_offset + offset, count, stride, component};
}

/// Description of an accessor.
struct Accessor {
  Value value;
  std::size_t count;
  Component component;
  bool normalized;
};

Accessor accessor_named_by(const Document& document, const Value& user, int components) {
  const auto index = user.index(document.count("accessors"), "accessors");
  const Value value = document.item("accessors", static_cast<std::size_t>(index));
  const char* type = components == 1   ? "SCALAR"
                     : components == 3 ? "VEC3"
                     : components == 4 ? "VEC4"
                                       : "MAT4";
  if (value.at("type").text() != type) {
    value.at("type").fail(
        fmt::format("is \"{}\", but {} needs {}", value.at("type").text(), user.path(), type));
  }
  const auto count = value.at("count").integer(0, std::numeric_limits<std::int32_t>::max());
  // Sparse accessors can claim any number of zeros; none needs more elements than there are bytes.
  if (static_cast<std::uint64_t>(count) > document.source_bytes()) {
    value.at("count").fail(
        fmt::format("is {}, but the whole file has only {} bytes", count, document.source_bytes()));
  }
  const auto flag = value.find("normalized");
  return {value, static_cast<std::size_t>(count), component_of(value), flag && flag->flag()};
}

/// glTF 2.0, section 3.6.2.3: some elements replaced by others.
void apply_sparse(const Document& document, const Accessor& accessor, int components,
                  const auto& convert, std::vector<double>& numbers) {
  const auto sparse = accessor.value.find("sparse");
  if (!sparse) return;
  const auto count = static_cast<std::size_t>(
      sparse->at("count").integer(0, static_cast<std::int64_t>(accessor.count)));
  const Value index_value = sparse->at("indices");
  const Component index_type = component_of(index_value);
  if (index_type != u8 && index_type != u16 && index_type != u32) {
    index_value.at("componentType").fail("must be 5121, 5123 or 5125");
  }
  const Elements indices = elements_in_view(document, index_value, count, index_type, 1);
  const Elements values =
      elements_in_view(document, sparse->at("values"), count, accessor.component, components);
  for (std::size_t i = 0; i < count; ++i) {
    const double index = load(index_type, indices.data + i * indices.stride);
    if (index >= static_cast<double>(accessor.count)) {
      index_value.fail(fmt::format("entry {} replaces element {} of {}", i, index, accessor.count));
    }
    for (int c = 0; c < components; ++c) {
      const std::size_t component = static_cast<std::size_t>(c);
      numbers[static_cast<std::size_t>(index) * static_cast<std::size_t>(components) + component] =
          convert(values.data + i * values.stride + component * size_of(accessor.component));
    }
  }
}

std::vector<double> read_all(Document& document, const Accessor& accessor, int components,
                             const auto& convert) {
  const auto width = static_cast<std::size_t>(components);
  document.charge(accessor.count * width * sizeof(double), accessor.value);
  std::vector<double> numbers(accessor.count * width, 0.0);
  if (accessor.value.find("bufferView")) {
    const Elements elements =
        elements_in_view(document, accessor.value, accessor.count, accessor.component, components);
    const std::size_t size = size_of(accessor.component);
    for (std::size_t i = 0; i < elements.count; ++i) {
      for (std::size_t c = 0; c < width; ++c) {
        numbers[i * width + c] = convert(elements.data + i * elements.stride + c * size);
      }
    }
  } else if (!accessor.value.find("sparse")) {
    accessor.value.fail("has no data: neither \"bufferView\" nor \"sparse\"",
                        "Export without compression.");
  }
  apply_sparse(document, accessor, components, convert, numbers);
  return numbers;
}

}  // namespace

std::vector<double> read_numbers(Document& document, const Value& user, int components,
                                 Integers integers) {
  const Accessor accessor = accessor_named_by(document, user, components);
  const Component type = accessor.component;
  const bool is_float = type == f32;
  if (!is_float && (integers == Integers::refused || type == u32)) {
    accessor.value.at("componentType")
        .fail(fmt::format("must be 5126 (float) for {}", user.path()));
  }
  if (!is_float && integers == Integers::normalized && !accessor.normalized) {
    accessor.value.fail(fmt::format("must be float or \"normalized\" for {}", user.path()));
  }
  const bool scale = accessor.normalized && !is_float;
  const auto convert = [&](const char* at) {
    const double number = load(type, at);
    return scale ? normalized(type, number) : number;
  };
  std::vector<double> numbers = read_all(document, accessor, components, convert);
  const auto bad = std::find_if_not(numbers.begin(), numbers.end(),
                                    [](double number) { return std::isfinite(number); });
  if (bad != numbers.end()) {
    accessor.value.fail(
        fmt::format("element {} is not a finite number", (bad - numbers.begin()) / components));
  }
  return numbers;
}

std::vector<std::uint32_t> read_indices(Document& document, const Value& user) {
  const Accessor accessor = accessor_named_by(document, user, 1);
  const Component type = accessor.component;
  if (type != u8 && type != u16 && type != u32) {
    accessor.value.at("componentType").fail("must be 5121, 5123 or 5125 for indices");
  }
  const auto convert = [&](const char* at) { return load(type, at); };
  const std::vector<double> numbers = read_all(document, accessor, 1, convert);
  return {numbers.begin(), numbers.end()};
}

std::vector<std::uint32_t> read_joints(Document& document, const Value& user) {
  const Accessor accessor = accessor_named_by(document, user, 4);
  const Component type = accessor.component;
  if (type != u8 && type != u16) {
    accessor.value.at("componentType")
        .fail(fmt::format("must be 5121 or 5123 for {}", user.path()));
  }
  const auto convert = [&](const char* at) { return load(type, at); };
  const std::vector<double> numbers = read_all(document, accessor, 4, convert);
  return {numbers.begin(), numbers.end()};
}

}  // namespace peal::scene::gltf
