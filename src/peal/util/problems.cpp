#include <peal/util/problems.h>

#include <fmt/format.h>

namespace peal::util {

namespace {

std::string listing(const std::vector<InputError>& all) {
  std::string text;
  std::size_t number = 0;
  for (const InputError& error : all) {
    const std::string at = error.place().at;
    text += fmt::format("{}{}. {}{}{}", number ? "\n  " : "", number + 1, at,
                        at.empty() ? "" : ": ", error.problem());
    if (!error.cure().empty()) text += "\n     " + error.cure();
    ++number;
  }
  return text;
}

}  // namespace

InputErrors::InputErrors(const std::string& file, std::size_t count, std::vector<InputError> all)
    : InputError({file, ""}, fmt::format("{} problems", count), listing(all)),
      all_(std::move(all)) {}

void Problems::add(std::string at, std::string problem, std::string cure) {
  ++count_;
  if (told_.size() == most_told) return;
  told_.emplace_back(Place{file_, std::move(at)}, std::move(problem), std::move(cure));
}

void Problems::add(std::string at, const InputError& error) {
  const std::string place = to_string(error.place());
  add(std::move(at), (place.empty() ? "" : place + ": ") + error.problem(), error.cure());
}

void Problems::throw_if_any() const {
  if (count_ == 0) return;
  if (count_ == 1) throw told_.front();
  std::vector<InputError> all = told_;
  if (count_ > all.size()) {
    all.emplace_back(Place{file_, ""}, fmt::format("and {} more like these", count_ - all.size()));
  }
  throw InputErrors(file_, count_, std::move(all));
}

}  // namespace peal::util
