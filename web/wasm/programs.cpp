// Programs of one's own in JavaScript (web/page/src/lab/program.ts). The import `resume` lets a node's program go on,
// which calls the exports below for its node. No C++ exception crosses JavaScript: an export answers 1 and leaves the
// message, JavaScript throws an error of its own, and the node's coroutine throws the kept exception once `resume` has
// returned.

#include "web/wasm/programs.hpp"

#include "base/json.hpp"

#include <dcube/collective.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>

namespace dcube::wasm {

namespace {

using lab::Next;
using lab::OwnRun;

// The answers of `resume`: the node's next action; `arrival` with the port added, and so the largest number.
enum Answer : std::uint64_t { finished, next_step, any_arrival, failed, arrival };

// The run whose turn it is, and what an export leaves behind, for JavaScript to read.
struct State {
    OwnRun* run = nullptr;
    std::string source{};      // of the program
    std::uint32_t number = 0;  // the run's: programs begin anew in the next
    std::string text{};
    std::string failure{};  // the program's
};
State state;

// Numbers that an export leaves; JavaScript knows their places.
struct {
    double header;
    const std::byte* at;
    std::size_t bytes;
    const std::byte* input;
    std::size_t input_bytes;
    std::byte* output;
    std::size_t output_bytes;
    NodeId node;
    Port ports;
} left;
static_assert(sizeof(void*) != 4 || sizeof(left) == 40);

template <class Function>
std::uint32_t done(const Function& function)
{
    try {
        function(*state.run);
        return 0;
    } catch (const std::exception& error) {
        state.text = error.what();
    } catch (...) {
        state.text = "an exception that is not a std::exception";
    }
    return 1;
}

}  // namespace

extern "C" {

__attribute__((import_module("dcube"), import_name("resume"))) double dcube_resume(std::uint32_t run, NodeId node,
                                                                                   Step step);

#define DCUBE_EXPORT(name) __attribute__((export_name(#name), used))

DCUBE_EXPORT(own_text_at) const char* own_text_at()
{
    return state.text.data();
}

DCUBE_EXPORT(own_text_size) std::size_t own_text_size()
{
    return state.text.size();
}

DCUBE_EXPORT(own_left) const void* own_left()
{
    return &left;
}

/// Leaves the facts of the run as JSON.
DCUBE_EXPORT(own_facts) void own_facts()
{
    const Problem& problem = state.run->problem();
    const Topology& topology = state.run->topology();
    const nlohmann::json facts{{"collective", name(problem.collective)},
                               {"topology", topology.name()},
                               {"nodes", topology.nodes()},
                               {"dimension", topology.dimension()},
                               {"one_port", state.run->me().port_model() == PortModel::one},
                               {"bytes", problem.bytes},
                               {"packets", problem.packets},
                               {"root", problem.root},
                               {"peer", problem.peer},
                               {"operation", operation_name(problem)},
                               {"type", name(problem.type)},
                               {"permutation", problem.permutation},
                               {"source", state.source}};
    state.text = facts.dump();
}

/// Leaves what the node whose turn it is has.
DCUBE_EXPORT(own_node) void own_node()
{
    const NodeData data = state.run->data();
    left.node = state.run->me().id();
    left.ports = state.run->me().ports();
    left.input = data.input.data();
    left.input_bytes = data.input.size();
    left.output = data.output.data();
    left.output_bytes = data.output.size();
}

/// Takes the error that its program threw, before `resume` answers "failed".
DCUBE_EXPORT(own_failed) void own_failed(const char* text, std::size_t size)
{
    state.failure.assign(text, size);
}

DCUBE_EXPORT(own_send) std::uint32_t own_send(Port port, const std::byte* at, std::size_t bytes, double header)
{
    return done([&](OwnRun& run) { run.send(port, {at, bytes}, static_cast<std::uint64_t>(header)); });
}

DCUBE_EXPORT(own_receive_into) std::uint32_t own_receive_into(Port port, std::byte* at, std::size_t bytes)
{
    return done([&](OwnRun& run) { left.header = static_cast<double>(run.receive(port, {at, bytes}).header); });
}

DCUBE_EXPORT(own_receive) std::uint32_t own_receive(Port port)
{
    return done([&](OwnRun& run) {
        const BorrowedPacket packet = run.receive(port);
        left.header = static_cast<double>(packet.header);
        left.at = packet.data();
        left.bytes = packet.size();
    });
}

DCUBE_EXPORT(own_arrived) std::uint32_t own_arrived(Port port)
{
    return done([&](OwnRun& run) { left.bytes = run.call([&](Node& me) { return me.arrived(port); }) ? 1 : 0; });
}

DCUBE_EXPORT(own_alive) std::uint32_t own_alive(Port port)
{
    return done([&](OwnRun& run) { left.bytes = run.call([&](Node& me) { return me.alive(port); }) ? 1 : 0; });
}

DCUBE_EXPORT(own_neighbour) std::uint32_t own_neighbour(Port port)
{
    return done([&](OwnRun& run) {
        left.node = run.call([&](Node& me) {
            static_cast<void>(me.alive(port));  // the machine's words for a port that there is not
            return me.topology().neighbour(me.id(), port);
        });
    });
}

DCUBE_EXPORT(own_allocate) std::uint32_t own_allocate(std::size_t bytes)
{
    return done([&](OwnRun& run) { left.at = run.allocate(bytes).data(); });
}

DCUBE_EXPORT(own_phase) std::uint32_t own_phase(const char* text, std::size_t size)
{
    return done([&](OwnRun& run) { run.call([&](Node& me) { me.phase({text, size}); }); });
}

DCUBE_EXPORT(own_copy) std::uint32_t own_copy(std::byte* into, const std::byte* from, std::size_t bytes)
{
    return done([&](OwnRun& run) { run.copy({into, bytes}, {from, bytes}); });
}

DCUBE_EXPORT(own_add) std::uint32_t own_add(std::byte* into, const std::byte* from, std::size_t bytes)
{
    return done([&](OwnRun& run) { run.add({into, bytes}, {from, bytes}); });
}

DCUBE_EXPORT(own_write) std::uint32_t own_write(const std::byte* into, const std::byte* value, std::size_t bytes)
{
    return done([&](OwnRun& run) { run.write({into, bytes}, {value, bytes}); });
}

DCUBE_EXPORT(own_add_value) std::uint32_t own_add_value(std::byte* into, const std::byte* value, std::size_t bytes)
{
    return done([&](OwnRun& run) { run.add_value({into, bytes}, {value, bytes}); });
}

}  // extern "C"

namespace {

class Programs final : public lab::Interpreter {
public:
    void begin(const lab::OwnProgram& program, OwnRun& /*run*/) override
    {
        ++state.number;
        state.source = program.source;
    }

    Next resume(OwnRun& run) override
    {
        state.run = &run;
        const auto answer = static_cast<std::uint64_t>(dcube_resume(state.number, run.me().id(), run.me().step()));
        switch (answer) {
        case finished: return {};
        case next_step: return {Next::What::next_step};
        case any_arrival: return {Next::What::any_arrival};
        case failed: return {Next::What::failed, 0, state.failure};
        default: return {Next::What::arrival, static_cast<Port>(answer - arrival)};
        }
    }
};

}  // namespace

lab::Interpreter& programs()
{
    static Programs all;
    return all;
}

}  // namespace dcube::wasm
