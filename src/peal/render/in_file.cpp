#include <peal/render/in_file.h>
#include <peal/util/error.h>

namespace peal::render {

void rethrow_in_file(const std::filesystem::path& file) try {
  throw;
} catch (const util::InputError& error) {
  if (!error.location().file.empty() || file.empty()) throw;
  throw util::InputError({file.string(), error.location().at}, error.problem(), error.hint());
} catch (const util::NumericsError& error) {
  if (file.empty()) throw;
  throw util::NumericsError(file.string() + ": " + error.what());
}

}  // namespace peal::render
