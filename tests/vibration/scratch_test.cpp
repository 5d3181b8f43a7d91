#include <peal/geometry/shapes.h>
#include <peal/geometry/mass_properties.h>
#include <peal/geometry/self_intersection.h>
#include <peal/vibration/fem_assembly.h>
#include <peal/vibration/fem_rigid.h>
#include <peal/vibration/lanczos.h>
#include <peal/vibration/solid_modes.h>
#include <peal/vibration/tet_program.h>
#include <peal/vibration/tet_surface.h>
#include <gtest/gtest.h>
#include <cmath>
#include <ctime>
#include <numbers>
#include <fstream>
#include <iomanip>
namespace peal::vibration {
namespace {
double now2() { timespec t; clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); return double(t.tv_sec) + 1e-9 * double(t.tv_nsec); }
double env(const char* n, double d) { return getenv(n) ? atof(getenv(n)) : d; }
using geometry::Vec2;
void arc(std::vector<Vec2>& line, Vec2 c, double r, double a0, double a1, int n) {
  for (int i = 0; i <= n; ++i) { double a = (a0 + (a1 - a0) * i / n) * std::numbers::pi / 180; line.push_back(c + r * Vec2(std::cos(a), std::sin(a))); }
}
geometry::TriMesh make(const std::string& s, double e) {
  const int n = int(env("SEG", 8));
  if (s == "mug") {  // radius 40, height 90, wall 3, outer corner radius 8, rim rounded
    std::vector<Vec2> p; double R=0.04,H=0.09,w=0.003,rc=0.008;
    p.push_back({0,0}); arc(p,{R-rc,rc},rc,-90,0,n); arc(p,{R-w/2,H-w/2},w/2,0,180,n); arc(p,{R-rc,rc},rc-w,0,-90,n); p.push_back({0,w});
    return geometry::lathe_mesh(geometry::Polygon(p.begin(),p.end()), e);
  }
  if (s == "glass") {  // bowl of radius 33 at rim, 1.2 mm wall, stem r=4, foot
    std::vector<Vec2> p; double w=0.0012;
    p.push_back({0,0}); p.push_back({0.034,0}); p.push_back({0.034,0.002});
    p.push_back({0.012,0.0035}); arc(p,{0.012,0.0115},0.008,-90,-180,n); p.push_back({0.004,0.075});
    // bowl outer: ellipse-ish arc centre (0, 0.125) radii 0.036 x 0.045
    const double c=0.122, rx=0.036, ry=0.045;
    for (int i=4;i<=3*n;++i){double a=(-90+ (90+25)*double(i)/(3*n))*std::numbers::pi/180;p.push_back({rx*std::cos(a),c+ry*std::sin(a)});}
    { double a=25*std::numbers::pi/180; Vec2 o(rx*std::cos(a),c+ry*std::sin(a)); Vec2 in((rx-w)*std::cos(a),c+(ry-w)*std::sin(a)); Vec2 m=0.5*(o+in); Vec2 d=(o-in).normalized(); Vec2 t(-d.y(),d.x()); double r=0.5*(o-in).norm();
      for(int i=1;i<n;++i){double b=std::numbers::pi*i/n; p.push_back(m+r*(std::cos(b)*d+std::sin(b)*t));} }
    for (int i=3*n;i>=1;--i){double a=(-90+ (90+25)*double(i)/(3*n))*std::numbers::pi/180;p.push_back({(rx-w)*std::cos(a),c+(ry-w)*std::sin(a)});}
    p.push_back({0,c-(ry-w)});
    return geometry::lathe_mesh(geometry::Polygon(p.begin(),p.end()), e);
  }
  if (s == "coin") return geometry::cylinder_mesh(0.01213, 0.00175, e);
  if (s == "disc") return geometry::cylinder_mesh(0.05, 0.04, e);
  if (s == "bar") return geometry::box_mesh({0.2,0.02,0.01}, e);
  if (s == "cube") return geometry::box_mesh({1,1,1}, e);
  if (s == "plate") return geometry::box_mesh({0.2,0.001,0.2}, e);
  if (s == "sphere") return geometry::sphere_mesh(0.05, e);
  if (s == "shell") { auto a=geometry::sphere_mesh(1,e), b=geometry::sphere_mesh(0.9,e); for(auto&t:b.triangles) std::swap(t[0],t[1]); return geometry::joined(a,b); }
  throw 1;
}
TEST(Scratch2, Shape) {
  const char* name = getenv("SHAPE"); if (!name) return;
  const double h0 = env("E", 0.002);
  base::Material mat{"ceramic", env("RHO",2700), env("YOUNG",72e9), env("NU",0.19), {}};
  const double fmax = env("F", 20000), factor = env("C", 3.5);
  const int order = int(env("P", 3));
  double t = now2();
  const auto surface = make(name, h0);
  SolidModesSettings set; set.max_frequency = fmax; if (getenv("N")) set.count = atoi(getenv("N"));
  util::Silent silent; (void)factor; (void)order;
  const auto r = solid_modes(surface, mat, set, silent);
  printf("%s: %zu triangles in, %zu tets %zu dof %zu modes, %.2f s\n", name, surface.triangles.size(), r.tets, r.unknowns, r.model.modes.size(), now2() - t);
  std::ofstream out(getenv("OUT") ? getenv("OUT") : "/tmp/modesh/last");
  for (auto& m : r.model.modes) out << std::setprecision(12) << m.frequency << "\n";
}
}  // namespace
}  // namespace peal::vibration
