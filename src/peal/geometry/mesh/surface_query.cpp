#include <peal/geometry/mesh/surface_query.h>

#include <embree3/rtcore.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace peal::geometry {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr float float_infinity = std::numeric_limits<float>::infinity();

/// Relative rounding that the float tree may do to a length: a few operations of 2^-24 each.
constexpr double float_slack = 16.0 / (1 << 24);

float rounded_up(double x) {
  return std::nextafter(static_cast<float>(x), float_infinity);
}

struct DeviceDeleter {
  void operator()(RTCDevice device) const { rtcReleaseDevice(device); }
};
struct SceneDeleter {
  void operator()(RTCScene scene) const { rtcReleaseScene(scene); }
};
using DevicePointer = std::unique_ptr<RTCDeviceTy, DeviceDeleter>;
using ScenePointer = std::unique_ptr<RTCSceneTy, SceneDeleter>;

[[noreturn]] void throw_embree_error(RTCError code, const char* doing) {
  throw std::runtime_error("Embree failed while " + std::string(doing) + " (error " +
                           std::to_string(static_cast<int>(code)) +
                           (code == RTC_ERROR_OUT_OF_MEMORY ? ", out of memory)" : ")"));
}

}  // namespace

/// The mesh and Embree's tree of it, in coordinates relative to the middle of the mesh so that
/// floats keep as many digits as they can.
struct SurfaceQuery::Scene {
  TriMesh mesh;
  Vec3 middle;
  Vec3 half_size;
  double diagonal;  ///< [m]
  double slack;     ///< how far the tree's boxes are widened [m]
  DevicePointer device;
  ScenePointer scene;

  explicit Scene(TriMesh source) : mesh(std::move(source)) {
    if (mesh.empty()) throw std::invalid_argument("a surface query needs at least one triangle");
    Box box;
    for (const Triangle& triangle : mesh.triangles)
      for (const std::uint32_t v : triangle) {
        if (!mesh.vertices.at(v).allFinite()) throw std::invalid_argument("a vertex is not finite");
        box.extend(mesh.vertices[v]);
      }
    middle = box.center();
    half_size = 0.5 * box.sizes();
    diagonal = box.sizes().norm();
    // A mesh that is one point far away still needs boxes wider than nothing.
    slack = float_slack * diagonal + std::numeric_limits<float>::min();
    build();
  }

  void build() {
    device.reset(rtcNewDevice(nullptr));
    if (!device) throw_embree_error(rtcGetDeviceError(nullptr), "starting");
    scene.reset(rtcNewScene(device.get()));
    rtcSetSceneFlags(scene.get(), RTC_SCENE_FLAG_ROBUST);
    const RTCGeometry geometry = rtcNewGeometry(device.get(), RTC_GEOMETRY_TYPE_USER);
    rtcSetGeometryUserPrimitiveCount(geometry, static_cast<unsigned>(mesh.triangles.size()));
    rtcSetGeometryUserData(geometry, this);
    rtcSetGeometryBoundsFunction(geometry, &Scene::triangle_bounds, nullptr);
    rtcSetGeometryIntersectFunction(geometry, &Scene::on_ray_candidate);
    rtcSetGeometryOccludedFunction(geometry, &Scene::on_segment_candidate);
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene.get(), geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(scene.get());
    const RTCError error = rtcGetDeviceError(device.get());
    if (error != RTC_ERROR_NONE) throw_embree_error(error, "building the tree of a mesh");
  }

  Corners corners(std::uint32_t triangle) const {
    const auto& [a, b, c] = mesh.triangles[triangle];
    return {mesh.vertices[a], mesh.vertices[b], mesh.vertices[c]};
  }

  static void triangle_bounds(const RTCBoundsFunctionArguments* args) {
    const auto& self = *static_cast<const Scene*>(args->geometryUserPtr);
    Box box;
    for (const Vec3& corner : self.corners(args->primID)) box.extend(corner - self.middle);
    const Vec3 low = box.min().array() - self.slack, high = box.max().array() + self.slack;
    RTCBounds& out = *args->bounds_o;
    out.lower_x = static_cast<float>(low.x());
    out.lower_y = static_cast<float>(low.y());
    out.lower_z = static_cast<float>(low.z());
    out.upper_x = static_cast<float>(high.x());
    out.upper_y = static_cast<float>(high.y());
    out.upper_z = static_cast<float>(high.z());
  }

  // Closest point.

  struct PointSearch {
    const Scene& scene;
    Vec3 p;
    double slack;  ///< rounding of p and of the tree's distances [m]
    double best_distance2;
    std::uint32_t best_triangle = std::numeric_limits<std::uint32_t>::max();
    Vec3 best_barycentrics = Vec3::Zero();
    std::vector<SurfacePoint>* all = nullptr;  ///< null: the best only

    float radius() const {
      return rounded_up((std::sqrt(best_distance2)) * (1.0 + float_slack) + slack);
    }
  };

  static bool on_point_candidate(RTCPointQueryFunctionArguments* args) {
    auto& search = *static_cast<PointSearch*>(args->userPtr);
    const Corners corners = search.scene.corners(args->primID);
    const Vec3 barycentrics = closest_barycentrics(corners, search.p);
    const double distance2 = (interpolate(corners, barycentrics) - search.p).squaredNorm();
    if (distance2 > search.best_distance2) return false;
    if (search.all != nullptr) {
      search.all->push_back(
          {interpolate(corners, barycentrics), args->primID, barycentrics, std::sqrt(distance2)});
      return false;
    }
    if (distance2 == search.best_distance2 && args->primID > search.best_triangle) return false;
    search.best_distance2 = distance2;
    search.best_triangle = args->primID;
    search.best_barycentrics = barycentrics;
    args->query->radius = search.radius();
    return true;
  }

  std::optional<SurfacePoint> closest(const Vec3& p, double radius,
                                      std::vector<SurfacePoint>* all = nullptr) const {
    const Vec3 local = p - middle;
    PointSearch search{*this, p, slack + float_slack * local.norm(), radius * radius};
    search.all = all;
    RTCPointQuery query;
    query.x = static_cast<float>(local.x());
    query.y = static_cast<float>(local.y());
    query.z = static_cast<float>(local.z());
    query.time = 0.0f;
    query.radius = search.radius();
    RTCPointQueryContext context;
    rtcInitPointQueryContext(&context);
    rtcPointQuery(scene.get(), &query, &context, &Scene::on_point_candidate, &search);
    if (search.best_triangle == std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
    return SurfacePoint{interpolate(corners(search.best_triangle), search.best_barycentrics),
                        search.best_triangle, search.best_barycentrics,
                        std::sqrt(search.best_distance2)};
  }

  // Rays.

  struct RaySearch {
    RTCIntersectContext context;  ///< first, so that Embree's pointer to it is one to the search
    const Scene& scene;
    ShearedRay ray;
    double t_enter;  ///< where the ray enters the widened bounding box
    double length;   ///< of the ray's direction [m]
    std::optional<RayHit> nearest;
    std::vector<RayHit>* all = nullptr;

    /// Embree's ray starts at t_enter and has unit direction.
    float tree_t(double t) const {
      return rounded_up((t - t_enter) * length * (1.0 + float_slack) + scene.slack);
    }
  };

  static void on_ray_candidate(const RTCIntersectFunctionNArguments* args) {
    if (args->valid[0] == 0) return;
    auto& search = *reinterpret_cast<RaySearch*>(args->context);
    const auto hit = search.ray.intersect(search.scene.corners(args->primID));
    if (!hit) return;
    const RayHit found{hit->t, args->primID, hit->barycentrics};
    if (search.all != nullptr) {
      search.all->push_back(found);
      return;
    }
    if (search.nearest && std::pair(search.nearest->t, search.nearest->triangle) <
                              std::pair(found.t, found.triangle)) {
      return;
    }
    search.nearest = found;
    RTCRayHit& rayhit = *reinterpret_cast<RTCRayHit*>(args->rayhit);
    rayhit.ray.tfar = std::min(rayhit.ray.tfar, search.tree_t(found.t));
    rayhit.hit.geomID = args->geomID;
    rayhit.hit.primID = args->primID;
  }

  static void on_segment_candidate(const RTCOccludedFunctionNArguments* args) {
    if (args->valid[0] == 0) return;
    auto& search = *reinterpret_cast<RaySearch*>(args->context);
    if (!search.ray.intersect(search.scene.corners(args->primID))) return;
    reinterpret_cast<RTCRay*>(args->ray)->tfar = -float_infinity;
  }

  /// Part of the ray inside the widened bounding box, so that Embree sees only coordinates of
  /// the mesh's own size; empty if there is none.
  std::optional<std::pair<double, double>> clipped(const Ray& ray) const {
    const Vec3 local = ray.origin - middle;
    double enter = ray.t_min, leave = ray.t_max;
    const Vec3 reach = half_size.array() + 4.0 * slack + 1e-12 * local.norm();
    for (int k = 0; k < 3; ++k) {
      if (ray.direction[k] == 0.0) {
        if (std::abs(local[k]) > reach[k]) return std::nullopt;
        continue;
      }
      const double t0 = (-reach[k] - local[k]) / ray.direction[k];
      const double t1 = (reach[k] - local[k]) / ray.direction[k];
      enter = std::max(enter, std::min(t0, t1));
      leave = std::min(leave, std::max(t0, t1));
    }
    if (!(enter <= leave)) return std::nullopt;
    return std::pair(enter, leave);
  }

  RTCRay tree_ray(const Ray& ray, const RaySearch& search, double leave) const {
    const Vec3 origin = ray.origin + search.t_enter * ray.direction - middle;
    const Vec3 direction = ray.direction / search.length;
    RTCRay out{};
    out.org_x = static_cast<float>(origin.x());
    out.org_y = static_cast<float>(origin.y());
    out.org_z = static_cast<float>(origin.z());
    out.dir_x = static_cast<float>(direction.x());
    out.dir_y = static_cast<float>(direction.y());
    out.dir_z = static_cast<float>(direction.z());
    out.tnear = 0.0f;
    out.tfar = search.tree_t(leave);
    out.mask = ~0u;
    return out;
  }

  std::optional<RayHit> shoot(const Ray& ray, std::vector<RayHit>* all) const {
    const auto range = clipped(ray);
    if (!range) return std::nullopt;
    RaySearch search{{}, *this, ShearedRay(ray), range->first, ray.direction.norm(), {}, all};
    rtcInitIntersectContext(&search.context);
    RTCRayHit rayhit{.ray = tree_ray(ray, search, range->second), .hit = {}};
    rayhit.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    rtcIntersect1(scene.get(), &search.context, &rayhit);
    return search.nearest;
  }

  bool blocks(const Ray& ray) const {
    const auto range = clipped(ray);
    if (!range) return false;
    RaySearch search{{}, *this, ShearedRay(ray), range->first, ray.direction.norm(), {}, nullptr};
    rtcInitIntersectContext(&search.context);
    RTCRay segment = tree_ray(ray, search, range->second);
    rtcOccluded1(scene.get(), &search.context, &segment);
    return segment.tfar == -float_infinity;
  }
};

SurfaceQuery::SurfaceQuery(TriMesh mesh) : scene_(std::make_unique<Scene>(std::move(mesh))) {}
SurfaceQuery::~SurfaceQuery() = default;
SurfaceQuery::SurfaceQuery(SurfaceQuery&&) noexcept = default;
SurfaceQuery& SurfaceQuery::operator=(SurfaceQuery&&) noexcept = default;

const TriMesh& SurfaceQuery::mesh() const {
  return scene_->mesh;
}

SurfacePoint SurfaceQuery::closest_point(const Vec3& p) const {
  const auto nearest = scene_->closest(p, infinity);
  if (!nearest) throw std::invalid_argument("the closest point to a point that is not finite");
  return *nearest;
}

std::optional<SurfacePoint> SurfaceQuery::closest_point_within(const Vec3& p, double radius) const {
  return scene_->closest(p, radius);
}

std::vector<SurfacePoint> SurfaceQuery::all_within(const Vec3& p, double radius) const {
  std::vector<SurfacePoint> points;
  scene_->closest(p, radius, &points);
  std::ranges::sort(points, {}, &SurfacePoint::triangle);
  return points;
}

std::optional<RayHit> SurfaceQuery::intersect(const Ray& ray) const {
  return scene_->shoot(ray, nullptr);
}

std::vector<RayHit> SurfaceQuery::all_hits(const Ray& ray) const {
  std::vector<RayHit> hits;
  scene_->shoot(ray, &hits);
  std::sort(hits.begin(), hits.end(), [](const RayHit& a, const RayHit& b) {
    return std::pair(a.t, a.triangle) < std::pair(b.t, b.triangle);
  });
  return hits;
}

bool SurfaceQuery::occluded(const Vec3& a, const Vec3& b, double margin) const {
  const double length = (b - a).norm();
  const double t = margin / length;
  if (!(t < 0.5)) return false;
  return scene_->blocks({.origin = a, .direction = b - a, .t_min = t, .t_max = 1.0 - t});
}

}  // namespace peal::geometry
