# Flags shared by every target of Peal: warnings are errors, the same everywhere.
add_library(peal_flags INTERFACE)
target_compile_options(peal_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wno-missing-field-initializers -Wnon-virtual-dtor
  -Woverloaded-virtual -Werror)

# Vectors wider than the processor's are passed in another way by other compilers: we pass them only
# within a file.
target_compile_options(peal_flags INTERFACE -Wno-psabi)

# False alarms of GCC 12: -Wrestrict on string concatenation (GCC bug 105651), -Wmaybe-uninitialized
# inside Eigen's AVX-512 packets (bug 105593), -Waggressive-loop-optimizations inside its products with AVX2.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(peal_flags INTERFACE
    -Wno-restrict -Wno-maybe-uninitialized -Wno-aggressive-loop-optimizations)
  # What the optimiser warns of depends on the processor that it compiles for: it is told, but a processor that
  # nobody has tried must not stop a user's build.
  foreach(warning IN ITEMS array-bounds stringop-overflow stringop-overread uninitialized free-nonheap-object nonnull)
    target_compile_options(peal_flags INTERFACE -Wno-error=${warning})
  endforeach()
  # Takes whatever is included for a header: also the files that PEAL_UNITY joins.
  if(PEAL_UNITY)
    target_compile_options(peal_flags INTERFACE -Wno-subobject-linkage)
    # Joined files fill more of the compiler's memory; collecting its garbage takes a tenth of the time.
    # Up to 1 GB is left alone (in kB).
    target_compile_options(peal_flags INTERFACE
      "SHELL:--param ggc-min-expand=100" "SHELL:--param ggc-min-heapsize=1000000")
  endif()
endif()

if(PEAL_NATIVE)
  target_compile_options(peal_flags INTERFACE -march=native)
endif()

# Fused multiply-add is used only where the code asks for it, so that debug and release agree
# and a value does not depend on what the optimiser inlined.
target_compile_options(peal_flags INTERFACE -ffp-contract=off)

# What the checks left out would find, the address sanitizer finds where it does harm; they are asked at
# every access and take two fifths of the compile time.
add_library(peal_sanitizers INTERFACE)
target_compile_options(peal_sanitizers INTERFACE
  -fsanitize=address,undefined
  -fno-sanitize=alignment,null,object-size,pointer-overflow,vptr
  -fno-sanitize-recover=all -fno-omit-frame-pointer)
target_link_options(peal_sanitizers INTERFACE -fsanitize=address,undefined)
if(PEAL_SANITIZE)
  target_link_libraries(peal_flags INTERFACE peal_sanitizers)
endif()
