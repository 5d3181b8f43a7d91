#pragma once

#include <peal/base/measured_head.h>
#include <peal/base/medium.h>

#include <memory>
#include <string>

namespace peal::explore {

/// The ears of a head for the page (docs/explorer.md): responses at 48 kHz without their delays,
/// for directions on a grid.
std::string head_data(std::shared_ptr<const base::MeasuredHead> head, const base::Medium& medium);

}  // namespace peal::explore
