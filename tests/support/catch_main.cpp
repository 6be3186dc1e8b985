// The main function of tests where Catch2 is used as a header only: that of version 2.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
