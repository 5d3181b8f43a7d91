#include <peal/geometry/shapes.h>
#include <peal/vibration/cholesky.h>
#include <peal/vibration/fem_assembly.h>
#include <peal/vibration/fem_rigid.h>
#include <peal/vibration/lanczos.h>
#include <peal/vibration/tet_program.h>

#include <gtest/gtest.h>

#include <cmath>
#include <ctime>
#include <numbers>

namespace peal::vibration {
namespace {
double now() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

TEST(Scratch, Box) {
  const double h = getenv("H") ? atof(getenv("H")) : 0.25;
  const int order = getenv("P") ? atoi(getenv("P")) : 3;
  const int count = getenv("N") ? atoi(getenv("N")) : 30;
  const double tol = getenv("T") ? atof(getenv("T")) : 1e-8;
  const auto surface = geometry::box_mesh({1, 1, 1}, h);
  double t = now();
  const TetAttempt a = tetrahedralise(surface, h * h * h / 6);
  ASSERT_TRUE(a.fine()) << a.problem;
  const CurvedTetMesh mesh = straight(a.mesh);
  printf("tets %zu %.3f s\n", mesh.tets.size(), now() - t), t = now();
  const FemSpace space = fem_space(mesh, order);
  printf("space %zu nodes %.3f s\n", space.nodes.size(), now() - t), t = now();
  FemMatrices m = assemble(mesh, space, {"x", 1, 1, 0.3, {}});
  printf("assembled %.3f\n", now() - t), t = now();
  const auto rigid = rigid_motions(m, space.nodes);
  printf("rigid %g %.3f\n", m.times_stiffness(rigid).norm(), now() - t), t = now();
  Cholesky c(m.shifted(0.3));
  printf("factor %.3f nnz %zu\n", now() - t, c.size()), t = now();
  Eigen::MatrixXd x = Eigen::MatrixXd::Random(m.size(), 16), y = x;
  t = now();
  c.solve(y);
  printf("solve16 %.4f\n", now() - t), t = now();
  LanczosSettings s;
  s.count = count;
  s.shift = 0.3;
  s.tolerance = tol;
  const auto pairs = lowest_eigenpairs(m, rigid, s);
  printf("lanczos %.3f\n", now() - t), t = now();
  const auto r = residuals(m, pairs);
  printf("residual %g orth %g\n", r.maxCoeff(),
         (pairs.vectors.transpose() * m.times_mass(pairs.vectors) -
          Eigen::MatrixXd::Identity(pairs.values.size(), pairs.values.size()))
             .norm());
  for (int i = 0; i < std::min(30, count); ++i) printf("%.7f ", std::sqrt(pairs.values[i]));
  printf("\n");
}
}  // namespace
}  // namespace peal::vibration
