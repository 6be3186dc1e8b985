#pragma once
// The program dcube, run as a user runs it.

#include "tests/support/files.hpp"

#include <string>
#include <utility>
#include <vector>

namespace dcube::test {

/// The result of a finished process.
struct Outcome {
    int exit_code = -1;  ///< 128 + the signal where one ended it
    std::string out;
    std::string err;
};

using Variables = std::vector<std::pair<std::string, std::string>>;

/// Options for starting a process, beside its arguments.
struct Start {
    std::string input{};     ///< on its standard input
    Variables variables{};   ///< set in its environment in place of what is inherited; NO_COLOR, CLICOLOR_FORCE,
                             ///< COLUMNS and TERM are unset otherwise, and there is no cache
    std::string out_file{};  ///< where its standard output goes instead, if not empty
    /// The program that is run: another one, found on the PATH, perhaps with its first arguments.
    std::vector<std::string> program{DCUBE_PROGRAM};
};

/// Runs the program with these arguments to its end.
Outcome dcube_program(const std::vector<std::string>& arguments, const Start& start = {});

/// The same with the words of a line, which have no spaces in them: "run scatter --dim 3". '' is an empty word.
Outcome dcube_line(const std::string& line, const Start& start = {});

/// The program while it runs.
class Running {
public:
    explicit Running(const std::vector<std::string>& arguments, const Start& start = {});
    ~Running();
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

    void send(int signal) const;
    [[nodiscard]] bool alive() const;
    Outcome finish();

private:
    int process_ = -1;
    int out_ = -1;
    int err_ = -1;
};

}  // namespace dcube::test
