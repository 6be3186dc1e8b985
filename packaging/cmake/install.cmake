# cmake --install, and find_package(dcube) for users of the library: link dcube::dcube.
# find_package(dcube COMPONENTS mpi) adds dcube::mpi, and COMPONENTS program adds dcube::program: the commands, for a
# program of your own (include/dcube/program.hpp). The components here are those of packages (packaging/cmake/package.cmake).
set(DCUBE_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/dcube)
set(DCUBE_DOC_DIR ${CMAKE_INSTALL_DATADIR}/doc/dcube)

install(TARGETS ${DCUBE_WHOLE} EXPORT dcubeTargets
  ARCHIVE COMPONENT development
  LIBRARY COMPONENT runtime NAMELINK_COMPONENT development
  FILE_SET HEADERS COMPONENT development)
install(EXPORT dcubeTargets NAMESPACE dcube:: DESTINATION ${DCUBE_CMAKE_DIR} COMPONENT development)

if(DCUBE_WITH_MPI)
  install(TARGETS dcube_mpi EXPORT dcubeMpiTargets COMPONENT development)
  install(EXPORT dcubeMpiTargets NAMESPACE dcube:: DESTINATION ${DCUBE_CMAKE_DIR} COMPONENT development)
endif()

configure_package_config_file(packaging/cmake/dcubeConfig.cmake.in dcubeConfig.cmake INSTALL_DESTINATION ${DCUBE_CMAKE_DIR})
write_basic_package_version_file(dcubeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/dcubeConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/dcubeConfigVersion.cmake
  DESTINATION ${DCUBE_CMAKE_DIR} COMPONENT development)

# The prefix as seen from the file, so that an installation can be moved.
file(RELATIVE_PATH DCUBE_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" DCUBE_PC_PREFIX ${DCUBE_PC_PREFIX})
set(DCUBE_PC_PRIVATE "-lxxhash -lfmt")
if(DCUBE_TBB)
  string(PREPEND DCUBE_PC_PRIVATE "-ltbb -lhwloc ")
elseif(DCUBE_THREADS)
  string(PREPEND DCUBE_PC_PRIVATE "-pthread ")
endif()
configure_file(packaging/cmake/dcube.pc.in dcube.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/dcube.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

set(share share)
if(NOT DCUBE_PROGRAM)
  set(share development)
endif()
install(FILES LICENSE README.md DESTINATION ${DCUBE_DOC_DIR} COMPONENT ${share})
install(FILES CHANGELOG.md SECURITY.md CITATION.cff DESTINATION ${DCUBE_DOC_DIR} COMPONENT ${share} OPTIONAL)
install(DIRECTORY docs DESTINATION ${DCUBE_DOC_DIR} COMPONENT ${share}
  FILES_MATCHING PATTERN *.md PATTERN *.png PATTERN *.svg
  PATTERN reference EXCLUDE)
install(DIRECTORY demos/ DESTINATION ${DCUBE_DOC_DIR}/examples COMPONENT ${share}
  FILES_MATCHING PATTERN main.cpp PATTERN expected.txt)
install(FILES tests/consumer/ten_lines.cpp DESTINATION ${DCUBE_DOC_DIR}/examples COMPONENT ${share})
# The site, where ./dcube docs has built it. In a build in build/ itself that folder is CMake's.
if(NOT PROJECT_BINARY_DIR STREQUAL "${PROJECT_SOURCE_DIR}/build")
  install(DIRECTORY build/docs/ DESTINATION ${DCUBE_DOC_DIR}/html COMPONENT site OPTIONAL)
endif()

if(NOT DCUBE_PROGRAM)
  return()
endif()
install(TARGETS dcube_program COMPONENT program)
install(TARGETS dcube_whole_program EXPORT dcubeProgramTargets COMPONENT development)
install(EXPORT dcubeProgramTargets NAMESPACE dcube:: DESTINATION ${DCUBE_CMAKE_DIR} COMPONENT development)
if(DCUBE_WITH_MPI)
  install(TARGETS dcube_mpi_program COMPONENT mpi)
endif()

# Completion and manual pages, where shells and man look for them. A program for another system has not written them.
if(NOT CMAKE_CROSSCOMPILING)
  install(FILES ${DCUBE_SHARE}/dcube.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME dcube
    COMPONENT share)
  install(FILES ${DCUBE_SHARE}/dcube.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _dcube
    COMPONENT share)
  install(FILES ${DCUBE_SHARE}/dcube.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT share)
  install(DIRECTORY ${DCUBE_SHARE}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT share)
endif()

# The module that dcube lab puts into its pages, where it was built.
install(FILES ${PROJECT_SOURCE_DIR}/build/wasm/web/wasm/dcube.wasm DESTINATION ${CMAKE_INSTALL_DATADIR}/dcube
  COMPONENT share OPTIONAL)
