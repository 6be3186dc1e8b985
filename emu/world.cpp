#include <dcube/world.hpp>

#include "emu/byte_stream.hpp"
#include "emu/remote_error.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <new>

namespace dcube {

NodeRange nodes_of_rank(unsigned rank, unsigned ranks, NodeId nodes)
{
    const auto begin = [&](std::uint64_t of) { return static_cast<NodeId>(of * nodes / ranks); };
    return {begin(rank), begin(rank + std::uint64_t{1})};
}

unsigned rank_of_node(NodeId node, unsigned ranks, NodeId nodes)
{
    return static_cast<unsigned>(((node + std::uint64_t{1}) * ranks - 1) / nodes);
}

void MessageBuffer::Free::operator()(std::byte* memory) const
{
    ::operator delete[](memory, std::align_val_t{alignment});
}

void MessageBuffer::resize(std::size_t bytes)
{
    if (bytes > capacity_) {
        const std::size_t least = std::max(bytes, capacity_ * 2);
        decltype(memory_) larger(static_cast<std::byte*>(::operator new[](least, std::align_val_t{alignment})));
        std::ranges::copy(this->bytes(), larger.get());
        memory_ = std::move(larger);
        capacity_ = least;
    }
    size_ = bytes;
}

std::vector<std::vector<std::byte>> World::gather_everywhere(std::span<const std::byte> bytes)
{
    detail::ValueWriter all;
    for (const std::vector<std::byte>& one : gather(bytes))
        all.put_text({reinterpret_cast<const char*>(one.data()), one.size()});
    const std::vector<std::byte> message = broadcast(all.bytes(), 0);
    detail::ValueReader reader(message);
    std::vector<std::vector<std::byte>> parts(ranks());
    for (std::vector<std::byte>& part : parts) {
        const std::string text = reader.get_text();
        const auto* const begin = reinterpret_cast<const std::byte*>(text.data());
        part.assign(begin, begin + text.size());
    }
    return parts;
}

void agree(World& world, const std::exception_ptr& error)
{
    if (world.ranks() == 1) {
        if (error)
            std::rethrow_exception(error);
        return;
    }
    const auto all = world.gather_everywhere(detail::encoded(error));
    for (unsigned rank = 0; rank < all.size(); ++rank)
        if (!all[rank].empty())
            std::rethrow_exception(rank == world.rank() ? error : detail::decoded(all[rank]));
}

void require_same(World& world, std::string_view what, std::string_view said)
{
    if (world.ranks() == 1)
        return;
    const auto all = world.gather_everywhere(std::as_bytes(std::span(said)));
    for (unsigned rank = 1; rank < all.size(); ++rank)
        if (all[rank] != all[0])
            throw InvalidArgument(fmt::format("ranks 0 and {} disagree about {}", rank, what));
}

namespace {

class Alone final : public World {
public:
    [[nodiscard]] unsigned rank() const override { return 0; }
    [[nodiscard]] unsigned ranks() const override { return 1; }
    [[nodiscard]] unsigned ranks_on_host() const override { return 1; }
    [[nodiscard]] unsigned hosts() const override { return 1; }

    void exchange(std::span<const unsigned>, std::span<MessageBuffer>, std::span<MessageBuffer>,
                  std::span<const std::byte> note, std::span<std::byte> notes) override
    {
        std::ranges::copy(note, notes.begin());
    }
    [[nodiscard]] std::vector<std::byte> broadcast(std::span<const std::byte> bytes, unsigned) override
    {
        return {bytes.begin(), bytes.end()};
    }
    [[nodiscard]] std::vector<std::vector<std::byte>> gather(std::span<const std::byte> bytes) override
    {
        return {{bytes.begin(), bytes.end()}};
    }
    void abandon(std::string_view) noexcept override {}
};

}  // namespace

std::shared_ptr<World> world_alone()
{
    return std::make_shared<Alone>();
}

}  // namespace dcube
