#include <peal/util/problems.h>

#include <fmt/format.h>

#include <set>

namespace peal::util {

namespace {

/// A hint of more letters is given once if several problems share it.
constexpr std::size_t short_hint = 120;

std::string listing(const std::vector<InputError>& all) {
  std::string text;
  std::set<std::string> given;
  std::size_t number = 0;
  for (const InputError& error : all) {
    const std::string at = error.location().at;
    text += fmt::format("{}{}. {}{}{}", number ? "\n  " : "", number + 1, at,
                        at.empty() ? "" : ": ", error.problem());
    const std::string hint = error.hint();
    const bool is_repeated = hint.size() > short_hint && !given.insert(hint).second;
    if (!hint.empty() && !is_repeated) text += "\n     " + hint;
    ++number;
  }
  return text;
}

}  // namespace

InputErrors::InputErrors(const std::string& file, std::size_t count, std::vector<InputError> all)
    : InputError({file, ""}, fmt::format("{} problems", count), listing(all)),
      all_(std::move(all)) {}

void Problems::add(std::string at, std::string problem, std::string hint) {
  ++count_;
  if (reported_.size() == most_reported) return;
  reported_.emplace_back(Location{file_, std::move(at)}, std::move(problem), std::move(hint));
}

void Problems::add(std::string at, const InputError& error) {
  const std::string location = to_string(error.location());
  add(std::move(at), (location.empty() ? "" : location + ": ") + error.problem(), error.hint());
}

void Problems::throw_if_any() const {
  if (count_ == 0) return;
  if (count_ == 1) throw reported_.front();
  std::vector<InputError> all = reported_;
  if (count_ > all.size()) {
    all.emplace_back(Location{file_, ""},
                     fmt::format("and {} more like these", count_ - all.size()));
  }
  throw InputErrors(file_, count_, std::move(all));
}

}  // namespace peal::util
