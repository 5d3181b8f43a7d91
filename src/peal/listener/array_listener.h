#pragma once

#include <peal/base/listener.h>
#include <peal/listener/filters_of_array.h>

#include <functional>

namespace peal::listener {

/// A head or an ambisonic microphone that hears by an array of pressures around its middle: for
/// radiators that do not know where sound comes from.
class ArrayListener : public base::Listener {
 public:
  /// `filters` makes them when listen() needs them.
  ArrayListener(std::string name, std::shared_ptr<const base::Motion> motion,
                std::vector<std::string> channels, std::function<FiltersOfArray()> filters);

  const std::string& name() const override { return name_; }
  std::vector<base::Receiver> receivers() const override;
  base::Audio listen(std::span<const base::Signal> pressures) const override;

 private:
  std::string name_;
  std::shared_ptr<const base::Motion> motion_;
  std::vector<std::string> channels_;
  std::function<FiltersOfArray()> filters_;
};

}  // namespace peal::listener
