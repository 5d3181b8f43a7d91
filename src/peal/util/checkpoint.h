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

/// The state of a long computation in a folder of its own, so that one that was killed goes on.
///
/// A file `state`, an entry like those of a Store, holds all but what grows; that lies in parts, of
/// which each state adds one, so that every byte of it is written once. Parts are named by their
/// checksum and come first: a kill at any time leaves the last state whole.
class Checkpoint {
 public:
  /// What writes the state, or reads it.
  using Serializer = std::function<void(Archive&)>;

  static constexpr double usual_pause = 30.0;  ///< [s]

  /// `key`, of at most longest_key characters, tells what is computed: only its own state is read.
  /// It is written again when `pause` [s] have passed, the first time so long after the start.
  Checkpoint(std::filesystem::path folder, std::string key, double pause = usual_pause);

  /// Reads what is kept. False if there is nothing or it cannot be used: then all is as it was, and
  /// notice() tells why.
  bool restore(const Serializer& serialize);
  /// Writes if it is time. What cannot be written is not tried again.
  void write_if_due(const Serializer& serialize);
  /// There is nothing to go on with any more.
  void remove();

  const std::filesystem::path& folder() const { return folder_; }
  bool has_failed() const { return has_failed_; }  ///< to write
  /// What the user should know; empty if all went well.
  const std::string& notice() const { return notice_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Part {
    std::vector<std::size_t> sizes;  ///< of the bytes that each list grew by
    Checksum::Value sum{};           ///< of them
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
  std::vector<Part> parts_;  ///< written or read
  bool has_failed_ = false;
  std::string notice_;
};

}  // namespace peal::util
