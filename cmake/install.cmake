# cmake --install, and find_package(dcube) for those who use the libraries: link dcube::dcube (or dcube::emu alone). With
# find_package(dcube COMPONENTS mpi) there is dcube::mpi.
set(DCUBE_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/dcube)

install(TARGETS dcube_program)
list(TRANSFORM DCUBE_LIBRARIES PREPEND dcube_ OUTPUT_VARIABLE libraries)
install(TARGETS ${libraries} dcube_dcube EXPORT dcubeTargets FILE_SET HEADERS)
install(EXPORT dcubeTargets NAMESPACE dcube:: DESTINATION ${DCUBE_CMAKE_DIR})

if(DCUBE_WITH_MPI)
  install(TARGETS dcube_mpi_program)
  install(TARGETS dcube_mpi EXPORT dcubeMpiTargets)
  install(EXPORT dcubeMpiTargets NAMESPACE dcube:: DESTINATION ${DCUBE_CMAKE_DIR})
endif()

configure_package_config_file(cmake/dcubeConfig.cmake.in dcubeConfig.cmake INSTALL_DESTINATION ${DCUBE_CMAKE_DIR})
write_basic_package_version_file(dcubeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/dcubeConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/dcubeConfigVersion.cmake
  DESTINATION ${DCUBE_CMAKE_DIR})

# Completion and manual pages, where shells and man look for them.
set(share ${CMAKE_CURRENT_BINARY_DIR}/share)
add_custom_command(OUTPUT ${share}/dcube.bash ${share}/dcube.zsh ${share}/dcube.fish ${share}/man1/dcube.1
  COMMAND ${CMAKE_COMMAND} -D PROGRAM=$<TARGET_FILE:dcube_program> -D FOLDER=${share}
    -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/share.cmake
  DEPENDS dcube_program cmake/share.cmake VERBATIM)
if(NOT DCUBE_ONE_THREAD)  # else the program is not built with all
  set(with_all ALL)
endif()
add_custom_target(dcube_share ${with_all} DEPENDS ${share}/dcube.bash)
install(FILES ${share}/dcube.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME dcube)
install(FILES ${share}/dcube.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _dcube)
install(FILES ${share}/dcube.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(DIRECTORY ${share}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
