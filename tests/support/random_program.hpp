#pragma once
// Random programs as data: what every node of a random network does. One that breaks no rule, and then in most of them
// a few calls are changed, left out, put in.

#include "emu/script.hpp"

#include <dcube/machine.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace test_support {

class Draw;

/// A stretch of a node's memory.
struct Stretch {
    std::size_t at = 0;
    std::size_t bytes = 0;
};

/// Some of a script's stages, one after the other.
struct Stages {
    std::size_t first = 0;
    std::size_t count = ~std::size_t{0};  ///< or as many as there are
};

/// One call of a program. Offsets are in the node's own memory.
struct Call {
    enum class Kind : std::uint8_t {
        send,            ///< `from` as one stretch, with `word` as header
        send_joined,     ///< `from` and `other` as one packet
        receive_into,    ///< copied to `into`
        receive_sum,     ///< into = mix(other, packet)
        receive_view,    ///< looked at, then copied to `into`'s beginning if it fits the memory
        receive_joined,  ///< the same, part by part
        peek,
        arrived,
        has_room,
        write,     ///< `into` is filled with `word`
        copy,      ///< into = from
        sum,       ///< into = mix(other, from)
        allocate,  ///< `word` bytes of storage
        next_step,
        until,  ///< step `word`
        await_arrival,
        await_room,
        begin_task,  ///< a sub-task: all up to its end_task; with `caught` what it throws is caught
        end_task,
        forget_task,   ///< a task is made and not awaited
        fail,          ///< an exception of its own
        follow,        ///< `stages` of script `script` with its step 1 in step `word`; 0: in the running one
        begin_script,  ///< as follow, call by call (see written_out): its step 1 is in step `word`, and its first
                       ///< stage in step `from.at` of it, which must not have passed
        stage,         ///< the script's step `word` is awaited
    };
    Kind kind = Kind::next_step;
    dcube::Port port = 0;
    Stretch into{};
    Stretch from{};
    Stretch other{};
    std::uint64_t word = 0;
    bool caught = false;
    bool as_received = false;  ///< send: as usable as what was received last; else as the latest of all
    bool of_script = false;    ///< without answers; a packet is as usable as what was received to its place
    std::size_t script = 0;
    Stages stages{};
};

using Calls = std::vector<Call>;

/// The piece of a message that a stretch holds at the start.
struct Labelled {
    std::size_t at = 0;
    dcube::Piece piece{};
};

/// A script's lists.
struct Actions {
    std::vector<dcube::Script::Stage> stages;
    std::vector<dcube::Script::Action> actions;
    std::optional<std::size_t> stages_of{};  ///< the script whose stages it shares; its own are none then
};

/// The place of the packets of scripts in a node's memory, as in Region.
struct Area {
    std::size_t at = 0;
    std::size_t size = 0;
    std::size_t block_stride = 0;
    std::size_t index_stride = 0;
};
struct Areas {
    std::array<Area, 5> places{};  ///< by Script::Place
    std::size_t bytes = 0;         ///< per packet
    dcube::NodeId origin = 0;
};

struct RandomProgram {
    dcube::Topology topology;
    dcube::MachineOptions machine{.watch_lent_bytes =
                                      false};  ///< but for channel, threads and workers: they must not matter
    bool traced = false;
    bool counted = false;        ///< on_step is called
    dcube::Step stop_after = 0;  ///< a stop is asked for then; 0: never
    std::size_t memory = 0;      ///< bytes of every node
    std::vector<Calls> nodes{};
    std::vector<std::vector<Labelled>> labels{};  ///< by node
    std::vector<Actions> scripts{};
    std::vector<Areas> areas{};  ///< by node, of programs that follow scripts

    /// The script; the parts that several scripts share are at one address.
    [[nodiscard]] dcube::Script script(std::size_t number, Stages part = {}) const;
};

RandomProgram random_program(std::uint64_t seed);

/// A program that follows scripts.
RandomProgram random_script_program(std::uint64_t seed);
/// Changes, adds or leaves out one call of one node, which may break a rule.
void spoil(RandomProgram& program, Draw& draw);
/// The same calls, some of them in sub-tasks.
Calls nested(const Calls& calls, int depth, Draw& draw);
/// A node's calls with its scripts written out as sends and receives.
Calls written_out(const RandomProgram& program, dcube::NodeId node);
/// All nodes'.
RandomProgram without_scripts(RandomProgram program);

/// A byte of a node at the start.
inline std::byte first_byte(dcube::NodeId node, std::size_t at)
{
    return static_cast<std::byte>((node + 1) * 101 + at * 7 + at / 256);
}

/// All that can be seen of a run.
struct Outcome {
    std::string failure;   ///< the failure that ended it: "link-busy, step 3, node 2, port 1"; empty if it ended well
    std::string counts;    ///< if it ended well
    dcube::Step told = 0;  ///< calls of on_step
    std::vector<std::string> trace;
    std::vector<std::vector<std::byte>> memory;       ///< by node
    std::vector<std::vector<std::uint64_t>> answers;  ///< by node: all that calls returned

    friend bool operator==(const Outcome&, const Outcome&) = default;
};

std::string failure_text(dcube::Rule rule, dcube::Step step, dcube::NodeId node, dcube::Port port);
std::string failure_text(dcube::Step step, dcube::NodeId node);  ///< for an exception of the program's own
std::string counts_text(const dcube::Counts& counts);
std::string trace_text(const dcube::Transmission& one);

/// The answer of a call whose exception was caught.
inline constexpr std::uint64_t caught = 0xca06'47ed;

/// The part of an outcome that can be compared between a run of scripts and one of programs: for a failed run only the
/// failure. A program gets an exception for its broken rule, and goes no further; the machine does the rest of a
/// script's stage, whatever happens to one of its nodes.
Outcome comparable(Outcome outcome);

/// The first difference of two outcomes, in words; empty if they are equal.
std::string difference(const Outcome& expected, const Outcome& found);

/// A run of bytes as one word, for answers.
std::uint64_t word_of(std::span<const std::byte> bytes);

/// The operation with which programs combine: byte by byte, in ascending order, and not commutative.
void mix(std::byte* into, const std::byte* base, const std::byte* packet, std::size_t bytes);

}  // namespace test_support
