#pragma once
// Programs of one's own: an algorithm whose nodes' programs run in an interpreter, such as JavaScript in a page. Every
// node has an ordinary coroutine, which asks the interpreter for the node's next action. The functions that a program
// calls are the node's own, so rules, counts, bounds, verification, traces and films are those of all programs.
//
// A program touches only memory of its node: its input, its output, and memory that it has allocated. An error in a
// call is kept, whatever the interpreter does with it, and ends the run when the node's turn ends: no exception needs
// to cross the interpreter.

#include "web/lab/request.hpp"

#include <dcube/catalogue.hpp>
#include <dcube/error.hpp>
#include <dcube/node.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace dcube::lab {

/// The action of a node whose program pauses.
struct Next {
    enum class What : std::uint8_t {
        finished,     ///< its program has ended
        next_step,    ///< it goes on in the next step
        arrival,      ///< when a packet waits at `port`
        any_arrival,  ///< when one waits at any of its ports
        failed,       ///< its program threw: `message`
    };
    What what = What::finished;
    Port port = 0;
    std::string message{};
};

/// A run, as an interpreter sees it.
class OwnRun {
public:
    OwnRun(const Topology& topology, const Problem& problem) : topology_(topology), problem_(problem) {}

    [[nodiscard]] const Topology& topology() const { return topology_; }
    [[nodiscard]] const Problem& problem() const { return problem_; }

    /// The node whose turn it is; all that follows is for it.
    [[nodiscard]] Node& me() const { return *turn_->node; }
    [[nodiscard]] NodeData data() const { return turn_->data; }

    // Functions for a program, which correspond to Node's. They throw the same errors, and InvalidArgument for memory
    // that is not the node's own, or may only be read.
    void send(Port port, std::span<const std::byte> bytes, std::uint64_t header = 0);
    Packet receive(Port port, std::span<std::byte> into);
    /// The bytes of the packet may be copied from and added during this turn.
    BorrowedPacket receive(Port port);
    std::span<std::byte> allocate(std::size_t bytes);
    void copy(std::span<std::byte> into, std::span<const std::byte> from);
    /// into = into op from, with the problem's operation and type.
    void add(std::span<std::byte> into, std::span<const std::byte> from);
    /// A function of Node's that needs no check of memory, run as all others here are.
    template <class Call>
    auto call(const Call& function)
    {
        return kept([&] { return function(*turn_->node); });
    }

    // Functions for values that the program has computed itself, outside of the node's memory.
    /// Puts `value` there, if it differs; traces then no longer know whose bytes these are.
    void write(std::span<const std::byte> into, std::span<const std::byte> value);
    /// into = into op value
    void add_value(std::span<std::byte> into, std::span<const std::byte> value);

private:
    friend class OwnAlgorithm;

    struct Own {
        Node* node;
        NodeData data;
        std::vector<std::span<std::byte>> allocated{};
        std::vector<std::span<const std::byte>> borrowed{};  // in this turn
        std::exception_ptr error{};
    };

    template <class Function>
    auto kept(const Function& function)
    {
        try {
            return function();
        } catch (...) {
            if (!turn_->error)
                turn_->error = std::current_exception();
            throw;
        }
    }
    [[nodiscard]] bool is_writable(std::span<const std::byte> bytes) const;
    [[nodiscard]] bool is_own(std::span<const std::byte> bytes) const;
    [[nodiscard]] bool is_readable(std::span<const std::byte> bytes) const;
    void require_writable(std::span<const std::byte> bytes) const;

    Own& enter(Node& node, NodeData data);

    Topology topology_;
    Problem problem_;
    std::deque<Own> nodes_;
    Own* turn_ = nullptr;
};

/// Runs the programs of all nodes, one turn after the other: on one thread.
class Interpreter {
public:
    Interpreter() = default;
    Interpreter(const Interpreter&) = delete;
    Interpreter& operator=(const Interpreter&) = delete;
    virtual ~Interpreter() = default;

    /// A run begins, in which every node runs this program. Throws InvalidArgument if it cannot be read.
    virtual void begin(const OwnProgram& program, OwnRun& run) = 0;
    /// Lets the program of the node whose turn it is go on (the first time: begin) until it pauses.
    virtual Next resume(OwnRun& run) = 0;
};

/// A program of one's own threw an exception.
struct OwnProgramFailed : Error {
    using Error::Error;
};

/// The most steps that a run of one's own program may have.
inline constexpr Step most_own_steps = Step{1} << 20;
/// For RunOptions::on_step: throws RuleViolation too_many_steps after the last allowed step.
void require_few_steps(Step step);

/// The program as an algorithm for the question, on a machine of one thread. The interpreter outlives it.
std::shared_ptr<const Entry> algorithm_of(const OwnProgram& program, const Question& question,
                                          Interpreter& interpreter);

}  // namespace dcube::lab
