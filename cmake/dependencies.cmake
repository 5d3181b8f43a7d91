# Every library that Peal links, by its Debian package. None is GPL or AGPL (docs/decisions).
find_package(PkgConfig REQUIRED)

find_package(Eigen3 3.4 REQUIRED NO_MODULE)                                   # libeigen3-dev
find_package(embree 3 REQUIRED)                                               # libembree-dev
find_package(TBB REQUIRED)                                                    # libtbb-dev
find_package(fmt REQUIRED)                                                    # libfmt-dev
find_package(nlohmann_json 3 REQUIRED)                                        # nlohmann-json3-dev
find_package(CLI11 REQUIRED)                                                  # libcli11-dev
pkg_check_modules(sndfile REQUIRED IMPORTED_TARGET sndfile)                   # libsndfile1-dev
pkg_check_modules(samplerate REQUIRED IMPORTED_TARGET samplerate)             # libsamplerate0-dev
pkg_check_modules(kissfft REQUIRED IMPORTED_TARGET kissfft-float)             # libkissfft-dev
pkg_check_modules(cairo REQUIRED IMPORTED_TARGET cairo)                       # libcairo2-dev
find_package(ZLIB REQUIRED)                                                   # zlib1g-dev
find_library(METIS metis REQUIRED)                                            # libmetis-dev
pkg_check_modules(mysofa REQUIRED IMPORTED_TARGET libmysofa)                  # libmysofa-dev
find_file(default_head default.sofa PATHS /usr/share/libmysofa REQUIRED)      # libmysofa1, which comes with it
pkg_check_modules(bullet REQUIRED bullet-float64)                             # libbullet-dev

# Third-party headers must not trip our warnings.
foreach(package IN ITEMS sndfile samplerate kissfft cairo mysofa)
  get_target_property(directories PkgConfig::${package} INTERFACE_INCLUDE_DIRECTORIES)
  if(directories)
    set_target_properties(PkgConfig::${package} PROPERTIES
      INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${directories}")
  endif()
endforeach()

# Bullet is known to a few files alone, by their own options; of it nothing soft is used.
list(TRANSFORM bullet_CFLAGS REPLACE "^-I" "-isystem")
list(FILTER bullet_LINK_LIBRARIES EXCLUDE REGEX "BulletSoftBody")
