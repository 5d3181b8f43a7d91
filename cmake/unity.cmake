# With PEAL_UNITY, the files of a module are compiled several at a time: most of a file's compile time goes
# into headers that its neighbours include too. Twenty at most, so that two cores stay busy to the end.
set(PEAL_UNITY_FILES 20)

# peal_join_files(TARGET): after the last of its sources. A module is a folder below src/peal, tests or apps with all
# of its sub-folders. Files of different modules, or with options of their own, are not joined.
function(peal_join_files target)
  if(NOT PEAL_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(files ${target} SOURCES)
  foreach(file IN LISTS files)
    cmake_path(ABSOLUTE_PATH file NORMALIZE)
    get_source_file_property(options ${file} TARGET_DIRECTORY ${target} COMPILE_OPTIONS)
    if(options)
      set_source_files_properties(${file} TARGET_DIRECTORY ${target} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
      continue()
    endif()
    string(REGEX REPLACE "^${PROJECT_SOURCE_DIR}/(src/peal|tests|apps)/([^/]+)/.*" "\\2" module ${file})
    list(APPEND modules ${module})
    list(APPEND files_of_${module} ${file})
  endforeach()
  list(REMOVE_DUPLICATES modules)
  foreach(module IN LISTS modules)
    # Units of nearly equal size.
    list(LENGTH files_of_${module} count)
    math(EXPR units "(${count} + ${PEAL_UNITY_FILES} - 1) / ${PEAL_UNITY_FILES}")
    set(index 0)
    foreach(file IN LISTS files_of_${module})
      math(EXPR unit "${index} * ${units} / ${count}")
      set_source_files_properties(${file} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP ${module}_${unit})
      math(EXPR index "${index} + 1")
    endforeach()
  endforeach()
endfunction()

# peal_read_headers_once(TARGET HEADER...): with PEAL_UNITY, what nearly all of its units read is read once.
# Targets that are compiled alike name the same FROM, the first of them. GCC 12 optimises a unit as these headers
# were, whatever the -O of the unit itself: files that need another are a target of their own.
function(peal_read_headers_once target)
  cmake_parse_arguments(read "" FROM "" ${ARGN})
  if(NOT PEAL_UNITY)
    return()
  elseif(TARGET "${read_FROM}" AND NOT target STREQUAL read_FROM)
    target_precompile_headers(${target} REUSE_FROM ${read_FROM})
  else()
    target_precompile_headers(${target} PRIVATE ${read_UNPARSED_ARGUMENTS})
  endif()
  # ccache caches files that use precompiled headers only if the preprocessor names these.
  if(CCACHE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -fpch-preprocess)
  endif()
endfunction()
