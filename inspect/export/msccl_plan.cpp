#include "inspect/export/msccl_plan.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

namespace dcube {

namespace {

constexpr std::uint64_t most_chunks = 71;  // in a step: all runtimes refuse 72

// A chunk of a message, or of a sum, that a node has.
struct Value {
    Contributors sum{};
    ChunkPlace place{};
    std::optional<StepOf> made_by{};  // none: it was there from the start
};

// One flight of one chunk, at both ends.
struct Transfer {
    ChunkPlace sent_from{};
    std::optional<StepOf> sent_after{};
    MscclStep::Type arrival = MscclStep::Type::receive;
    ChunkPlace added_to{};         // receive_reduce
    Value* added_value = nullptr;  // the step that makes it may be this one, and is known only when it is written
    ChunkPlace to{};
    Value* made = nullptr;
};

bool follows(const ChunkPlace& next, const ChunkPlace& place)
{
    return next.buffer == place.buffer && next.offset == place.offset + 1;
}

bool joins(const Transfer& next, const Transfer& before)
{
    return next.arrival == before.arrival && follows(next.sent_from, before.sent_from) && follows(next.to, before.to) &&
           (next.arrival == MscclStep::Type::receive || follows(next.added_to, before.added_to));
}

class Planner {
public:
    Planner(const Recording& recording, const MscclChunks& chunks)
        : recording_(recording), chunks_(chunks), reduction_(is_reduction(recording.problem.collective)),
          gpus_(recording.topology.nodes()), held_(recording.topology.nodes())
    {
        for (NodeId node = 0; node < recording.topology.nodes(); ++node)
            for (Port port = 0; port < recording.topology.ports(node); ++port)
                gpus_[node].blocks.resize(gpus_[node].blocks.size() + 2, {recording.topology.neighbour(node, port)});
    }

    std::vector<MscclGpu> plan()
    {
        for (NodeId node = 0; node < recording_.topology.nodes(); ++node)
            copy_own(node);
        const auto& flights = recording_.flights;
        for (auto first = flights.begin(); first != flights.end();) {
            const auto last =
                std::find_if(first, flights.end(), [&](const Flight& f) { return f.step != first->step; });
            plan_step({first, last});
            first = last;
        }
        require_sums();
        return std::move(gpus_);
    }

private:
    using Chunk = std::tuple<NodeId, NodeId, std::uint64_t>;  // origin, target, which
    using Values = std::vector<std::unique_ptr<Value>>;

    static constexpr NodeId nobody = ~NodeId{0};

    [[nodiscard]] Chunk key(const Piece& piece, std::uint64_t chunk) const
    {
        return {reduction_ ? nobody : piece.origin.value_or(nobody), piece.target.value_or(nobody), chunk};
    }

    [[nodiscard]] Contributors sum_of(const Piece& piece) const
    {
        if (!reduction_)
            return {};
        if (piece.sum_of)
            return *piece.sum_of;
        if (piece.origin)
            return Contributors(*piece.origin);
        throw InvalidArgument("MSCCL needs the contributors of every sum, which the recording lacks");
    }

    [[nodiscard]] bool is_whole(const Contributors& sum) const
    {
        return !reduction_ || sum == Contributors::all(recording_.topology);
    }

    // All that the node has of a chunk, what it starts with first.
    Values& values(NodeId node, const Piece& piece, std::uint64_t chunk)
    {
        const auto [place, is_new] = held_[node].try_emplace(key(piece, chunk));
        if (is_new && (reduction_ || piece.origin == node))
            place->second.push_back(std::make_unique<Value>(
                Value{reduction_ ? Contributors(node) : Contributors(), chunks_.input(piece, chunk), {}}));
        return place->second;
    }

    // Copies a node's own part of its output, which it has from the start.
    void copy_own(NodeId node)
    {
        const Collective collective = recording_.problem.collective;
        const bool alone = recording_.topology.nodes() == 1;
        const bool root = has_root(collective) && node == recording_.problem.root;
        if (reduction_ ? !alone : has_root(collective) && !root)
            return;
        Piece own;
        own.origin = node;
        if (traits(collective).before.share == Share::message_per_node)
            own.target = node;
        MscclBlock block;
        for (std::uint64_t chunk = 0; chunk < chunks_.of_message(); chunk += most_chunks)
            block.steps.push_back({MscclStep::Type::copy, chunks_.input(own, chunk), chunks_.output(own, chunk),
                                   std::min(most_chunks, chunks_.of_message() - chunk)});
        gpus_[node].blocks.push_back(std::move(block));
    }

    template <class Work>
    void for_each_chunk(const Flight& flight, const Work& work) const
    {
        for (const Piece& piece : recording_.pieces_of(flight))
            for (std::uint64_t i = 0; i < piece.length / chunks_.bytes(); ++i)
                work(piece, piece.offset / chunks_.bytes() + i);
    }

    // Every node that is to have sums has got all of them.
    void require_sums()
    {
        if (!reduction_ || recording_.topology.nodes() == 1)
            return;
        const bool rooted = has_root(recording_.problem.collective);
        for (NodeId node = 0; node < recording_.topology.nodes(); ++node) {
            std::uint64_t sums = 0;
            for (const auto& [chunk, values] : held_[node])
                sums += std::ranges::any_of(values, [](const auto& one) { return one->place.buffer == 'o'; }) ? 1 : 0;
            if (sums != chunks_.of_message() && (!rooted || node == recording_.problem.root))
                throw InvalidArgument(fmt::format(
                    "MSCCL's steps add up what arrives as it arrives, and so node {} does not get its sums", node));
        }
    }

    // Sends see what was there before the step; then arrivals change it.
    void plan_step(std::span<const Flight> flights)
    {
        std::vector<std::vector<Transfer>> transfers;
        for (const Flight& flight : flights)
            transfers.push_back(departures(flight));
        for (std::size_t i = 0; i < flights.size(); ++i)
            add_arrivals(flights[i], transfers[i]);
        for (std::size_t i = 0; i < flights.size(); ++i)
            write(flights[i], transfers[i], MscclStep::Type::send);
        for (std::size_t i = 0; i < flights.size(); ++i)
            write(flights[i], transfers[i], MscclStep::Type::receive);
    }

    std::vector<Transfer> departures(const Flight& flight)
    {
        std::vector<Transfer> transfers;
        for_each_chunk(flight, [&](const Piece& piece, std::uint64_t chunk) {
            const Values& there = values(flight.from, piece, chunk);
            const Contributors sum = sum_of(piece);
            const auto found = std::ranges::find_if(there, [&](const auto& one) { return one->sum == sum; });
            if (found == there.end())
                throw InvalidArgument(
                    fmt::format("MSCCL's steps add up what arrives as it arrives, and so node {} does "
                                "not get what it sends in step {}: the sum of {}",
                                flight.from, flight.step, to_string(sum)));
            transfers.push_back({.sent_from = (*found)->place, .sent_after = (*found)->made_by});
        });
        return transfers;
    }

    void add_arrivals(const Flight& flight, std::vector<Transfer>& transfers)
    {
        std::size_t i = 0;
        for_each_chunk(flight, [&](const Piece& piece, std::uint64_t chunk) {
            Values& there = values(flight.to, piece, chunk);
            Transfer& transfer = transfers[i++];
            Contributors sum = sum_of(piece);
            if (reduction_ && there.back()->sum.disjoint(sum)) {
                transfer.arrival = MscclStep::Type::receive_reduce;
                transfer.added_value = there.back().get();
                transfer.added_to = there.back()->place;
                sum.unite(there.back()->sum);
            }
            transfer.to = place_of(flight.to, piece, chunk, sum, there);
            there.push_back(std::make_unique<Value>(Value{std::move(sum), transfer.to, {}}));
            transfer.made = there.back().get();
        });
    }

    // A complete message that came before stays in the output; if it comes again, it goes to scratch.
    ChunkPlace place_of(NodeId node, const Piece& piece, std::uint64_t chunk, const Contributors& sum,
                        const Values& there)
    {
        const ChunkPlace output = chunks_.output(piece, chunk);
        const auto is_output = [&](const auto& one) { return one->place == output; };
        if (is_whole(sum) && chunks_.wanted_by(node, piece) && piece.origin != node &&
            std::ranges::none_of(there, is_output))
            return output;
        return {'s', gpus_[node].scratch++};
    }

    // Steps of at most `most_chunks` chunks, cut alike at both ends.
    void write(const Flight& flight, std::vector<Transfer>& transfers, MscclStep::Type side)
    {
        for (auto first = transfers.begin(); first != transfers.end();) {
            auto last = first + 1;
            while (last != transfers.end() && joins(*last, *(last - 1)) &&
                   static_cast<std::uint64_t>(last - first) < most_chunks)
                ++last;
            const std::span<Transfer> run(first, last);
            if (side == MscclStep::Type::send)
                write_send(flight, run);
            else
                write_arrival(flight, run);
            first = last;
        }
    }

    void write_send(const Flight& flight, std::span<Transfer> run)
    {
        std::set<StepOf> after;
        for (const Transfer& one : run)
            if (one.sent_after)
                after.insert(*one.sent_after);
        append(flight.from, sender_block(flight.port),
               {MscclStep::Type::send, run.front().sent_from, run.front().to, run.size(), flight.step}, after);
    }

    void write_arrival(const Flight& flight, std::span<Transfer> run)
    {
        std::set<StepOf> after;
        for (const Transfer& one : run)
            if (one.added_value != nullptr && one.added_value->made_by)
                after.insert(*one.added_value->made_by);
        const Transfer& first = run.front();
        const bool adds = first.arrival == MscclStep::Type::receive_reduce;
        const Port port = recording_.topology.arrival_port(flight.from, flight.port);
        const StepOf made_by =
            append(flight.to, receiver_block(port),
                   {first.arrival, adds ? first.added_to : first.sent_from, first.to, run.size()}, after);
        for (const Transfer& one : run)
            one.made->made_by = made_by;
    }

    // A step can wait for one other; steps that wait for the rest go before it. A block does its own steps in order.
    StepOf append(NodeId node, std::uint32_t block, MscclStep step, const std::set<StepOf>& after)
    {
        std::map<std::uint32_t, std::uint32_t> last;  // by block
        for (const StepOf& one : after)
            if (one.block != block)
                last[one.block] = one.step;  // in ascending order
        MscclGpu& gpu = gpus_[node];
        std::vector<MscclStep>& steps = gpu.blocks[block].steps;
        for (auto one = last.begin(); one != last.end(); ++one) {
            gpu.blocks[one->first].steps[one->second].waited_for = true;
            const StepOf waits_for{one->first, one->second};
            if (std::next(one) == last.end())
                step.waits_for = waits_for;
            else
                steps.push_back({.waits_for = waits_for});
        }
        steps.push_back(step);
        return {block, static_cast<std::uint32_t>(steps.size() - 1)};
    }

    const Recording& recording_;
    const MscclChunks& chunks_;
    bool reduction_;
    std::vector<MscclGpu> gpus_;
    std::vector<std::map<Chunk, Values>> held_;
};

}  // namespace

std::vector<MscclGpu> msccl_plan(const Recording& recording, const MscclChunks& chunks)
{
    return Planner(recording, chunks).plan();
}

namespace {

// All that MSCCL knows.
constexpr std::pair<Collective, std::string_view> msccl_names[]{
    {Collective::broadcast, "broadcast"},  {Collective::reduce, "reduce"},
    {Collective::all_gather, "allgather"}, {Collective::reduce_scatter, "reducescatter"},
    {Collective::all_reduce, "allreduce"}, {Collective::all_to_all, "alltoall"},
};

std::string_view msccl_name(Collective collective)
{
    for (const auto& [known, text] : msccl_names)
        if (known == collective)
            return text;
    throw InvalidArgument(fmt::format("MSCCL does not support {}: broadcast, reduce, all-gather, reduce-scatter, "
                                      "all-reduce and all-to-all are possible",
                                      name(collective)));
}

std::uint64_t messages(Share share, NodeId nodes)
{
    return share == Share::message_per_node ? nodes : 1;
}

}  // namespace

MscclChunks::MscclChunks(const Recording& recording)
    : collective_(recording.problem.collective), root_(recording.problem.root), name_(msccl_name(collective_)),
      input_messages_(messages(traits(collective_).before.share, recording.topology.nodes())),
      output_messages_(messages(traits(collective_).after.share, recording.topology.nodes()))
{
    if (!recording.problem.within.empty())
        throw InvalidArgument("within", "", "is not possible: MSCCL's collectives are of all nodes together");
    if (recording.topology.lacks_nodes())
        throw InvalidArgument(
            fmt::format("MSCCL cannot express {}: its collectives are of all nodes", recording.topology.name()));
    if (!recording.problem.counts.empty())
        throw InvalidArgument(
            "MSCCL cannot express messages of different lengths, as its chunks have one size: export goal can");
    if (moves_nothing(recording.problem))
        throw InvalidArgument("MSCCL cannot express messages of 0 bytes: it moves one chunk or more");
    const std::uint64_t message = std::uint64_t{recording.problem.bytes} * recording.problem.packets;
    bytes_ = message;
    for (const Piece& piece : recording.pieces)
        bytes_ = std::gcd(std::gcd(bytes_, piece.offset), piece.length);
    of_message_ = message / bytes_;
}

ChunkPlace MscclChunks::input(const Piece& piece, std::uint64_t chunk) const
{
    const std::uint64_t message = input_messages_ == 1 ? 0 : piece.target.value_or(0);
    return {'i', message * of_message_ + chunk};
}

ChunkPlace MscclChunks::output(const Piece& piece, std::uint64_t chunk) const
{
    const std::uint64_t message = output_messages_ == 1 ? 0 : piece.origin.value_or(0);
    return {'o', message * of_message_ + chunk};
}

bool MscclChunks::wanted_by(NodeId node, const Piece& piece) const
{
    if (traits(collective_).target == Who::root)
        return node == root_;
    return !piece.target || *piece.target == node;
}

}  // namespace dcube
