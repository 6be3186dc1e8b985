# cmake --install, and find_package(dcube) for those who use the libraries: link dcube::dcube (or dcube::emu alone).
set(DCUBE_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/dcube)

install(TARGETS dcube_program)
list(TRANSFORM DCUBE_LIBRARIES PREPEND dcube_ OUTPUT_VARIABLE libraries)
install(TARGETS ${libraries} dcube_dcube EXPORT dcubeTargets FILE_SET HEADERS)
install(EXPORT dcubeTargets NAMESPACE dcube:: DESTINATION ${DCUBE_CMAKE_DIR})

configure_package_config_file(cmake/dcubeConfig.cmake.in dcubeConfig.cmake INSTALL_DESTINATION ${DCUBE_CMAKE_DIR})
write_basic_package_version_file(dcubeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/dcubeConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/dcubeConfigVersion.cmake
  DESTINATION ${DCUBE_CMAKE_DIR})
