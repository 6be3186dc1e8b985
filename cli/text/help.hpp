#pragma once
// How help is laid out: usage, options under their headings, as wide as the terminal. Lines that begin with a space are
// examples, which stay as they are.

#include <CLI/CLI.hpp>

#include <string>

namespace dcube::cli {

class HelpFormatter : public CLI::Formatter {
public:
    /// `usage` is what follows "dcube".
    explicit HelpFormatter(std::string usage);

    [[nodiscard]] const std::string& usage() const { return usage_; }

    std::string make_description(const CLI::App* app) const override;
    std::string make_usage(const CLI::App* app, std::string name) const override;
    std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
    std::string make_option(const CLI::Option* option, bool positional) const override;
    std::string make_subcommand(const CLI::App* command) const override;
    std::string make_footer(const CLI::App* app) const override;

private:
    std::string usage_;
};

}  // namespace dcube::cli
