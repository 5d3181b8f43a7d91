# The wave solver's kernels for graphics processors. Clang makes PTX of them, without CUDA's toolkit; it becomes part of
# the program, and NVIDIA's driver, if there is one, compiles it for its device (docs/decisions).
set(PEAL_CUDA AUTO CACHE STRING "Build the device code of the wave solver: AUTO (if clang can), ON or OFF")
set_property(CACHE PEAL_CUDA PROPERTY STRINGS AUTO ON OFF)

set(PEAL_DEVICE_FLAGS -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_70 -Wno-unknown-cuda-version
  -std=c++20 -O3 -ffp-contract=off -fgpu-flush-denormals-to-zero -Wall -Wextra -Werror)

# Sets `found` to a clang++ that makes device code, or to nothing.
function(peal_find_device_compiler found)
  set(${found} "" PARENT_SCOPE)
  find_program(PEAL_DEVICE_COMPILER NAMES clang++ clang++-19 clang++-18 clang++-17 clang++-16 clang++-15 clang++-14)
  if(NOT PEAL_DEVICE_COMPILER)
    return()
  endif()
  set(trial ${CMAKE_CURRENT_BINARY_DIR}/device_trial.cu)
  file(WRITE ${trial} "extern \"C\" __attribute__((global)) void trial(float* x) { *x = 1; }\n")
  execute_process(COMMAND ${PEAL_DEVICE_COMPILER} ${PEAL_DEVICE_FLAGS} -S -o ${trial}.ptx ${trial}
    RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
  if(NOT failed)
    set(${found} ${PEAL_DEVICE_COMPILER} PARENT_SCOPE)
  endif()
endfunction()

# peal_add_device_code(TARGET SOURCE): adds the PTX of a source as peal::wave::device::device_code; an empty text without it.
function(peal_add_device_code target source)
  set(compiler "")
  if(NOT PEAL_CUDA STREQUAL "OFF")
    peal_find_device_compiler(compiler)
    if(NOT compiler AND PEAL_CUDA STREQUAL "ON")
      message(FATAL_ERROR "PEAL_CUDA is ON, but no clang++ makes code for NVIDIA's processors: install clang")
    elseif(NOT compiler)
      message(STATUS "No clang++ makes code for graphics processors: Peal is built without it, and computes on the CPU")
    endif()
  endif()
  cmake_path(ABSOLUTE_PATH source)
  set(ptx ${CMAKE_CURRENT_BINARY_DIR}/device_code.ptx)
  set(text ${CMAKE_CURRENT_BINARY_DIR}/device_code.cpp)
  if(compiler)
    add_custom_command(OUTPUT ${ptx} DEPENDS ${source} DEPFILE ${ptx}.d
      COMMAND ${compiler} ${PEAL_DEVICE_FLAGS} -I${PROJECT_SOURCE_DIR}/src -S -MD -MF ${ptx}.d -MT ${ptx} -o ${ptx} ${source}
      COMMENT "Compiling the kernels of the wave solver for graphics processors" VERBATIM)
  else()
    file(WRITE ${ptx} "")
  endif()
  add_custom_command(OUTPUT ${text} DEPENDS ${ptx} ${PROJECT_SOURCE_DIR}/cmake/embed_device_code.cmake
    COMMAND ${CMAKE_COMMAND} -DFROM=${ptx} -DTO=${text} -P ${PROJECT_SOURCE_DIR}/cmake/embed_device_code.cmake VERBATIM)
  target_sources(${target} PRIVATE ${text})
  set_source_files_properties(${text} TARGET_DIRECTORY ${target} PROPERTIES
    SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON COMPILE_OPTIONS -O0)
endfunction()
