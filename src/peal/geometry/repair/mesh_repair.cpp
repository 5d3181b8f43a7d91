#include <peal/geometry/mesh/inside.h>
#include <peal/geometry/mesh/mass_properties.h>
#include <peal/geometry/mesh/mesh_topology.h>
#include <peal/geometry/repair/mesh_repair.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <unordered_map>

namespace peal::geometry {
namespace {

constexpr std::uint32_t no_vertex = std::numeric_limits<std::uint32_t>::max();

std::uint64_t mixed(std::uint64_t x) {
  x ^= x >> 31;
  x *= 0x9e3779b97f4a7c15ull;
  return x ^ (x >> 29);
}

/// Hash table from lattice cells to the representatives in them, chained by vertex.
class CellTable {
 public:
  explicit CellTable(std::size_t vertices) : next_(vertices, no_vertex) {
    std::size_t size = 16;
    while (size < 2 * vertices) size *= 2;
    heads_.assign(size, no_vertex);
  }
  std::size_t slot(const std::array<std::int64_t, 3>& cell) const {
    std::uint64_t hash = 0;
    for (const std::int64_t c : cell) hash = mixed(hash + static_cast<std::uint64_t>(c));
    return hash & (heads_.size() - 1);
  }
  void insert(std::size_t slot, std::uint32_t vertex) {
    next_[vertex] = heads_[slot];
    heads_[slot] = vertex;
  }
  std::uint32_t head(std::size_t slot) const { return heads_[slot]; }
  std::uint32_t next(std::uint32_t vertex) const { return next_[vertex]; }

 private:
  std::vector<std::uint32_t> heads_, next_;
};

/// For each vertex the first earlier representative within the tolerance, or itself.
std::vector<std::uint32_t> representatives(const TriMesh& mesh, double tolerance) {
  const Vec3 origin = mesh.vertices.empty() ? Vec3::Zero() : bounds(mesh).min();
  const double extent = mesh.vertices.empty() ? 0.0 : bounds(mesh).sizes().maxCoeff();
  if (!(extent / tolerance < 1e15)) {
    throw std::invalid_argument("the tolerance for welding is too small for the size of the mesh");
  }
  CellTable table(mesh.vertices.size());
  std::vector<std::uint32_t> first(mesh.vertices.size());
  for (std::uint32_t v = 0; v < mesh.vertices.size(); ++v) {
    std::array<std::int64_t, 3> cell;
    for (int k = 0; k < 3; ++k)
      cell[k] = static_cast<std::int64_t>((mesh.vertices[v][k] - origin[k]) / tolerance);
    std::uint32_t best = v;
    for (int n = 0; n < 27; ++n) {
      const std::size_t slot =
          table.slot({cell[0] + n % 3 - 1, cell[1] + n / 3 % 3 - 1, cell[2] + n / 9 - 1});
      for (std::uint32_t u = table.head(slot); u != no_vertex; u = table.next(u)) {
        if (u < best && (mesh.vertices[u] - mesh.vertices[v]).norm() <= tolerance) best = u;
      }
    }
    first[v] = best;
    if (best == v) table.insert(table.slot(cell), v);
  }
  return first;
}

/// The mesh over the given representatives, without collapsed triangles and idle vertices.
TriMesh merged(const TriMesh& mesh, const std::vector<std::uint32_t>& first) {
  TriMesh out{.vertices = {}, .triangles = {}, .groups = mesh.groups, .triangle_group = {}};
  std::vector<Triangle> kept;
  std::vector<bool> used(mesh.vertices.size(), false);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto& [i, j, k] = mesh.triangles[t];
    const Triangle triangle = {first[i], first[j], first[k]};
    if (triangle[0] == triangle[1] || triangle[1] == triangle[2] || triangle[2] == triangle[0])
      continue;
    for (const std::uint32_t v : triangle) used[v] = true;
    out.triangles.push_back(triangle);
    if (!mesh.triangle_group.empty()) out.triangle_group.push_back(mesh.triangle_group[t]);
  }
  std::vector<std::uint32_t> number(mesh.vertices.size(), no_vertex);
  for (std::uint32_t v = 0; v < mesh.vertices.size(); ++v) {
    if (!used[v]) continue;
    number[v] = static_cast<std::uint32_t>(out.vertices.size());
    out.vertices.push_back(mesh.vertices[v]);
  }
  for (Triangle& triangle : out.triangles)
    for (std::uint32_t& v : triangle) v = number[v];
  return out;
}

struct Part {
  std::vector<std::uint32_t> triangles;
  bool closed = true;
};

/// Marks which triangles to turn so that a part agrees with its first triangle.
Part spread_orientation(const TriMesh& mesh, const MeshTopology& topology, std::uint32_t seed,
                        std::vector<bool>& reached, std::vector<bool>& turned) {
  Part part{.triangles = {seed}};
  reached[seed] = true;
  for (std::size_t i = 0; i < part.triangles.size(); ++i) {
    const std::uint32_t t = part.triangles[i];
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t neighbour = topology.triangle_neighbours[t][k];
      if (neighbour == MeshTopology::none) part.closed = false;
      if (neighbour == MeshTopology::none || reached[neighbour]) continue;
      reached[neighbour] = true;
      const bool agree = consistently_oriented(mesh, topology, topology.triangle_edges[t][k]);
      turned[neighbour] = agree ? turned[t] : !turned[t];
      part.triangles.push_back(neighbour);
    }
  }
  return part;
}

/// Volume of a closed part, or the area that keeps its orientation less the area that is turned.
double outwardness(const TriMesh& mesh, const Part& part, const std::vector<bool>& turned) {
  const Vec3 reference = mesh.vertices[mesh.triangles[part.triangles[0]][0]];
  double sum = 0.0;
  for (const std::uint32_t t : part.triangles) {
    const Vec3 area = area_vector(mesh, t);
    const double share = part.closed ? area.dot(triangle_centre(mesh, t) - reference) : area.norm();
    sum += turned[t] ? -share : share;
  }
  return sum;
}

}  // namespace

std::vector<std::uint32_t> first_coincident_vertex(const TriMesh& mesh) {
  CellTable table(mesh.vertices.size());
  std::vector<std::uint32_t> first(mesh.vertices.size());
  for (std::uint32_t v = 0; v < mesh.vertices.size(); ++v) {
    std::array<std::int64_t, 3> bits;
    for (int k = 0; k < 3; ++k) {
      const double x = mesh.vertices[v][k] + 0.0;  // -0 becomes 0
      std::memcpy(&bits[k], &x, sizeof x);
    }
    const std::size_t slot = table.slot(bits);
    std::uint32_t u = table.head(slot);
    while (u != no_vertex && mesh.vertices[u] != mesh.vertices[v]) u = table.next(u);
    first[v] = u == no_vertex ? v : u;
    if (u == no_vertex) table.insert(slot, v);
  }
  return first;
}

TriMesh weld(const TriMesh& mesh, double tolerance) {
  if (!(tolerance >= 0.0)) throw std::invalid_argument("a tolerance must not be negative");
  return merged(mesh,
                tolerance > 0.0 ? representatives(mesh, tolerance) : first_coincident_vertex(mesh));
}

TriMesh orient_consistently(TriMesh mesh) {
  const MeshTopology topology = mesh_topology(mesh);
  std::vector<bool> reached(mesh.triangles.size(), false), turned(mesh.triangles.size(), false);
  for (std::uint32_t seed = 0; seed < mesh.triangles.size(); ++seed) {
    if (reached[seed]) continue;
    const Part part = spread_orientation(mesh, topology, seed, reached, turned);
    if (outwardness(mesh, part, turned) >= 0.0) continue;
    for (const std::uint32_t t : part.triangles) turned[t] = !turned[t];
  }
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
    if (turned[t]) std::swap(mesh.triangles[t][1], mesh.triangles[t][2]);
  return mesh;
}

std::size_t drop_doubled_faces(TriMesh& mesh) {
  std::vector<std::pair<Triangle, std::size_t>> sorted;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    Triangle corners = mesh.triangles[t];
    std::ranges::sort(corners);
    sorted.push_back({corners, t});
  }
  std::ranges::sort(sorted);
  std::vector<bool> is_double(mesh.triangles.size(), false);
  for (std::size_t i = 1; i < sorted.size(); ++i)
    if (sorted[i].first == sorted[i - 1].first) is_double[sorted[i].second] = true;
  std::size_t kept = 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    if (is_double[t]) continue;
    mesh.triangles[kept] = mesh.triangles[t];
    if (!mesh.triangle_group.empty()) mesh.triangle_group[kept] = mesh.triangle_group[t];
    ++kept;
  }
  const std::size_t dropped = mesh.triangles.size() - kept;
  mesh.triangles.resize(kept);
  if (!mesh.triangle_group.empty()) mesh.triangle_group.resize(kept);
  return dropped;
}

std::vector<bool> open_components(const MeshTopology& topology, const Components& components) {
  std::vector<bool> is_open(components.count, false);
  for (std::uint32_t edge = 0; edge < topology.edges.size(); ++edge) {
    if (!topology.is_boundary(edge)) continue;
    is_open[components.of_triangle[topology.edge_triangles[edge].front()]] = true;
  }
  return is_open;
}

namespace {

/// A closed part of a mesh.
struct ClosedPart {
  TriMesh mesh;
  Box box;
  std::vector<std::size_t> triangles;
  std::size_t outer = 0;             ///< parts that it lies inside of
  std::optional<InsideTest> inside;  ///< made when first needed
};

std::vector<ClosedPart> closed_parts(const TriMesh& given) {
  // Vertices in one place belong together, also where each triangle has its own.
  TriMesh mesh = given;
  const std::vector<std::uint32_t> first = first_coincident_vertex(mesh);
  for (Triangle& triangle : mesh.triangles)
    for (std::uint32_t& v : triangle) v = first[v];
  const MeshTopology topology = mesh_topology(mesh);
  const Components components = connected_components(mesh, topology, Connection::shared_edge);
  const std::vector<bool> is_open = open_components(topology, components);
  std::vector<ClosedPart> parts(components.count);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    ClosedPart& part = parts[components.of_triangle[t]];
    part.triangles.push_back(t);
    part.mesh.triangles.push_back(mesh.triangles[t]);
    for (const std::uint32_t v : mesh.triangles[t]) part.box.extend(mesh.vertices[v]);
  }
  std::size_t count = 0;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    if (is_open[p]) continue;
    parts[p].mesh.vertices = mesh.vertices;
    parts[p].mesh = weld(parts[p].mesh);
    std::swap(parts[count++], parts[p]);
  }
  parts.resize(count);
  return parts;
}

/// Whether all of a part, not only its corners, is inside another: parts that cross are not. Fine
/// surfaces are sampled.
bool lies_inside(const ClosedPart& part, ClosedPart& other) {
  constexpr std::size_t most_samples = 300;
  if (!other.box.contains(part.box)) return false;
  if (!other.inside) other.inside.emplace(other.mesh);
  const auto is_inside = [&](const Vec3& p) {
    return std::abs(other.inside->winding_number(p)) > 0.5;
  };
  const std::size_t triangles = part.mesh.triangles.size();
  for (std::size_t t = 0; t < triangles; t += triangles / most_samples + 1) {
    const auto& [i, j, k] = part.mesh.triangles[t];
    const Vec3 &a = part.mesh.vertices[i], &b = part.mesh.vertices[j], &c = part.mesh.vertices[k];
    for (const Vec3& p : {a, Vec3((a + b) / 2.0), Vec3((b + c) / 2.0), Vec3((c + a) / 2.0),
                          triangle_centre(part.mesh, t)})
      if (!is_inside(p)) return false;
  }
  return true;
}

}  // namespace

TurnedParts face_out_of_solid(TriMesh& mesh) {
  TurnedParts turned;
  std::vector<ClosedPart> parts = closed_parts(mesh);
  for (ClosedPart& part : parts)
    for (ClosedPart& other : parts)
      if (&part != &other && lies_inside(part, other)) ++part.outer;
  for (const ClosedPart& part : parts) {
    const bool is_cavity = part.outer % 2 == 1;
    if ((signed_volume(part.mesh) < 0.0) == is_cavity) continue;
    ++(is_cavity ? turned.cavities : turned.inside_out);
    for (const std::size_t t : part.triangles)
      std::swap(mesh.triangles[t][1], mesh.triangles[t][2]);
  }
  return turned;
}

}  // namespace peal::geometry
