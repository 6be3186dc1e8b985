#include "cli/text/frames.hpp"

#include "cli/text/describe.hpp"
#include "cli/text/frame_table.hpp"
#include "cli/text/numbers.hpp"
#include "view/words/sentences.hpp"
#include "view/words/titles.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace dcube::cli {

namespace {

// Three texts in a line, or where they do not fit the first above the others.
std::string spread(const std::string& left, const std::string& middle, const std::string& right, std::size_t width,
                   Colour colour)
{
    constexpr std::size_t least_room = 4;
    const std::size_t rest = middle.size() + right.size();
    if (left.size() + rest + least_room > width)
        return bold(colour, wrapped(left, 0, 0, width)) + wrapped(fmt::format("{}  {}", middle, right), 0, 0, width);
    const std::size_t room = width - left.size() - rest;
    const std::string line = fmt::format("{:{}}{}{:{}}{}", "", room / 2, middle, "", room - room / 2, right);
    return bold(colour, left) + line + "\n";
}

}  // namespace

Frames::Frames(const view::Film& film, std::size_t width, Colour colour)
    : film_(film), width_(width), colour_(colour), sentences_(view::step_sentences(film))
{
}

std::string Frames::at(Step step)
{
    const bool in_step = step >= 1 && step <= steps();
    std::string frame = heading(step) + link_bar(step) + sentence(step);
    if (!in_step || !film_.has_rows())
        return frame;
    play_before(step);
    const PortPackets packets(film_, step);
    holdings_->play();
    return frame + frame_table(film_, *holdings_, packets, width_, colour_);
}

// Holdings only go forwards.
void Frames::play_before(Step step)
{
    if (!holdings_ || holdings_->played() >= step)
        holdings_.emplace(film_);
    while (holdings_->played() + 1 < step)
        holdings_->play();
}

std::string Frames::heading(Step step) const
{
    const Recording& recording = film_.recording;
    std::string left = fmt::format("{} on {}", name(recording.problem.collective), recording.topology.title());
    if (recording.algorithm != nullptr)
        left += fmt::format(", {}", recording.algorithm->name);
    const std::string middle = step == 0        ? "before step 1"
                               : step > steps() ? "done"
                                                : fmt::format("step {} of {}", step, steps());
    std::string right;
    if (recording.report || recording.verdict)
        right = "lower bound " + view::amount_text(recording, view::lower_bound(recording));
    return spread(left, middle, right, width_, colour_);
}

std::string Frames::link_bar(Step step) const
{
    if (step == 0 || step > steps())
        return "";
    constexpr std::size_t longest = 40;
    const std::uint64_t links = film_.recording.topology.directed_links();
    const std::uint64_t used = film_.recording.links_used[step - 1];
    const std::size_t length = std::min(longest, width_ / 2);
    const std::size_t full = links == 0 ? 0 : (used * length + links - 1) / links;  // one packet is seen
    return fmt::format("links  [{:#<{}}{:.<{}}] {} of {}\n", "", full, "", length - full, grouped(used),
                       grouped(links));
}

std::string Frames::sentence(Step step) const
{
    return wrapped(sentences_[step], 0, 0, width_);
}

}  // namespace dcube::cli
