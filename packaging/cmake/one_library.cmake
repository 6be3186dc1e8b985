# dcube_export(TARGET MAP): a shared object shows only the symbols of this version script. Apple's linker wants them as a
# list, in which a C symbol begins with an underscore.
function(dcube_export target map)
  if(NOT APPLE)
    target_link_options(${target} PRIVATE -Wl,--version-script=${map})
    return()
  endif()
  file(STRINGS ${map} lines)
  list(TRANSFORM lines REPLACE "#.*" "")
  string(REGEX REPLACE ".*global:(.*)local:.*" "\\1" shown "${lines}")
  string(REGEX MATCHALL "[A-Za-z_][A-Za-z0-9_*]*" symbols "${shown}")
  list(TRANSFORM symbols PREPEND _)
  list(JOIN symbols "\n" text)
  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/${target}.exports "${text}\n")
  target_link_options(${target} PRIVATE -Wl,-exported_symbols_list,${CMAKE_CURRENT_BINARY_DIR}/${target}.exports)
endfunction()

# The installed libraries: the objects of all libraries as one, libdcube.a (dcube::static) and libdcube.so.0.9
# (dcube::shared), with the public headers. Inside the build, programs link the libraries themselves.
list(TRANSFORM DCUBE_LIBRARIES REPLACE "(.+)" "$<TARGET_OBJECTS:dcube_\\1>" OUTPUT_VARIABLE objects)
add_library(dcube_static STATIC ${objects})
set(DCUBE_WHOLE dcube_static)
# A module for pages has no shared libraries, and the sanitizers' runtime belongs to programs.
if(NOT DCUBE_WASM AND NOT DCUBE_SANITIZE)
  add_library(dcube_shared SHARED ${objects})
  list(APPEND DCUBE_WHOLE dcube_shared)
endif()

foreach(library IN LISTS DCUBE_WHOLE)
  string(REPLACE dcube_ "" name ${library})
  add_library(dcube::${name} ALIAS ${library})
  set_target_properties(${library} PROPERTIES EXPORT_NAME ${name} OUTPUT_NAME dcube LINKER_LANGUAGE CXX)
  target_compile_features(${library} PUBLIC cxx_std_20)
  target_include_directories(${library} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${library} PRIVATE ${DCUBE_THREAD_LIBRARIES} PkgConfig::xxhash fmt::fmt)
endforeach()

# All public headers in one set: installed together, and each compiled alone by all_verify_interface_header_sets.
file(GLOB DCUBE_HEADERS CONFIGURE_DEPENDS include/dcube/*.hpp)
target_sources(dcube_static PUBLIC FILE_SET HEADERS BASE_DIRS include FILES ${DCUBE_HEADERS})

if(TARGET dcube_shared)
  set_target_properties(dcube_shared PROPERTIES
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
    LINK_DEPENDS ${PROJECT_SOURCE_DIR}/packaging/cmake/exports.map)
  dcube_export(dcube_shared ${PROJECT_SOURCE_DIR}/packaging/cmake/exports.map)
  if(NOT APPLE)  # whose linker refuses undefined symbols by itself
    target_link_options(dcube_shared PRIVATE -Wl,--no-undefined)
  endif()
endif()
