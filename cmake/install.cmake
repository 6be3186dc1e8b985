# cmake --install, and find_package(dcube) for users of the libraries: link dcube::dcube (or dcube::emu alone).
# find_package(dcube COMPONENTS mpi) adds dcube::mpi, and COMPONENTS program adds dcube::program: the commands, for a
# program of your own (include/dcube/program.hpp).
set(DCUBE_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/dcube)

list(TRANSFORM DCUBE_LIBRARIES PREPEND dcube_ OUTPUT_VARIABLE libraries)
install(TARGETS ${libraries} dcube_dcube EXPORT dcubeTargets FILE_SET HEADERS)
install(EXPORT dcubeTargets NAMESPACE dcube:: DESTINATION ${DCUBE_CMAKE_DIR})

if(DCUBE_WITH_MPI)
  install(TARGETS dcube_mpi EXPORT dcubeMpiTargets)
  install(EXPORT dcubeMpiTargets NAMESPACE dcube:: DESTINATION ${DCUBE_CMAKE_DIR})
endif()

configure_package_config_file(cmake/dcubeConfig.cmake.in dcubeConfig.cmake INSTALL_DESTINATION ${DCUBE_CMAKE_DIR})
write_basic_package_version_file(dcubeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/dcubeConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/dcubeConfigVersion.cmake
  DESTINATION ${DCUBE_CMAKE_DIR})

if(NOT DCUBE_PROGRAM)
  return()
endif()
install(TARGETS dcube_program dcube_tools_program)
install(TARGETS dcube_commands dcube_limits dcube_measure dcube_explain dcube_view dcube_export EXPORT dcubeProgramTargets)
install(EXPORT dcubeProgramTargets NAMESPACE dcube:: DESTINATION ${DCUBE_CMAKE_DIR})
if(DCUBE_WITH_MPI)
  install(TARGETS dcube_mpi_program)
endif()

# Completion and manual pages, where shells and man look for them.
install(FILES ${DCUBE_SHARE}/dcube.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME dcube)
install(FILES ${DCUBE_SHARE}/dcube.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _dcube)
install(FILES ${DCUBE_SHARE}/dcube.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(DIRECTORY ${DCUBE_SHARE}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})

# The module that dcube lab puts into its pages, where it was built.
install(FILES ${PROJECT_SOURCE_DIR}/build/wasm/wasm/dcube.wasm DESTINATION ${CMAKE_INSTALL_DATADIR}/dcube OPTIONAL)
