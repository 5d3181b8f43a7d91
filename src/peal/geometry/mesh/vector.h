#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace peal::geometry {

using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;
using Quat = Eigen::Quaterniond;
using Affine = Eigen::Affine3d;
using Box = Eigen::AlignedBox3d;

}  // namespace peal::geometry
