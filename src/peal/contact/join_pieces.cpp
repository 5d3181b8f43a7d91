#include <peal/contact/join_pieces.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

namespace peal::contact {

namespace {

using base::ContactRecord;

constexpr double same_place = 1e-3;  ///< of a contact and its next piece, at most apart [m]
constexpr double same_time = 1e-9;   ///< rounding [s]

/// The last piece of a contact.
struct Piece {
  std::size_t record = 0;
  geometry::Vec3 point;  ///< of what was joined last [m]
  double end = 0.0;      ///< [s]
};

Piece* piece_before(const ContactRecord& record, std::vector<Piece>& pieces) {
  Piece* nearest = nullptr;
  double least = same_place;
  for (Piece& piece : pieces) {
    const double apart = (piece.point - record.point).norm();
    if (std::abs(piece.end - record.time) > same_time || apart > least) continue;
    nearest = &piece;
    least = apart;
  }
  return nearest;
}

void join(ContactRecord& whole, const ContactRecord& piece) {
  const double part = piece.duration / (whole.duration + piece.duration);
  whole.velocity += part * (piece.velocity - whole.velocity);
  whole.rolling += part * (piece.rolling - whole.rolling);
  whole.impulse += piece.impulse;
  whole.duration += piece.duration;
}

}  // namespace

void join_pieces(base::ContactLog& log, double longest) {
  std::vector<ContactRecord> joined;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Piece>> last;  // by pair
  for (const ContactRecord& record : log.records) {
    if (record.duration == 0.0) {
      joined.push_back(record);
      continue;
    }
    auto& pieces = last[{record.body_a, record.body_b}];
    std::erase_if(pieces, [&](const Piece& one) { return one.end < record.time - same_time; });
    Piece* before = piece_before(record, pieces);
    if (before == nullptr) before = &pieces.emplace_back(Piece{.record = joined.size()});
    before->point = record.point;
    before->end = record.time + record.duration;
    const bool is_full = before->record < joined.size() &&
                         joined[before->record].duration + record.duration > longest + same_time;
    if (is_full) before->record = joined.size();
    if (before->record == joined.size()) {
      joined.push_back(record);
    } else {
      join(joined[before->record], record);
    }
  }
  log.records = std::move(joined);
  log.step = longest;
}

}  // namespace peal::contact
