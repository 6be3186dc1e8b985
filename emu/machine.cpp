#include "base/names.hpp"
#include "base/numbers.hpp"
#include "emu/engine.hpp"

#include <dcube/machine.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

namespace dcube {

namespace {

constexpr unsigned most_threads = 1024;
constexpr std::size_t most_capacity = std::size_t{1} << 20;
constexpr unsigned most_processor = 65'535;

constexpr Spelling<Pinning::Kind> kinds_of_pinning[]{{Pinning::none, "none"},
                                                     {Pinning::compact, "compact"},
                                                     {Pinning::scatter, "scatter"},
                                                     {Pinning::no_smt, "no-smt"},
                                                     {Pinning::one_per_l3, "one-per-l3"}};

// "0,2,4-7"; two neighbours are no range.
std::string list_text(const std::vector<unsigned>& processors)
{
    std::string text;
    for (std::size_t i = 0; i < processors.size();) {
        std::size_t last = i;
        while (last + 1 < processors.size() && processors[last + 1] == processors[last] + 1)
            ++last;
        if (last < i + 2)
            last = i;
        text += fmt::format("{}{}", i == 0 ? "" : ",", processors[i]);
        if (last > i)
            text += fmt::format("-{}", processors[last]);
        i = last + 1;
    }
    return text;
}

// The processors of "0,2,4-7", which has no other characters.
std::vector<unsigned> processors_in(std::string_view text)
{
    const auto refuse = [&] {
        throw InvalidArgument(
            fmt::format("{} is not a list of processors: expected numbers up to {} and ranges, such as 0,2,4-7",
                        quoted(text), most_processor));
    };
    std::vector<unsigned> processors;
    for (const std::string& part : split(text, ",")) {
        const std::size_t dash = part.find('-');
        const std::optional<unsigned> first = parsed_number<unsigned>(std::string_view(part).substr(0, dash));
        const std::optional<unsigned> last =
            dash == std::string::npos ? first : parsed_number<unsigned>(std::string_view(part).substr(dash + 1));
        if (!first || !last || *first > *last || *last > most_processor)
            refuse();
        for (unsigned processor = *first; processor <= *last; ++processor)
            processors.push_back(processor);
    }
    return processors;
}

// Two threads of one processor would wait for each other. (Workers that are given may be as many as they like.)
unsigned as_many_as_pins(const MachineOptions& options)
{
    const Pinning::Kind kind = options.pinning.kind();
    const bool all = kind == Pinning::none || kind == Pinning::compact || kind == Pinning::scatter;
    const std::size_t pins = all || options.workers ? 0 : pinned_processors(options.pinning).size();
    return pins == 0 ? options.threads : static_cast<unsigned>(std::min<std::size_t>(options.threads, pins));
}

MachineOptions checked(MachineOptions options)
{
    if (options.threads == 0)
        options.threads = std::max(1U, available_threads() / (options.world ? options.world->ranks_on_host() : 1));
    static_cast<void>(in_range("threads", options.threads, {1, most_threads}));
    options.threads = as_many_as_pins(options);
    static_cast<void>(in_range("capacity", options.channel_capacity, {1, most_capacity}));
    return options;
}

}  // namespace

std::string_view name(ChannelKind kind)
{
    return kind == ChannelKind::slots ? "slots" : "spsc";
}

ChannelKind parse_channel(std::string_view text)
{
    for (const ChannelKind kind : {ChannelKind::slots, ChannelKind::spsc})
        if (text == name(kind))
            return kind;
    throw InvalidArgument(fmt::format("{} is not a channel kind: expected slots or spsc", quoted(text)));
}

Pinning::Pinning(std::vector<unsigned> processors) : kind_(listed), processors_(std::move(processors))
{
    if (processors_.empty())
        throw InvalidArgument("a list of processors has one at least");
    std::vector<unsigned> sorted = processors_;
    std::ranges::sort(sorted);
    if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end())
        throw InvalidArgument(fmt::format("processor {} is in the list twice", *twice));
}

std::string name(const Pinning& pinning)
{
    if (pinning.kind() == Pinning::listed)
        return list_text(pinning.processors());
    return std::string(std::ranges::find(kinds_of_pinning, pinning.kind(), &Spelling<Pinning::Kind>::value)->text);
}

Pinning parse_pinning(std::string_view text)
{
    for (const auto& [kind, spelling] : kinds_of_pinning)
        if (text == spelling)
            return kind;
    if (text.empty() || text.find_first_not_of("0123456789,-") != std::string_view::npos)
        throw InvalidArgument(fmt::format("{} is not a kind of pinning: expected {} or processors such as 0,2,4-7",
                                          quoted(text), "none, compact, scatter, no-smt, one-per-l3"));
    return Pinning(processors_in(text));
}

Machine::Machine(const Topology& topology, const MachineOptions& options)
    : engine_(std::make_unique<detail::Engine>(topology, checked(options)))
{
}

Machine::~Machine() = default;
Machine::Machine(Machine&&) noexcept = default;
Machine& Machine::operator=(Machine&&) noexcept = default;

const Topology& Machine::topology() const
{
    return engine_->topology();
}
PortModel Machine::ports() const
{
    return engine_->options().ports;
}
unsigned Machine::threads() const
{
    return engine_->clock().threads();
}
const LinkModel& Machine::link() const
{
    return engine_->options().link;
}
Pinning Machine::pinning() const
{
    return engine_->options().pinning;
}
ChannelKind Machine::channel() const
{
    return engine_->options().channel;
}
std::size_t Machine::channel_capacity() const
{
    return engine_->options().channel_capacity;
}

bool Machine::watches_lent_bytes() const
{
    return detail::LentBytes::watched(engine_->options());
}

World& Machine::world() const
{
    return engine_->ranks().world();
}

NodeRange Machine::own_nodes() const
{
    return engine_->ranks().own();
}

Counts Machine::run(const Program& program, const RunOptions& options)
{
    return engine_->run(program, options);
}

EngineCounts Machine::engine_counts() const
{
    return engine_->engine_counts();
}

void Machine::for_each_node(const std::function<void(NodeId)>& work)
{
    engine_->for_each_node(work);
}

void Machine::require_memory(std::uint64_t bytes) const
{
    together(engine_->ranks().world(), [&] { engine_->require_memory(bytes, "this run"); });
}

}  // namespace dcube
