#pragma once
/// @file
/// World: the processes ("ranks") that one machine is spread over, and the messages between them.

#include <dcube/graph.hpp>

#include <cstddef>
#include <exception>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#pragma GCC visibility push(default)
namespace dcube {

/// @addtogroup hosts
/// @{

/// Nodes with neighbouring ids: first, .., last - 1.
struct NodeRange {
    NodeId first = 0;  ///< the first node
    NodeId last = 0;   ///< one behind the last node

    /// The number of nodes.
    [[nodiscard]] NodeId size() const { return last - first; }
    /// True if the node is one of them.
    [[nodiscard]] bool contains(NodeId node) const { return node >= first && node < last; }
    friend bool operator==(const NodeRange&, const NodeRange&) = default;
};

/// The nodes of rank p of P: floor(pN/P) .. floor((p+1)N/P) - 1.
NodeRange nodes_of_rank(unsigned rank, unsigned ranks, NodeId nodes);
/// The rank that owns the node: floor(((node+1)P - 1)/N).
unsigned rank_of_node(NodeId node, unsigned ranks, NodeId nodes);

/// Room for a message.
class MessageBuffer {
public:
    /// The alignment of its first byte.
    static constexpr std::size_t alignment = 64;

    /// An empty message.
    MessageBuffer() = default;
    /// Takes the other's memory.
    MessageBuffer(MessageBuffer&& other) noexcept { swap(other); }
    /// Takes the other's memory, and gives it this one's.
    MessageBuffer& operator=(MessageBuffer&& other) noexcept
    {
        swap(other);
        return *this;
    }
    /// Exchanges the memory of the two.
    void swap(MessageBuffer& other) noexcept
    {
        std::swap(memory_, other.memory_);
        std::swap(capacity_, other.capacity_);
        std::swap(size_, other.size_);
    }

    /// Makes it `bytes` long; what is in it stays.
    void resize(std::size_t bytes);
    /// Bytes that it can hold without taking more memory.
    [[nodiscard]] std::size_t capacity() const { return capacity_; }
    /// The message, to be written.
    [[nodiscard]] std::span<std::byte> bytes() { return {memory_.get(), size_}; }
    /// The message.
    [[nodiscard]] std::span<const std::byte> bytes() const { return {memory_.get(), size_}; }

private:
    struct Free {
        void operator()(std::byte* memory) const;
    };
    std::unique_ptr<std::byte[], Free> memory_;
    std::size_t capacity_ = 0;
    std::size_t size_ = 0;
};

/// The ranks that make the same calls in the same order: machines, their runs, and what is below, are made by all of
/// them. A World belongs to the thread that made it.
///
/// A machine that is spread over a world is the same machine: what its programs do, count and break does not depend on
/// the number of ranks. Programs must not share writable memory between nodes: on one rank they could, unnoticed.
class World {
public:
    World() = default;
    World(const World&) = delete;
    World& operator=(const World&) = delete;
    virtual ~World() = default;

    /// This process, from 0 on.
    [[nodiscard]] virtual unsigned rank() const = 0;
    /// The number of ranks.
    [[nodiscard]] virtual unsigned ranks() const = 0;
    /// Ranks on this rank's host, itself included.
    [[nodiscard]] virtual unsigned ranks_on_host() const = 0;
    /// Computers on which ranks run.
    [[nodiscard]] virtual unsigned hosts() const = 0;

    /// One step: mine[i] goes to rank peers[i], which sends the one that comes to theirs[i]; peers must be symmetric.
    /// Every message begins with the sender's note, which is written here and may be the only thing in it, and other
    /// ranks get only the note. So `notes` are those of all ranks, one after the other, mine included. Returns when all
    /// of it is there.
    virtual void exchange(std::span<const unsigned> peers, std::span<MessageBuffer> mine,
                          std::span<MessageBuffer> theirs, std::span<const std::byte> note,
                          std::span<std::byte> notes) = 0;

    /// The bytes that rank `from` has, on all ranks.
    [[nodiscard]] virtual std::vector<std::byte> broadcast(std::span<const std::byte> bytes, unsigned from) = 0;
    /// All ranks' bytes, by rank, on rank 0; nothing on the others.
    [[nodiscard]] virtual std::vector<std::vector<std::byte>> gather(std::span<const std::byte> bytes) = 0;
    /// All ranks' bytes, by rank, on all of them.
    [[nodiscard]] std::vector<std::vector<std::byte>> gather_everywhere(std::span<const std::byte> bytes);

    /// This rank cannot go on for a reason that the others do not know: they must not wait for it. Whatever they wait
    /// for now ends with Error, or ends their processes.
    virtual void abandon(std::string_view why) noexcept = 0;
};

/// A world of this process alone: what a machine has by default.
std::shared_ptr<World> world_alone();

/// All ranks call it, at the same place: if one of them has failed, each throws the error of the lowest rank that did,
/// with the same text and, of dcube's errors, the same type. Call it before what takes all ranks and after what may
/// fail on one of them. Costs nothing with one rank.
void agree(World& world, const std::exception_ptr& error);

/// Throws InvalidArgument on all ranks unless all ranks pass the same value: "ranks 0 and 2 disagree about the
/// machine", which `what` names.
void require_same(World& world, std::string_view what, std::string_view said);

/// Calls `work`, and agrees on what it throws.
template <class Work>
void together(World& world, const Work& work)
{
    std::exception_ptr error;
    try {
        work();
    } catch (...) {
        error = std::current_exception();
    }
    agree(world, error);
}

/// @}

}  // namespace dcube
#pragma GCC visibility pop
