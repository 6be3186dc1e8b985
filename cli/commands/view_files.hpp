#pragma once
// The files that dcube view writes: pages and figures.

#include "cli/arguments.hpp"
#include "view/film/film.hpp"
#include "view/svg/frame.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace dcube::cli {

/// --html, --plain, --svg, and what a figure shows and how: --at to --no-legend
class ViewFiles {
public:
    explicit ViewFiles(CLI::App& app);
    ViewFiles(const ViewFiles&) = delete;
    ViewFiles& operator=(const ViewFiles&) = delete;

    [[nodiscard]] bool any() const { return html_ || svg_; }
    /// Throws InvalidArgument where options do not go together, or not with so many films.
    void validate(std::size_t films) const;
    /// Each is written completely or not at all, and its size is said on standard error. Throws InvalidArgument.
    void write(const std::vector<view::Film>& films) const;

private:
    void write_page(const std::vector<view::Film>& films) const;
    void write_figure(const view::Film& film) const;
    void read_moments(const std::string& text);
    void read_steps(const std::string& text);
    [[nodiscard]] bool asks_for_figure() const;
    [[nodiscard]] std::vector<view::Moment> moments_of(const view::Film& film) const;

    const CLI::App& app_;
    std::optional<std::string> html_;
    bool plain_ = false;
    std::optional<std::string> svg_;
    std::vector<std::variant<Step, Rational>> at_;  // steps, or ns
    std::optional<std::pair<Step, Step>> steps_;
    std::optional<std::uint64_t> width_mm_;
    std::optional<std::string> layout_;
    std::optional<std::uint64_t> origin_;
    bool no_legend_ = false;
};

}  // namespace dcube::cli
