#pragma once
// Folders of files that appear under their name only when they are complete, and programs that make such files.

#include "cli/files/interrupt.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace dcube::cli {

/// A folder being filled. commit() gives it its name; until then it has a temporary one beside it, and is removed with
/// all its files when this is destroyed or the process is interrupted. Throws InvalidArgument that names the folder: it
/// is not there, or is empty, before.
class NewFolder {
public:
    explicit NewFolder(std::string path);
    /// One that never gets a name, for files that are needed for a while.
    NewFolder();
    ~NewFolder();
    NewFolder(const NewFolder&) = delete;
    NewFolder& operator=(const NewFolder&) = delete;

    /// The path of a file in it, until it is committed.
    [[nodiscard]] std::string file(std::string_view name) const;
    void write(std::string_view name, std::string_view text) const;
    void commit();

private:
    std::string path_;
    std::string temporary_;
};

/// What a program prints, whether it fails or not. Otherwise as run_program().
std::string output_of_program(std::vector<std::string> words, std::string_view package, const Interrupt& interrupt);

/// Runs a program that is looked for as shells do, without a shell, and waits for it. At an interruption it is asked to
/// end, and Interrupted is thrown. Throws InvalidArgument if it is not installed, which says in what Debian package it
/// is, or if it fails, with the first line that it wrote.
void run_program(std::vector<std::string> words, std::string_view package, const Interrupt& interrupt);

}  // namespace dcube::cli
