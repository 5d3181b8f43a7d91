#pragma once

#include <peal/util/large_pages.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace peal::util {

/// A sequence of numbers, lists and texts that is written, or read into existing objects. Stored
/// results have one function for both, `serialize(Archive&, T&)`, and classes with a state to be
/// continued have `serialize(Archive&)`, so that writing and reading cannot differ.
///
/// Numbers are stored as in memory, in this machine's byte order. Reading throws InputError if the
/// data end too soon or if lengths differ that must be equal.
class Archive {
 public:
  using Write = std::function<void(std::span<const std::byte>)>;
  using Read = std::function<void(std::span<std::byte>)>;

  /// Writes into memory.
  Archive() = default;
  /// Passes what is written to `write`.
  explicit Archive(Write write) : write_(std::move(write)) {}
  /// Reads `size` bytes in all through `read`.
  Archive(Read read, std::size_t size) : read_(std::move(read)), left_bytes_(size), reads_(true) {}
  /// Reads what another archive wrote; `written` must outlive this one. `grown` has the sizes of
  /// growing lists [byte].
  explicit Archive(std::string_view written, std::vector<std::size_t> grown = {})
      : left_(written), left_bytes_(written.size()), reads_(true), grown_(std::move(grown)) {}

  /// Writes or reads numbers, or structs of them without pointers.
  template <class... Number>
  requires(std::is_trivially_copyable_v<Number>&&...) void number(Number&... values) {
    (one(values), ...);
  }
  /// Writes or reads a list of known length.
  template <class Number>
  requires std::is_trivially_copyable_v<Number>
  void numbers(std::span<Number> values) {
    same(values.size());
    bytes(std::as_writable_bytes(values));
  }
  /// Writes or reads a list with its length.
  template <class Number>
  requires std::is_trivially_copyable_v<Number>
  void list(std::vector<Number>& values) {
    const std::size_t size = count(values.size(), sizeof(Number));
    if (size > values.capacity()) {
      values.reserve(size);
      prefer_large_pages(values.data(), size * sizeof(Number));
    }
    values.resize(size);
    bytes(std::as_writable_bytes(std::span(values)));
  }
  void text(std::string& letters);
  void texts(std::vector<std::string>& all);
  template <class Number>
  requires std::is_trivially_copyable_v<Number>
  void maybe(std::optional<Number>& value) {
    bool is_there = value.has_value();
    number(is_there);
    std::array<std::byte, sizeof(Number)> raw{};
    if (value) raw = std::bit_cast<decltype(raw)>(*value);
    if (is_there) bytes(raw);
    value = is_there ? std::optional(std::bit_cast<Number>(raw)) : std::nullopt;
  }
  /// Serializes only the length of a list whose items never change once they exist. Its bytes are
  /// left to the owner of the archive (`growing`).
  template <class Number>
  requires std::is_trivially_copyable_v<Number>
  void growing_list(std::vector<Number>& values) {
    if (reads_) values.resize(grown_length(sizeof(Number)));
    growing_.push_back(std::as_writable_bytes(std::span(values)));
  }
  /// Writes or reads the number of the items that follow, each of at least `least_bytes` bytes: for
  /// lists of objects that are more than numbers. There cannot be more items than bytes to read.
  std::size_t count(std::size_t items, std::size_t least_bytes = 1);
  /// Checks a value that reader and writer must agree on.
  void same(std::uint64_t value);

  /// Appends what another archive wrote into memory.
  void append(std::string_view written);

  bool reads() const { return reads_; }
  std::string_view written() const { return written_; }  ///< bytes written into memory
  /// The bytes in memory that have not been read yet.
  std::string_view left() const { return left_; }
  const std::vector<std::span<std::byte>>& growing() const { return growing_; }

 private:
  template <class Number>
  void one(Number& value) {
    if constexpr (std::is_same_v<Number, bool>) {
      truth(value);
    } else {
      bytes(std::as_writable_bytes(std::span(&value, 1)));
    }
  }
  /// Reads a bool, and rejects bytes other than 0 and 1.
  void truth(bool& value);
  void bytes(std::span<std::byte> raw);
  std::size_t grown_length(std::size_t size) const;

  Write write_;
  Read read_;
  std::string written_;
  std::string_view left_;
  std::size_t left_bytes_ = 0;
  bool reads_ = false;
  std::vector<std::size_t> grown_;
  std::vector<std::span<std::byte>> growing_;
};

}  // namespace peal::util
