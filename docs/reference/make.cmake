# Makes the reference of the public headers, as HTML. Anything that Doxygen complains of is an error.
# cmake -D VERSION=1.2.3 -D OUTPUT=DIR [-D HEADERS=DIR] [-D PAGES=DIR] [-D XML=ON] -P make.cmake
# HEADERS, PAGES: those of dcube, or others for a test. XML: the same as data, too, with all that has no comment.
cmake_minimum_required(VERSION 3.25)
cmake_path(ABSOLUTE_PATH CMAKE_CURRENT_LIST_DIR NORMALIZE OUTPUT_VARIABLE PAGES_OF_DCUBE)
cmake_path(SET ROOT NORMALIZE ${CMAKE_CURRENT_LIST_DIR}/../..)
cmake_path(GET ROOT PARENT_PATH ROOT)
if(NOT HEADERS)
  set(HEADERS ${ROOT}/include/dcube)
endif()
if(NOT PAGES)
  set(PAGES ${PAGES_OF_DCUBE})
endif()
if(XML)
  set(HIDE NO)
else()
  set(XML NO)
  set(HIDE YES)
endif()
# On the pages, what a reader looks for first stands first; the other headers by name.
set(INPUT "")
foreach(name IN ITEMS machine node task counts error run problem layout report schedule catalogue judge bounds topology graph)
  if(EXISTS ${HEADERS}/${name}.hpp)
    string(APPEND INPUT "\"${HEADERS}/${name}.hpp\" ")
  endif()
endforeach()
string(APPEND INPUT "\"${HEADERS}\" \"${PAGES}\"")

find_program(DOXYGEN doxygen)
if(NOT DOXYGEN)
  message(FATAL_ERROR "the reference is made by doxygen, which is not installed")
endif()
file(REMOVE_RECURSE ${OUTPUT})
file(MAKE_DIRECTORY ${OUTPUT})

# Colours are those of all pages, the bar and its button for light and dark those of the documents.
file(READ ${ROOT}/web/page/src/style.css colours)
string(REGEX MATCH ":root {([^}]*)}" light "${colours}")
set(light "${CMAKE_MATCH_1}")
string(REGEX MATCH ":root\\[data-theme=\"dark\"\\] {([^}]*)}" dark "${colours}")
set(dark "${CMAKE_MATCH_1}")
file(READ ${ROOT}/web/site/bar.css bar)
file(READ ${CMAKE_CURRENT_LIST_DIR}/reference.css rules)
set(STYLE ${OUTPUT}/made/reference.css)
file(WRITE ${STYLE} ":root {${light}}\n:root[data-theme=\"dark\"] {${dark}}\n\
@media screen and (prefers-color-scheme: dark) { :root:not([data-theme]) {${dark}} }\n${bar}${rules}")

file(READ ${ROOT}/web/site/theme.js script)
file(READ ${CMAKE_CURRENT_LIST_DIR}/reference.js rest)
file(WRITE ${OUTPUT}/made/reference.js "${script}${rest}")

configure_file(${CMAKE_CURRENT_LIST_DIR}/Doxyfile.in ${OUTPUT}/made/Doxyfile @ONLY)
execute_process(COMMAND ${DOXYGEN} ${OUTPUT}/made/Doxyfile
  RESULT_VARIABLE result OUTPUT_VARIABLE said ERROR_VARIABLE complaints)
if(result OR said OR complaints)
  message(FATAL_ERROR "doxygen: ${result}\n${said}${complaints}")
endif()

# Of what else Doxygen writes, pages without links to them, and pictures and scripts that these pages do without.
file(GLOB others ${OUTPUT}/*.png ${OUTPUT}/*.svg ${OUTPUT}/*-members.html ${OUTPUT}/functions*.html ${OUTPUT}/globals*.html
  ${OUTPUT}/namespacemembers*.html ${OUTPUT}/search/*.html ${OUTPUT}/search/*.svg ${OUTPUT}/search/*.png)
foreach(name IN ITEMS classes.html concepts.html dynsections.js hierarchy.html jquery.js made modules.html namespaces.html
    search/search.css search/search.js tabs.css)
  list(APPEND others ${OUTPUT}/${name})
endforeach()
file(REMOVE_RECURSE ${others})

# Left out of the pages: links to sections that are left out, and what belongs to Doxygen's own search.
file(GLOB pages ${OUTPUT}/*.html)
execute_process(COMMAND sed -i -e "/<div class=\"summary\">/,/<\\/div>/d" -e "/<script type=/,/<\\/script>/d"
  -e "/<!-- window showing/,/^<\\/div>/d" -e "/<!-- iframe showing/,/^<\\/div>/d" ${pages} COMMAND_ERROR_IS_FATAL ANY)

# The list of names, for the site's search, says where files were on this machine.
execute_process(COMMAND sed -i "/<path>/d" ${OUTPUT}/dcube.tag COMMAND_ERROR_IS_FATAL ANY)
