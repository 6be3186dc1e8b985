#pragma once
/// @file
/// The program dcube as a call: all its commands, with algorithms of one's own beside the catalogue's.
///
///     int main(int argc, char** argv)
///     {
///         dcube::add_algorithm(mine());
///         return dcube::run_program({argv, argv + argc});
///     }
///
/// is a dcube whose `run`, `compare`, `bench`, `view`, `explain` and `export` take that algorithm by its name. It links
/// dcube::program; demos/your-own-commands is a whole one.

#include <string>
#include <vector>

#pragma GCC visibility push(default)
namespace dcube {

/// @addtogroup algorithm
/// @{

/// Executes a command line, whose first word is the program's name, and returns the exit code: 0; 1 where a run or a
/// verification failed; 2 for input that cannot be used; 130 when interrupted. Errors are printed on standard error. To
/// be called once, before the process has other threads.
int run_program(std::vector<std::string> words);

/// @}

}  // namespace dcube
#pragma GCC visibility pop
