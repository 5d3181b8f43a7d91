#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace peal::util {

/// The state of something that is to go on later, number by number: written, or read into what is
/// there. Classes have one function for both, `keep(Archive&)`, so that they cannot differ.
///
/// Numbers are as in memory: the bytes are this machine's own. Reading throws InputError where they
/// end too soon or lengths differ that must not.
class Archive {
 public:
  /// Writes.
  Archive() = default;
  /// Reads what another one wrote, which must outlive it. `grown` has the sizes of lists that grow
  /// [byte].
  explicit Archive(std::string_view written, std::vector<std::size_t> grown = {})
      : left_(written), reads_(true), grown_(std::move(grown)) {}

  /// Numbers, or structs of them without pointers.
  template <class... Number>
  requires(std::is_trivially_copyable_v<Number>&&...) void number(Number&... values) {
    (bytes(std::as_writable_bytes(std::span(&values, 1))), ...);
  }
  /// As many as there are.
  template <class Number>
  requires std::is_trivially_copyable_v<Number>
  void numbers(std::span<Number> values) {
    same(values.size());
    bytes(std::as_writable_bytes(values));
  }
  /// As many as there were.
  template <class Number>
  requires std::is_trivially_copyable_v<Number>
  void list(std::vector<Number>& values) {
    values.resize(length(values.size(), sizeof(Number)));
    bytes(std::as_writable_bytes(std::span(values)));
  }
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
  /// A list whose items never change once they are there. It is only made as long as it was; its
  /// bytes are left to the owner of the archive (`growing`).
  template <class Number>
  requires std::is_trivially_copyable_v<Number>
  void growing_list(std::vector<Number>& values) {
    if (reads_) values.resize(grown_length(sizeof(Number)));
    growing_.push_back(std::as_writable_bytes(std::span(values)));
  }
  /// The number of what is kept next, of any kind: for lists of things with a state.
  std::size_t count(std::size_t items) { return length(items, 1); }
  /// What reader and writer must agree on.
  void same(std::uint64_t value);

  std::string_view written() const { return written_; }
  /// What is not read yet.
  std::string_view left() const { return left_; }
  const std::vector<std::span<std::byte>>& growing() const { return growing_; }

 private:
  void bytes(std::span<std::byte> raw);
  /// How many items of a size there are, which cannot be more than there are bytes to read.
  std::size_t length(std::size_t items, std::size_t size);
  std::size_t grown_length(std::size_t size) const;

  std::string written_;
  std::string_view left_;
  bool reads_ = false;
  std::vector<std::size_t> grown_;
  std::vector<std::span<std::byte>> growing_;
};

}  // namespace peal::util
