#include "fuzzing/mutations.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <random>
#include <sstream>

namespace peal::fuzzing {

namespace {

using namespace std::string_literals;

std::string replaced(const std::string& seed, std::size_t at, std::size_t size,
                     const std::string& with) {
  return std::string(seed).replace(at, size, with);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string joined(const std::vector<std::string>& lines, const std::string& end) {
  std::string text;
  for (const std::string& line : lines) text += line + end;
  return text;
}

/// Uniform enough, and the same with every standard library.
std::size_t below(std::mt19937_64& random, std::size_t bound) {
  return bound == 0 ? 0 : random() % bound;
}

void mutate_once(std::string& bytes, const std::vector<std::string>& seeds,
                 std::mt19937_64& random) {
  const std::size_t at = below(random, bytes.size() + 1);
  const std::size_t size = below(random, std::min<std::size_t>(bytes.size() - at, 40) + 1);
  switch (below(random, 4)) {
    case 0:
      bytes.erase(at, size);
      break;
    case 1:
      bytes.insert(below(random, bytes.size() + 1), bytes.substr(at, size));
      break;
    case 2: {
      const std::string& other = seeds[below(random, seeds.size())];
      bytes.replace(at, size, other.substr(below(random, other.size()), below(random, 60)));
      break;
    }
    default:
      if (at < bytes.size()) bytes[at] = static_cast<char>(below(random, 256));
  }
}

}  // namespace

void truncate(const std::string& seed, const Visit& visit) {
  for (std::size_t size = 0; size < seed.size(); ++size) {
    visit("cut after byte " + std::to_string(size), seed.substr(0, size));
  }
}

void replace_bytes(const std::string& seed, const Visit& visit) {
  const std::string hostile[] = {"\0\x7f-\n \"{e"s, "\xff\x80\x39\r\\/#["s};
  for (std::size_t at = 0; at < seed.size(); ++at) {
    for (const char byte :
         hostile[at % 2] + static_cast<char>(seed[at] ^ (at % 4 < 2 ? 0x01 : 0x80))) {
      visit("byte " + std::to_string(at) + " set to " + std::to_string(byte),
            replaced(seed, at, 1, std::string(1, byte)));
    }
  }
}

void replace_numbers(const std::string& seed, const Visit& visit) {
  const std::string_view letters = "0123456789+-.eE";
  for (std::size_t at = 0; at < seed.size(); ++at) {
    const bool starts = letters.find(seed[at]) < 10 &&
                        (at == 0 || letters.find(seed[at - 1]) == std::string_view::npos);
    const bool signed_start = at > 0 && seed[at - 1] == '-' && letters.find(seed[at]) < 10;
    if (!starts && !signed_start) continue;
    const std::size_t size = std::min(seed.find_first_not_of(letters, at), seed.size()) - at;
    for (const char* const number : {"99999999999999999999",
                                     "4294967296",
                                     "4294967295",
                                     "2147483648",
                                     "1000000",
                                     "65536",
                                     "-1",
                                     "-2147483649",
                                     "0",
                                     "1.5",
                                     "nan",
                                     "-nan",
                                     "inf",
                                     "1e400",
                                     "-1e400",
                                     "1e-400",
                                     "1e308",
                                     "",
                                     "0x10",
                                     "1e",
                                     "--1",
                                     "true",
                                     "null"}) {
      visit("number at byte " + std::to_string(at) + " set to \"" + number + "\"",
            replaced(seed, at, size, number));
    }
  }
}

void replace_words(const std::string& seed, const Visit& visit) {
  const bool is_text = std::ranges::all_of(seed, [](char c) {
    return std::isspace(static_cast<unsigned char>(c)) || (c >= ' ' && c <= '~');
  });
  for (std::size_t at = 0; at + 4 <= seed.size(); at += is_text ? 4 : 1) {
    for (const std::uint32_t word : {0xffffffffu, 0x7fffffffu, 0x80000000u, 0x7fc00000u,
                                     0x7f800000u, 0x7f7fffffu, 0x00ffffffu, 0x00000000u}) {
      std::string bytes(4, '\0');
      for (unsigned k = 0; k < 4; ++k) bytes[k] = static_cast<char>(word >> (8 * k) & 0xff);
      visit("word at byte " + std::to_string(at), replaced(seed, at, 4, bytes));
      std::reverse(bytes.begin(), bytes.end());
      visit("swapped word at byte " + std::to_string(at), replaced(seed, at, 4, bytes));
    }
  }
}

void change_lines(const std::string& seed, const Visit& visit) {
  const std::vector<std::string> lines = lines_of(seed);
  visit("Windows line ends", joined(lines, "\r\n"));
  visit("lone carriage returns", joined(lines, "\r"));
  visit("doubled line ends", joined(lines, "\n\n"));
  visit("continued lines", joined(lines, "\\\n"));
  visit("no line ends", joined(lines, " "));
  visit("doubled file", seed + seed);
  visit("byte order mark", "\xEF\xBB\xBF" + seed);
  if (seed.ends_with('\n')) visit("no final line end", seed.substr(0, seed.size() - 1));
  for (std::size_t k = 0; k < lines.size(); ++k) {
    std::vector<std::string> changed = lines;
    changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(k));
    visit("without line " + std::to_string(k + 1), joined(changed, "\n"));
    changed.push_back(lines[k]);
    visit("line " + std::to_string(k + 1) + " moved to the end", joined(changed, "\n"));
    changed = lines;
    changed[k] += " " + lines[k] + " " + lines[k];
    visit("line " + std::to_string(k + 1) + " tripled", joined(changed, "\n"));
    changed[k] = lines[k] + '\r';
    visit("one Windows line end", joined(changed, "\n"));
  }
}

void splice(const std::vector<std::string>& seeds, int count, const Visit& visit) {
  std::mt19937_64 random(20);
  for (int k = 0; k < count; ++k) {
    std::string bytes = seeds[below(random, seeds.size())];
    for (std::size_t n = 1 + below(random, 6); n > 0; --n) mutate_once(bytes, seeds, random);
    visit("splice " + std::to_string(k), bytes);
  }
}

}  // namespace peal::fuzzing
