# cmake -D WHOLE=viewer.html -D DRAWN=drawn.html -D BENCH=bench.html -D SOURCE=built_page.cpp.in
# -D RESULT=built_page.cpp -P embed.cmake: the pages as strings in a source.
file(READ "${WHOLE}" whole)
file(READ "${DRAWN}" drawn)
file(READ "${BENCH}" bench)
configure_file("${SOURCE}" "${RESULT}" @ONLY)
