#include <peal/elastic/energy_book.h>
#include <peal/util/archive.h>

namespace peal::elastic {

void EnergyBook::enter(const Work& work, bool is_first) {
  if (!is_first) {
    given_ += work.given_before;
    damped_ += work.damped_before;
  }
  kinetic_ = work.kinetic;
  given_now_ = given_;
  damped_now_ = damped_;
  given_ += work.given_after;
  damped_ += work.damped_after;
  turnover_ += std::abs(work.given_before) + std::abs(work.given_after);
}

void EnergyBook::serialize(util::Archive& archive) {
  archive.number(initial_, kinetic_, given_, damped_, given_now_, damped_now_, turnover_);
}

}  // namespace peal::elastic
