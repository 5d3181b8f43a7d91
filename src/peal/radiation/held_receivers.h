#pragma once

#include <peal/base/listener.h>
#include <peal/base/piece.h>

#include <span>
#include <vector>

namespace peal::radiation {

/// The pieces between the jumps of all receivers together.
std::vector<base::Piece> common_pieces(std::span<const base::Receiver> receivers);

/// The receivers as they move in one of these pieces. Each goes on beyond its ends, but stays where
/// it jumps: after the piece it is where its old place would be heard, before it where its new one.
std::vector<base::Receiver> held_in(const base::Piece& piece,
                                    std::span<const base::Receiver> receivers);

}  // namespace peal::radiation
