// --threads, --pin, --channel, --capacity and --memory-limit.

#include "base/names.hpp"
#include "base/sizes.hpp"
#include "cli/shared_options.hpp"
#include "cli/sweep.hpp"

#include <dcube/error.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <utility>

namespace dcube::cli {

namespace {

constexpr NumberRange numbers_of_threads{1, 1024};

// 1, 2, 4, .. and at last all that there are.
std::vector<std::uint64_t> doubled_up_to(unsigned most)
{
    std::vector<std::uint64_t> numbers;
    for (unsigned threads = 1; threads < most; threads *= 2)
        numbers.push_back(threads);
    numbers.push_back(most);
    return numbers;
}

// "a,b" names two, where several are swept over.
template <class Value, class Parse>
void add_listed(CLI::App& app, Sweep sweep, const OptionText& text, std::vector<Value>& into, Parse parse)
{
    add_option(app, text, [name = text.name, sweep, &into, parse](const std::string& given) {
        into.clear();
        try {
            std::size_t end = 0;
            for (std::size_t begin = 0; end != std::string::npos; begin = end + 1) {
                end = sweep == Sweep::yes ? given.find(',', begin) : std::string::npos;
                into.push_back(parse(given.substr(begin, end - begin)));
            }
        } catch (const InvalidArgument& error) {
            throw InvalidArgument(fmt::format("{}: {}", name, error.what()));
        }
    });
}

// What each rank can have of its host's threads, on the host that has fewest for it.
unsigned share_of_threads(World& world)
{
    const unsigned own = std::max(1U, available_threads() / world.ranks_on_host());
    unsigned least = own;
    for (const std::vector<std::byte>& told : world.gather_everywhere(std::as_bytes(std::span(&own, 1)))) {
        unsigned share = 0;
        std::memcpy(&share, told.data(), sizeof share);
        least = std::min(least, share);
    }
    return least;
}

}  // namespace

MachineSettings::MachineSettings(CLI::App& app, Sweep sweep)
{
    constexpr NumberRange capacities{1, 65536};
    const OptionText threads{"--threads", "T", "threads at most [as many as the computer has]", "Machine"};
    if (sweep == Sweep::no)
        add_numbers(app, sweep, threads, numbers_of_threads, threads_);
    else
        add_option(app, threads, [this](const std::string& given) {
            all_threads_ = same_name(given, "all");
            if (!all_threads_)
                threads_ = parse_numbers("--threads", given, numbers_of_threads);
        });
    add_listed(app, sweep, {"--pin", "none|compact|scatter", "keep each thread to one processor [none]", "Machine"},
               pinnings_, parse_pinning);
    add_listed(app, sweep, {"--channel", "slots|spsc", "queue behind each link [slots]", "Machine"}, channels_,
               parse_channel);
    add_number(app, {"--capacity", "C", "queue capacity of a link, in packets [1]", "Machine"}, capacities, capacity_);
    add_option(app, {"--memory-limit", "SIZE", "memory limit per rank [all available]", "Machine"},
               [this](const std::string& given) { memory_limit_ = parse_size("--memory-limit", given); });
}

void MachineSettings::spread_over(std::shared_ptr<World> world)
{
    if (world->ranks() == 1)
        return;
    world_ = std::move(world);
    share_ = share_of_threads(*world_);
}

// None: as many as the machine finds.
std::vector<std::uint64_t> MachineSettings::thread_numbers() const
{
    if (all_threads_)
        return doubled_up_to(share_ != 0 ? share_ : available_threads());
    if (threads_.empty() && share_ != 0)
        return {share_};
    return threads_;
}

std::vector<MachineOptions> MachineSettings::all(PortModel ports, const LinkModel& link) const
{
    if (link.bound() && ports == PortModel::one)
        throw InvalidArgument(
            "--ports one cannot be combined with the link-bound model: there all ports are used at once");
    MachineOptions machine;
    machine.ports = ports;
    machine.link = link;
    machine.watch_lent_bytes = false;  // the catalogue's algorithms are tested for that
    machine.channel_capacity = capacity_.value_or(machine.channel_capacity);
    machine.memory_limit = memory_limit_;
    machine.world = world_;
    std::vector<std::uint64_t> numbers = thread_numbers();
    if (numbers.empty())
        numbers.push_back(machine.threads);
    std::vector<MachineOptions> machines;
    for (const Pinning pinning : pinnings_)
        for (const ChannelKind channel : channels_)
            for (const std::uint64_t threads : numbers) {
                machines.push_back(machine);
                machines.back().pinning = pinning;
                machines.back().channel = channel;
                machines.back().threads = static_cast<unsigned>(threads);
            }
    return machines;
}

}  // namespace dcube::cli
