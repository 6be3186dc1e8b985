# Packages, made by cpack: on Linux Debian's, and an archive with a program that needs nothing.
# ./dcube package builds what is in them and calls cpack; docs/packaging.md is for those who package.
if(NOT PROJECT_IS_TOP_LEVEL OR DCUBE_WASM OR DCUBE_SANITIZE)
  return()
endif()
set(DCUBE_MAINTAINER "The dcube authors <authors@dcube.invalid>" CACHE STRING "Whom packages name as their maintainer")

if(NOT APPLE)
  set(hardened -Wl,-z,relro,-z,now)
endif()

include(packaging/cmake/portable.cmake)
if(TARGET dcube_python)
  set(DCUBE_PYTHON_DIR lib/python3/dist-packages)  # of Debian's interpreter, below the prefix of packages
  install(TARGETS dcube_python DESTINATION ${DCUBE_PYTHON_DIR}/dcube COMPONENT python EXCLUDE_FROM_ALL)
  install(DIRECTORY python/dcube DESTINATION ${DCUBE_PYTHON_DIR} COMPONENT python EXCLUDE_FROM_ALL
    FILES_MATCHING PATTERN *.py PATTERN *.pyi PATTERN py.typed PATTERN __pycache__ EXCLUDE)
  # The metadata that pip and importlib.metadata read, as in wheels.
  install(CODE "execute_process(COMMAND
    ${CMAKE_COMMAND} -E env \"PYTHONPATH=${PROJECT_SOURCE_DIR}/python/backend\" ${DCUBE_PYTHON_EXECUTABLE} -B -c
      \"import sys, dcube_backend; dcube_backend.prepare_metadata_for_build_wheel(sys.argv[1])\"
      \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${DCUBE_PYTHON_DIR}\"
    WORKING_DIRECTORY \"${PROJECT_SOURCE_DIR}\" COMMAND_ERROR_IS_FATAL ANY)" COMPONENT python EXCLUDE_FROM_ALL)
endif()

# The targets in packages: no tests, benchmarks or demos. Addresses of functions are resolved when a program starts and
# read-only afterwards, as Debian hardens programs.
add_custom_target(dcube_packaged DEPENDS dcube_static)
foreach(target IN ITEMS dcube_shared dcube_program dcube_static_program dcube_whole_program dcube_mpi
    dcube_mpi_program dcube_python)
  if(TARGET ${target})
    add_dependencies(dcube_packaged ${target})
    target_link_options(${target} PRIVATE ${hardened})
  endif()
endforeach()

if(APPLE)
  return()
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_ALL runtime development)
if(DCUBE_PROGRAM)
  list(APPEND CPACK_COMPONENTS_ALL program share site)
endif()
if(TARGET dcube_static_program)
  list(APPEND CPACK_GENERATOR TGZ)
endif()
if(TARGET dcube_mpi_program)
  list(APPEND CPACK_COMPONENTS_ALL mpi)
endif()
if(TARGET dcube_python)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()
set(CPACK_PACKAGE_CONTACT ${DCUBE_MAINTAINER})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # each package has its own
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_SOURCE_DIR}/build/packages)
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/packaging/cmake/package_format.cmake)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/packaging/cmake/package_files.cmake)
set(CPACK_DCUBE_SOURCE_DIR ${PROJECT_SOURCE_DIR})
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

# dcube_package(NAME SECTION SUMMARY DESCRIPTION COMPONENTS...): a Debian package of these components. Its relations are
# CPACK_DEBIAN_<NAME>_PACKAGE_DEPENDS and so on.
macro(dcube_package name section summary description)
  string(TOUPPER ${name} upper)
  set(CPACK_COMPONENT_GROUP_${upper}_DISPLAY_NAME ${name})
  foreach(component IN ITEMS ${ARGN})
    string(TOUPPER ${component} part)
    set(CPACK_COMPONENT_${part}_GROUP ${name})
  endforeach()
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name})
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section})
  set(CPACK_DEBIAN_${upper}_DESCRIPTION "${summary}\n${description}")
endmacro()

set(about "dcube emulates machines whose nodes are joined by the links of a hypercube,
torus, mesh or any other network. It runs collective operations on them step
by step, checks every byte, and compares the steps with proven lower bounds.

This package has")
dcube_package(dcube science "emulator of hypercube machines and their collectives"
  "${about} the program, its manual, and the documents." program share site)
dcube_package(libdcube0.9 libs "emulator of hypercube machines - shared library" "${about} the shared library." runtime)
dcube_package(libdcube-dev libdevel "emulator of hypercube machines - development files"
  "${about} the headers, the static libraries, and the files\nfor CMake and pkg-config." development)
dcube_package(dcube-mpi science "emulator of hypercube machines over several hosts"
  "${about} the program that spreads a machine over the\nprocesses of MPI. dcube starts it." mpi)
dcube_package(python3-dcube python "emulator of hypercube machines - Python module"
  "${about} the module for Python 3." python)

set(CPACK_DEBIAN_DCUBE_PACKAGE_SUGGESTS "dcube-mpi, python3-dcube")
# Which package a program needs that is linked with the library.
file(WRITE ${PROJECT_BINARY_DIR}/packaging/shlibs "libdcube 0.9 libdcube0.9 (>= ${PROJECT_VERSION})\n")
set(CPACK_DEBIAN_LIBDCUBE0.9_PACKAGE_CONTROL_EXTRA
  ${PROJECT_BINARY_DIR}/packaging/shlibs ${PROJECT_SOURCE_DIR}/packaging/libdcube0.9/triggers)
set(CPACK_DEBIAN_LIBDCUBE-DEV_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_LIBDCUBE-DEV_PACKAGE_DEPENDS "libdcube0.9 (= ${PROJECT_VERSION}), libtbb-dev, libhwloc-dev, libfmt-dev, \
libxxhash-dev, pkg-config")
set(CPACK_DEBIAN_LIBDCUBE-DEV_PACKAGE_SUGGESTS "dcube, zlib1g-dev, libopenmpi-dev")
set(launcher openmpi-bin)
if(MPI_EXECUTABLE_SUFFIX STREQUAL ".mpich")
  set(launcher mpich)
endif()
set(CPACK_DEBIAN_DCUBE-MPI_PACKAGE_DEPENDS "dcube (= ${PROJECT_VERSION}), ${launcher}")
set(CPACK_DEBIAN_PYTHON3-DCUBE_PACKAGE_DEPENDS "${DCUBE_PYTHON_DEPENDS}, python3:any")
set(CPACK_DEBIAN_PYTHON3-DCUBE_PACKAGE_SUGGESTS "python3-pandas, python3-networkx")
set(CPACK_DEBIAN_PYTHON3-DCUBE_PACKAGE_CONTROL_EXTRA
  ${PROJECT_SOURCE_DIR}/packaging/python3-dcube/postinst ${PROJECT_SOURCE_DIR}/packaging/python3-dcube/prerm)

set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(CPACK_ARCHIVE_FILE_NAME dcube-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR})
include(CPack)
