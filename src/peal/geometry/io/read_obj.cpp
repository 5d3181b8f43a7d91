#include <peal/geometry/io/read_obj.h>
#include <peal/geometry/io/read_polygon.h>
#include <peal/geometry/io/read_text.h>
#include <peal/util/nearest_word.h>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace peal::geometry {

namespace {

constexpr std::size_t longest_label = 255;  // bounds the names that combinations of labels make

// Statements that say nothing about the shape of polygons.
constexpr std::string_view harmless[] = {
    "vt",    "vn",  "vp",       "s",        "mg",         "mtllib",    "maplib", "usemap",
    "bevel", "lod", "c_interp", "d_interp", "shadow_obj", "trace_obj", "ctech",  "stech"};
constexpr std::string_view free_form[] = {
    "cstype", "deg", "bmat", "step", "curv", "curv2", "surf", "parm", "trim", "hole", "scrv",
    "sp",     "end", "con",  "bzp",  "bsp",  "cdc",   "cdp",  "res",  "csh",  "call"};

bool contains(std::span<const std::string_view> list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

class ObjReader {
 public:
  ObjReader(std::string_view bytes, const std::string& name) : text_(bytes, name) {
    // A line of a usual file has about 30 bytes; two triangles share a vertex.
    mesh_.vertices.reserve(bytes.size() / 70);
    mesh_.triangles.reserve(bytes.size() / 35);
  }

  TriMesh read() {
    for (; !text_.at_end(); text_.next_line()) read_statement();
    if (mesh_.triangles.empty()) {
      text_.fail("the file has no faces", "A surface needs \"f\" statements.");
    }
    fill_groups();
    return std::move(mesh_);
  }

 private:
  struct Run {
    std::size_t first_triangle;
    std::uint32_t group;
  };

  void read_statement() {
    text_.skip_blanks();
    const char* const p = text_.position();
    if (*p == '\n' || *p == '#') return;
    if (TextCursor::ends_word(p + 1)) {
      text_.move_to(p + 1);
      if (*p == 'v') return read_vertex();
      if (*p == 'f') return read_face();
      text_.move_to(p);
    }
    read_rare_statement(text_.word());
  }

  void read_vertex() {
    const double x = text_.number("the x coordinate");
    const double y = text_.number("the y coordinate");
    const double z = text_.number("the z coordinate");
    if (mesh_.vertices.size() == std::numeric_limits<std::uint32_t>::max()) {
      text_.fail("the file has more than 4294967295 vertices", "Split it into several meshes.");
    }
    mesh_.vertices.emplace_back(x, y, z);
    if (text_.at_line_end()) return;
    std::size_t more = 0;  // a weight, a colour
    for (; !text_.at_line_end(); ++more) text_.number("a value after the coordinates");
    if (more == 2 || more > 4) {
      text_.fail(fmt::format("the vertex has {} values", 3 + more),
                 "Give x y z, and optionally a weight or a colour.");
    }
  }

  void read_face() {
    corners_.clear();
    while (!text_.at_line_end()) corners_.push_back(read_corner());
    if (corners_.size() < 3) {
      text_.fail(fmt::format("the face has {} corners", corners_.size()),
                 "Give at least three vertices, such as \"f 1 2 3\".");
    }
    if (labels_changed_) enter_group();
    const std::string_view problem =
        triangulator_.append(corners_, mesh_.vertices, mesh_.triangles);
    if (!problem.empty()) {
      text_.fail(fmt::format("the face {}", problem), "Export the mesh as triangles.");
    }
  }

  /// `v`, `v/vt`, `v//vn` or `v/vt/vn`; only v is used.
  std::uint32_t read_corner() {
    const char* const start = text_.position();
    const char* p = start;
    std::int64_t index = 0;
    if (!scan_index(p, index)) bad_corner();
    if (*p == '/') {
      std::int64_t ignored = 0;
      const bool has_texture = scan_index(++p, ignored);
      if (*p == '/' ? !scan_index(++p, ignored) : !has_texture) bad_corner();
    }
    if (!TextCursor::ends_word(p)) bad_corner();
    const auto count = static_cast<std::int64_t>(mesh_.vertices.size());
    const std::int64_t vertex = index > 0 ? index - 1 : count + index;
    if (index == 0 || vertex < 0 || vertex >= count) bad_index(count);
    text_.move_to(p);
    return static_cast<std::uint32_t>(vertex);
  }

  /// Reads an integer at `p` and moves `p` behind it; clamps what no file can mean.
  static bool scan_index(const char*& p, std::int64_t& index) {
    const bool negative = *p == '-';
    const char* digit = p + negative;
    if (!is_digit(*digit)) return false;
    std::int64_t value = 0;
    for (; is_digit(*digit); ++digit) {
      if (value < (std::int64_t{1} << 40)) value = value * 10 + (*digit - '0');
    }
    index = negative ? -value : value;
    p = digit;
    return true;
  }

  [[noreturn]] void bad_corner() {
    text_.fail(fmt::format("{} is no corner of a face", in_quotes(text_.word())),
               "Write v, v/vt, v//vn or v/vt/vn with whole numbers, such as \"f 1/1 2/2 3/3\".");
  }

  [[noreturn]] void bad_index(std::int64_t count) {
    text_.fail(fmt::format("the corner {} names no vertex", in_quotes(text_.word())),
               count == 0
                   ? "Vertices (\"v x y z\") must come before the faces that use them."
                   : fmt::format("{0} vertices come before this line: 1 to {0}, or -1 to -{0} "
                                 "counted back from the last.",
                                 count));
  }

  void read_rare_statement(std::string_view keyword) {
    if (keyword == "g") {
      read_groups();
    } else if (keyword == "o") {
      object_ = read_label();
      group_.clear();
      labels_changed_ = true;
    } else if (keyword == "usemtl") {
      material_ = read_label();
      labels_changed_ = true;
    } else if (contains(harmless, keyword)) {
      text_.skip_statement();
    } else {
      refuse(keyword);
    }
  }

  [[noreturn]] void refuse(std::string_view keyword) {
    if (contains(free_form, keyword)) {
      text_.fail(fmt::format("{}: free-form geometry is not read", in_quotes(keyword)),
                 "Export the shape as polygons.");
    }
    if (keyword == "l" || keyword == "p") {
      text_.fail(fmt::format("{}: lines and points have no surface", in_quotes(keyword)),
                 "Delete loose edges and points, or export faces only.");
    }
    static const std::vector<std::string> known = {"v", "vt", "vn",     "f",     "g",
                                                   "o", "s",  "usemtl", "mtllib"};
    text_.fail(fmt::format("unknown statement {}", in_quotes(keyword)),
               util::suggest(keyword, known));
  }

  std::string_view limited(std::string_view label) {
    if (label.size() > longest_label) {
      text_.fail(
          fmt::format("the name {} is longer than {} bytes", in_quotes(label), longest_label),
          "Shorten it.");
    }
    return label;
  }

  std::string_view read_label() { return limited(text_.rest_of_line()); }

  void read_groups() {
    group_.clear();
    while (!text_.at_line_end()) {
      if (!group_.empty()) group_ += '/';
      group_ += text_.word();
      limited(group_);
    }
    labels_changed_ = true;
  }

  /// The faces from here on belong to the group of the labels now in force.
  void enter_group() {
    labels_changed_ = false;
    std::string name(group_.empty() ? object_ : group_);
    if (!name.empty() && !material_.empty()) name += '/';
    name += material_;
    const auto [entry, is_new] =
        group_index_.try_emplace(name, static_cast<std::uint32_t>(mesh_.groups.size()));
    if (is_new) mesh_.groups.push_back(std::move(name));
    runs_.push_back({mesh_.triangles.size(), entry->second});
  }

  void fill_groups() {
    if (runs_.empty() || (mesh_.groups.size() == 1 && mesh_.groups[0].empty())) {
      mesh_.groups.clear();
      return;
    }
    for (std::size_t r = 0; r < runs_.size(); ++r) {
      const bool last = r + 1 == runs_.size();
      mesh_.triangle_group.resize(last ? mesh_.triangles.size() : runs_[r + 1].first_triangle,
                                  runs_[r].group);
    }
  }

  TextCursor text_;
  TriMesh mesh_;
  PolygonTriangulator triangulator_;
  std::vector<std::uint32_t> corners_;
  std::string group_, object_, material_;
  bool labels_changed_ = true;
  std::unordered_map<std::string, std::uint32_t> group_index_;
  std::vector<Run> runs_;
};

}  // namespace

TriMesh parse_obj(std::string_view bytes, const std::string& name) {
  return ObjReader(bytes, name).read();
}

bool has_label(std::string_view group, std::string_view label) {
  if (label.empty()) return group.empty();
  for (std::size_t at = group.find(label); at != std::string_view::npos;
       at = group.find(label, at + 1)) {
    const std::size_t end = at + label.size();
    if ((at == 0 || group[at - 1] == '/') && (end == group.size() || group[end] == '/')) {
      return true;
    }
  }
  return false;
}

}  // namespace peal::geometry
