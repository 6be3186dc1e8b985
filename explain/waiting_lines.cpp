// The arithmetic of bounds in which links, paths or senders have nothing to bring at first.

#include "base/numbers.hpp"
#include "explain/arithmetic.hpp"
#include "explain/lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace dcube::explain {

namespace {

using Kind = Argument::Kind;
using Lines = std::vector<ProofLine>;
using Waits = std::vector<std::uint64_t>;

// Calls work(count, wait) for those that wait equally long.
template <class Work>
void for_each_wait(const Waits& waits, const Work& work)
{
    for (auto at = waits.begin(); at != waits.end();) {
        const auto next = std::upper_bound(at, waits.end(), *at);
        work(static_cast<std::uint64_t>(next - at), *at);
        at = next;
    }
}

// "1 link from step 1 on, 2 from step 3 on"
std::string links_by_step(const Waits& waits, const std::string& link)
{
    std::string text;
    for_each_wait(waits, [&](std::uint64_t count, std::uint64_t wait) {
        const std::string what = text.empty() ? " " + link + (count == 1 ? "" : "s") : "";
        text +=
            fmt::format("{}{}{} from step {} on", text.empty() ? "" : ", ", grouped(count), what, grouped(wait + 1));
    });
    return text;
}

// "3 + 1 + 1 = 5": what they can do in so many steps. Of many "9 x 3 + 12 x 1 = 39".
std::string together_text(const Waits& waits, std::uint64_t steps)
{
    constexpr std::size_t many = 8;
    std::string text;
    std::uint64_t sum = 0;
    for_each_wait(waits, [&](std::uint64_t count, std::uint64_t wait) {
        const std::uint64_t packets = steps > wait ? steps - wait : 0;
        sum += count * packets;
        if (packets > 0 && waits.size() > many && count > 1)
            text += fmt::format("{}{} x {}", text.empty() ? "" : " + ", grouped(count), grouped(packets));
        else if (packets > 0)
            for (std::uint64_t i = 0; i < count; ++i)
                text += (text.empty() ? "" : " + ") + grouped(packets);
    });
    return text.find_first_of("+x") == std::string::npos ? grouped(sum) : text + " = " + grouped(sum);
}

std::string detours(const Argument& argument)
{
    const std::string links = links_by_step(argument.waits, "link");
    return argument.outwards
               ? fmt::format("Seen from the end, node {} can send what still arrives over {}", argument.other, links)
               : fmt::format("Node {} can receive over {}, as the nodes behind them are so far away", argument.node,
                             links);
}

// "2, 3 and 6"
std::string lengths_text(const Waits& waits)
{
    std::string text;
    for (std::size_t i = 0; i < waits.size(); ++i)
        text += (i == 0 ? "" : i + 1 == waits.size() ? " and " : ", ") + grouped(waits[i] + 1);
    return text;
}

std::string paths(const Argument& argument)
{
    const std::size_t count = argument.waits.size();
    if (count == 1)
        return fmt::format("A path of l links brings T - l + 1 packets in T steps, and only one is short enough, of {} "
                           "links",
                           lengths_text(argument.waits));
    return fmt::format("A path of l links brings T - l + 1 packets in T steps. The {} shortest that have no link in "
                       "common have {} links, each counted for what it adds to those before it",
                       count, lengths_text(argument.waits));
}

std::string entering(const Argument& argument)
{
    const std::string links = links_by_step(argument.waits, "link");
    return argument.outwards ? fmt::format("Seen from the end, what still arrives can leave them over {}", links)
                             : fmt::format("They can come in over {}", links);
}

std::string senders(const Argument& argument)
{
    const std::string nodes = links_by_step(argument.waits, "node");
    return argument.outwards
               ? fmt::format("Seen from the end, they can be received by {}, one packet a step each", nodes)
               : fmt::format("They can be sent by {}, one packet a step each", nodes);
}

std::string what_can_come(const Argument& argument)
{
    if (argument.kind == Kind::paths)
        return paths(argument);
    if (argument.kind == Kind::entering)
        return entering(argument);
    return argument.kind == Kind::senders ? senders(argument) : detours(argument);
}

}  // namespace

std::vector<ProofLine> waiting_lines(const Argument& argument, const std::string& what)
{
    const std::uint64_t steps = argument.value();
    return {{what, product_text(argument.factors)},
            {fmt::format("{}. In {} that is at most", what_can_come(argument), grouped(steps - 1, "step")),
             together_text(argument.waits, steps - 1)},
            {"That is too few, so at least", grouped(steps, "step")}};
}

}  // namespace dcube::explain
