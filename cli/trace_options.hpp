#pragma once
// Options of commands that read a trace: its file, and the options that describe it if its first line does not.

#include "cli/problem_options.hpp"
#include "cli/requests.hpp"
#include "cli/shared_options.hpp"
#include "cli/text/verdict_text.hpp"

#include <dcube/judge.hpp>

#include <functional>
#include <istream>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace dcube::cli {

/// Calls `read` with a trace's file ("-": standard input), once the first of the ranks has read it for all. Throws what
/// `read` throws, where errors of a line name the file; InvalidArgument if it cannot be read.
void with_trace(const std::string& file, World& world, const std::function<void(std::istream&)>& read);

/// FILE, COLLECTIVE, and the options of the network, the problem and the links.
class TraceOptions {
public:
    /// Whether options may choose other links than those of the first line.
    enum class Links : std::uint8_t { as_traced, as_wished };
    /// How the file is given: FILE, or as the value of --trace.
    enum class Given : std::uint8_t { first, by_option };

    TraceOptions(CLI::App& app, ProblemOptions::Reductions reductions, Links links, Given given = Given::first);
    TraceOptions(const TraceOptions&) = delete;
    TraceOptions& operator=(const TraceOptions&) = delete;

    /// Reads and judges the file by its first line, or without one by the options. A rejection is printed too where
    /// the format is JSON. Throws TraceError, and InvalidArgument: no file, or one that cannot be read; options that
    /// are missing, or contradict the first line.
    [[nodiscard]] JudgedTrace judged(JudgeOptions how, Format format) const;

    /// Calls `judge` with the file and with how to judge it by its first line, or without one by the options. Throws
    /// InvalidArgument as judged() does, and what `judge` throws.
    void read(JudgeOptions how, const std::function<void(std::istream&, const JudgeOptions&)>& judge) const;

    /// The ranks of the world, all of which call this and then read: the first reads the file for all.
    void spread_over(std::shared_ptr<World> world) { world_ = std::move(world); }

    /// The text before "line 8" in messages: "t.jsonl: ", or nothing for standard input.
    [[nodiscard]] std::string before_lines() const { return *file_.name == "-" ? "" : *file_.name + ": "; }
    [[nodiscard]] bool has_file() const { return file_.name.has_value(); }
    [[nodiscard]] const NetworkOptions& network() const { return network_; }
    [[nodiscard]] const ProblemOptions& problem() const { return problem_; }
    [[nodiscard]] const LinkOptions& links() const { return links_; }

private:
    [[nodiscard]] TraceQuestion question() const;
    [[nodiscard]] TraceQuestion question(const TraceQuestion& header) const;

    /// Stands before the collective.
    struct File {
        File(CLI::App& app, Given given);
        std::optional<std::string> name;
    };

    const CLI::App& app_;
    File file_;
    NetworkOptions network_;
    ProblemOptions problem_;
    LinkOptions links_;
    Links which_links_;
    Given given_;
    std::shared_ptr<World> world_ = world_alone();
};

}  // namespace dcube::cli
