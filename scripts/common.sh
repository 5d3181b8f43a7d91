# Shared by the scripts in this folder: installing by package name and building by preset.
# shellcheck shell=bash
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# What it takes to build and run Peal.
build_packages=(
  g++ cmake ninja-build pkg-config
  libeigen3-dev libembree-dev libtbb-dev libfmt-dev nlohmann-json3-dev libcli11-dev
  libsndfile1-dev libsamplerate0-dev libkissfft-dev libcairo2-dev libmysofa-dev fonts-dejavu-core
  libmetis-dev libbullet-dev zlib1g-dev tetgen
)
# What the tests need on top.
test_packages=(libgtest-dev libgmock-dev clang clang-format clang-tidy python3 python3-jsonschema python3-numpy)
# What the tests of the explorer's page need; the rest of the suite does without.
page_packages=(chromium)
# What the benchmarks need on top.
bench_packages=(libtinyobjloader-dev)

is_installed() {
  [ "$(dpkg-query -W -f='${Status}' "$1" 2>/dev/null)" = "install ok installed" ]
}

# install PACKAGE...: installs those that are missing; asks the network for nothing otherwise.
install() {
  local missing=() as_root=()
  for package in "$@"; do
    is_installed "$package" || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || {
      echo "Peal needs these packages: ${missing[*]}" >&2
      echo "Install them as root, or install sudo and run this again." >&2
      exit 1
    }
    as_root=(sudo)
  fi
  echo "Installing: ${missing[*]}" >&2
  "${as_root[@]}" apt-get update -q >&2
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -q --no-install-recommends "${missing[@]}" >&2
}

# configure PRESET [OPTION...]: makes the build folder, or changes options that differ from it.
configure() {
  local preset=$1 cache="build/$1/CMakeCache.txt" option
  shift
  if [ -f "build/$preset/build.ninja" ]; then
    for option in "$@"; do
      grep -q "^${option%%=*}:[A-Z]*=${option#*=}$" "$cache" || break
      option=
    done
    [ -n "${option-}" ] || return 0
  fi
  cmake --preset "$preset" "${@/#/-D}" >&2
}

# build PRESET [TARGET...]: as many files at a time as there are cores. Two more, which is the default,
# take a fifth longer on two cores: they drive each other out of the caches.
build() {
  local preset=$1
  shift
  cmake --build --preset "$preset" --parallel "$(nproc)" ${1+--target "$@"} >&2
}
