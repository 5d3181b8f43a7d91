#pragma once

#include <peal/util/archive.h>
#include <peal/util/checksum.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace peal::util {

/// The state of a long computation, stored in a folder of its own so that an interrupted
/// computation can continue.
///
/// The file `state`, in the format of a Store entry, contains everything but growing lists. These
/// are stored in parts, one added with each state, so that each byte is written once. Parts are
/// named by their checksum and are written first, so that an interruption at any time leaves the
/// last state complete.
class Checkpoint {
 public:
  /// Function that writes or reads the state.
  using Serializer = std::function<void(Archive&)>;

  static constexpr double usual_pause = 30.0;  ///< [s]

  /// `key`, of at most longest_key characters, identifies the computation: only states with the
  /// same key are read. The state is written every `pause` [s], first `pause` after the start.
  Checkpoint(std::filesystem::path folder, std::string key, double pause = usual_pause);

  /// Restores the stored state. Returns false if there is none or it is unusable; then nothing is
  /// changed, and notice() says why.
  bool restore(const Serializer& serialize);
  /// Writes the state if `pause` has passed. A failed write is not repeated.
  void write_if_due(const Serializer& serialize);
  /// Removes the state, once the computation is complete.
  void remove();

  const std::filesystem::path& folder() const { return folder_; }
  bool has_failed() const { return has_failed_; }  ///< whether writing has failed
  /// Message for the user; empty if there was no problem.
  const std::string& notice() const { return notice_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Part {
    std::vector<std::size_t> sizes;  ///< number of bytes by which each list grew
    Checksum::Value sum{};           ///< checksum of these bytes
  };

  void read(const Serializer& serialize);
  void write(const Serializer& serialize);
  std::filesystem::path state_file() const { return folder_ / "state"; }
  void serialize_header(Archive& archive, std::vector<Part>& parts) const;
  std::filesystem::path file_of(const Part& part) const;
  static std::vector<std::size_t> sizes_of(const std::vector<Part>& parts);
  void read_parts(const std::vector<Part>& parts, std::vector<std::span<std::byte>> lists) const;
  Part next_part(const Archive& state) const;

  std::filesystem::path folder_;
  std::string key_;
  Clock::duration pause_;
  Clock::time_point last_ = Clock::now();
  std::vector<Part> parts_;  ///< parts written or read so far
  bool has_failed_ = false;
  std::string notice_;
};

}  // namespace peal::util
