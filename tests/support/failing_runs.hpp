#pragma once
// Runs in which links fail, on machines of all kinds.

#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"

#include <dcube/machine.hpp>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace test_support {

// On every kind of channel, with several threads: what `check` is given is the same.
inline void on_every_machine(const dcube::Topology& topology, dcube::MachineOptions options,
                             const std::function<void(dcube::Machine&)>& check)
{
    for (const dcube::ChannelKind channel : {dcube::ChannelKind::slots, dcube::ChannelKind::spsc})
        for (const unsigned threads : {1U, 2U, 4U}) {
            CAPTURE(name(channel), threads);
            options.channel = channel;
            options.threads = threads;
            dcube::Machine machine(topology, options);
            check(machine);
        }
}

inline dcube::RunOptions failing(std::vector<dcube::Failing> what)
{
    dcube::RunOptions options;
    options.failing = std::move(what);
    return options;
}

inline void check_error(const dcube::Machine::Program& program, const std::vector<dcube::Failing>& what,
                        const std::string& error, const dcube::MachineOptions& options = {})
{
    on_every_machine(dcube::Topology::hypercube(3), options, [&](dcube::Machine& machine) {
        CHECK(error_of([&] { machine.run(program, failing(what)); }) == error);
    });
}

}  // namespace test_support
