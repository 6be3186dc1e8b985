#include "base/names.hpp"
#include "base/numbers.hpp"
#include "emu/engine.hpp"

#include <dcube/machine.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace dcube {

namespace {

constexpr unsigned most_threads = 1024;
constexpr std::size_t most_capacity = std::size_t{1} << 20;

MachineOptions checked(MachineOptions options)
{
    if (options.threads == 0)
        options.threads = std::max(1U, available_threads() / (options.world ? options.world->ranks_on_host() : 1));
    static_cast<void>(in_range("threads", options.threads, {1, most_threads}));
    if (options.link.bound() && options.ports != PortModel::all)
        throw InvalidArgument("ports", name(options.ports),
                              "cannot be combined with the link-bound model: there all ports are used at once");
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

std::string_view name(Pinning pinning)
{
    switch (pinning) {
    case Pinning::none: return "none";
    case Pinning::compact: return "compact";
    case Pinning::scatter: break;
    }
    return "scatter";
}

Pinning parse_pinning(std::string_view text)
{
    for (const Pinning pinning : {Pinning::none, Pinning::compact, Pinning::scatter})
        if (text == name(pinning))
            return pinning;
    throw InvalidArgument(fmt::format("{} is not a kind of pinning: expected none, compact or scatter", quoted(text)));
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
