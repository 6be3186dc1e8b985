#include "algorithms/stout_wagar/all_to_all_plan.hpp"

#include "algorithms/programs/cube.hpp"
#include "algorithms/programs/cut.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>

namespace dcube::detail {

namespace {

// Places in storage: taken, and given back for later use.
class Arena {
public:
    std::size_t take(std::size_t bytes)
    {
        for (auto gap = gaps_.begin(); gap != gaps_.end(); ++gap) {
            const auto [offset, length] = *gap;
            if (length < bytes)
                continue;
            gaps_.erase(gap);
            if (length > bytes)
                gaps_[offset + bytes] = length - bytes;
            return offset;
        }
        const std::size_t offset = size_;
        size_ += bytes;
        return offset;
    }
    void give_back(std::size_t offset, std::size_t bytes)
    {
        if (bytes == 0)
            return;
        auto gap = gaps_.emplace(offset, bytes).first;
        if (const auto next = std::next(gap); next != gaps_.end() && offset + bytes == next->first) {
            gap->second += next->second;
            gaps_.erase(next);
        }
        if (gap != gaps_.begin())
            if (const auto before = std::prev(gap); before->first + before->second == gap->first) {
                before->second += gap->second;
                gaps_.erase(gap);
            }
    }
    [[nodiscard]] std::size_t size() const { return size_; }

private:
    std::map<std::size_t, std::size_t> gaps_;
    std::size_t size_ = 0;
};

// One rotation's segments, while they are laid out.
class Rotation {
public:
    Rotation(unsigned d, unsigned i, std::size_t message) : d_(d), offsets_((d + 1) * (d + 1))
    {
        lengths_.reserve(bit(d));
        for (NodeId name = 0; name < bit(d); ++name) {
            const NodeId relative = rotated(name, i, d);
            lengths_.push_back(staggered_part(message, d, i, stagger(relative, d)).length);
        }
        for (unsigned arrived = 0; arrived <= d; ++arrived)
            for (unsigned leaves = arrived; leaves <= d; ++leaves)
                lay_out(arrived, leaves);
    }

    [[nodiscard]] std::size_t bytes(unsigned arrived, unsigned leaves) const
    {
        return offsets(arrived, leaves).empty() ? 0 : offsets(arrived, leaves).back();
    }
    // Where the parts from `name` on begin in a segment.
    [[nodiscard]] std::size_t offset(unsigned arrived, unsigned leaves, NodeId name) const
    {
        return offsets(arrived, leaves)[index(arrived, leaves, name)];
    }
    [[nodiscard]] std::size_t length(NodeId name) const { return lengths_[name]; }

    // The segments that a part is in: where it begins, after stage k, at last.
    [[nodiscard]] unsigned next_stage(NodeId name, unsigned from) const
    {
        const NodeId rest = name >> from;
        return rest == 0 ? d_ : from + static_cast<unsigned>(std::countr_zero(rest));
    }

private:
    // Parts of a segment with the same bits above: 2^s, or one if they are the node's own.
    [[nodiscard]] static NodeId group(unsigned arrived) { return arrived == 0 ? 1 : bit(arrived - 1); }

    [[nodiscard]] NodeId index(unsigned arrived, unsigned leaves, NodeId name) const
    {
        const NodeId high = leaves == d_ ? 0 : name >> (leaves + 1);
        return high * group(arrived) + (name & (group(arrived) - 1));
    }

    // Prefix sums of the lengths in the segment's order; the last one is its size.
    void lay_out(unsigned arrived, unsigned leaves)
    {
        if (arrived == 0 && leaves == d_)
            return;  // only D = 0 stays
        std::vector<std::size_t>& at = offsets(arrived, leaves);
        const NodeId highs = leaves == d_ ? 1 : bit(d_ - 1 - leaves);
        std::size_t sum = 0;
        for (NodeId high = 0; high < highs; ++high) {
            for (NodeId low = 0; low < group(arrived); ++low) {
                at.push_back(sum);
                sum += lengths_[name_of(arrived, leaves, high, low)];
            }
        }
        at.push_back(sum);
    }

    [[nodiscard]] NodeId name_of(unsigned arrived, unsigned leaves, NodeId high, NodeId low) const
    {
        const NodeId top = leaves == d_ ? 0 : high << (leaves + 1) | bit(leaves);
        return top | (arrived == 0 ? 0 : bit(arrived - 1)) | low;
    }

    [[nodiscard]] std::vector<std::size_t>& offsets(unsigned arrived, unsigned leaves)
    {
        return offsets_[arrived * (d_ + 1) + leaves];
    }
    [[nodiscard]] const std::vector<std::size_t>& offsets(unsigned arrived, unsigned leaves) const
    {
        return offsets_[arrived * (d_ + 1) + leaves];
    }

    unsigned d_;
    std::vector<std::size_t> lengths_;               // by D'
    std::vector<std::vector<std::size_t>> offsets_;  // by s + 1 and k
};

}  // namespace

namespace {

// Parts that are shorter than this are not worth an entry in a list each.
constexpr std::size_t least_direct = 128;

std::uint8_t word_for(std::size_t shortest, std::size_t longest)
{
    for (const std::uint8_t word : {std::uint8_t{4}, std::uint8_t{8}})
        if (shortest >= word && longest <= 2 * std::size_t{word})
            return word;
    return 0;
}

// Segments get their places stage by stage, all rotations together. What is sent in a stage is still read while the
// stage's packets arrive, so its place is free for those of the next one.
class Places {
public:
    Places(unsigned d, std::span<const Rotation> rotations, bool direct)
        : d_(d), rotations_(rotations), direct_(direct), places_(std::size_t{d} * (d + 1) * (d + 1))
    {
        take(0);
        for (unsigned k = 0; k < d; ++k) {
            if (k > 0)
                give_back(k - 1);
            take(k + 1);
        }
    }

    [[nodiscard]] std::size_t place(unsigned i, unsigned arrived, unsigned leaves) const
    {
        return places_[(i * (d_ + 1) + arrived) * (d_ + 1) + leaves];
    }
    [[nodiscard]] std::size_t storage() const { return arena_.size(); }

private:
    [[nodiscard]] std::size_t bytes(unsigned i, unsigned arrived, unsigned leaves) const
    {
        const bool elsewhere = direct_ && (arrived == 0 || leaves == d_);
        return elsewhere ? 0 : rotations_[i].bytes(arrived, leaves);
    }
    void take(unsigned arrived)
    {
        for (unsigned i = 0; i < d_; ++i)
            for (unsigned leaves = arrived; leaves <= d_; ++leaves)
                places_[(i * (d_ + 1) + arrived) * (d_ + 1) + leaves] = arena_.take(bytes(i, arrived, leaves));
    }
    void give_back(unsigned stage)
    {
        for (unsigned i = 0; i < d_; ++i)
            for (unsigned arrived = 0; arrived <= stage; ++arrived)
                arena_.give_back(place(i, arrived, stage), bytes(i, arrived, stage));
    }

    unsigned d_;
    std::span<const Rotation> rotations_;
    bool direct_;
    Arena arena_;
    std::vector<std::size_t> places_;
};

}  // namespace

std::uint8_t ExchangePlan::part_word() const
{
    if (d_ == 0)
        return 0;
    return word_for(message_ / d_, message_ / d_ + (message_ % d_ != 0 ? 1 : 0));
}

ExchangePlan::ExchangePlan(unsigned d, std::size_t message)
    : d_(d), message_(message), direct_(d > 0 && message / d >= least_direct), packets_(std::size_t{d} * d)
{
    std::vector<Rotation> rotations;
    for (unsigned i = 0; i < d; ++i)
        rotations.emplace_back(d, i, message);
    const Places places(d, rotations, direct_);
    storage_ = places.storage();
    const auto part_of = [&](unsigned i, NodeId name) -> Stretch {
        const NodeId relative = rotated(name, i, d);
        const auto [offset, length] = staggered_part(message, d, i, stagger(relative, d));
        return {offset, length, relative};
    };

    for (unsigned i = 0; i < d; ++i) {
        const Rotation& rotation = rotations[i];
        for (unsigned k = 0; k < d; ++k) {
            std::size_t parts = 0;
            for (unsigned arrived = 0; arrived <= k; ++arrived) {
                Segment segment{{places.place(i, arrived, k), rotation.bytes(arrived, k), 0},
                                arrived,
                                runs_.size(),
                                0,
                                direct_ && arrived == 0,
                                0};
                std::size_t shortest = ~std::size_t{0};
                std::size_t longest = 0;
                const auto add_run = [&](const Stretch& run, const Stretch& own) {
                    if (run.length == 0)
                        return;
                    runs_.push_back(run);
                    if (direct_)
                        own_.push_back(own);
                    shortest = std::min(shortest, run.length);
                    longest = std::max(longest, run.length);
                };
                const NodeId low = arrived == 0 ? 0 : bit(arrived - 1);
                const NodeId group = std::max<NodeId>(1, low);
                for (NodeId high = 0; high < bit(d - 1 - k); ++high) {
                    const NodeId first = high << (k + 1) | bit(k) | low;
                    const unsigned next = rotation.next_stage(first, k + 1);
                    if (direct_ && next == d) {
                        for (NodeId name = first; name < first + group; ++name)
                            add_run(part_of(i, name), part_of(i, name));
                        continue;
                    }
                    std::size_t length = 0;
                    for (NodeId name = first; name < first + group; ++name)
                        length += rotation.length(name);
                    add_run({places.place(i, k + 1, next) + rotation.offset(k + 1, next, first), length, 0},
                            part_of(i, first));
                }
                segment.end = runs_.size();
                segment.word = word_for(shortest, longest);
                parts += segment.in_input ? segment.end - segment.first : 1;
                if (segment.stretch.length != 0)
                    packets_[i * d + k].push_back(segment);
            }
            most_parts_ = std::max(most_parts_, parts);
        }
    }
    if (direct_)
        return;
    for (NodeId relative = 1; relative < bit(d); ++relative) {
        for (unsigned i = 0; i < d; ++i) {
            const Rotation& rotation = rotations[i];
            const NodeId name = rotated(relative, (d - i) % d, d);
            const unsigned first = rotation.next_stage(name, 0);
            const auto last = static_cast<unsigned>(std::bit_width(name));  // s + 1
            begins_.push_back({places.place(i, 0, first) + rotation.offset(0, first, name), rotation.length(name), 0});
            ends_.push_back({places.place(i, last, d) + rotation.offset(last, d, name), rotation.length(name), 0});
        }
    }
}

namespace {

// A few bytes, in two words that may overlap: from Word to 2 Word bytes. A call of memcpy would take longer.
template <class Word>
void copy_words(std::byte* into, const std::byte* from, std::size_t bytes)
{
    Word first;
    Word last;
    std::memcpy(&first, from, sizeof first);
    std::memcpy(&last, from + bytes - sizeof last, sizeof last);
    std::memcpy(into, &first, sizeof first);
    std::memcpy(into + bytes - sizeof last, &last, sizeof last);
}

// One node's data and storage, and its copying. The trace wants to see every copy; a run without one does not wait.
class Mover {
public:
    Mover(Node& me, const ExchangePlan& plan, NodeData data, std::byte* storage)
        : me_(me), plan_(plan), data_(data), storage_(storage), traced_(me.traced())
    {
    }

    // Calls work(copy), where copy(into, from, bytes) suits stretches of word to 2 word bytes.
    template <class Work>
    void with_copy(std::uint8_t word, const Work& work) const
    {
        if (traced_)
            work([this](std::byte* into, const std::byte* from, std::size_t bytes) {
                me_.copy({into, bytes}, {from, bytes});
            });
        else if (word == 4)
            work(copy_words<std::uint32_t>);
        else if (word == 8)
            work(copy_words<std::uint64_t>);
        else
            work([](std::byte* into, const std::byte* from, std::size_t bytes) { std::memcpy(into, from, bytes); });
    }

    [[nodiscard]] std::byte* place(const ExchangePlan::Stretch& stretch) const
    {
        return (stretch.message == 0 ? storage_ : output(stretch.message)) + stretch.offset;
    }
    [[nodiscard]] const std::byte* input(NodeId relative) const
    {
        return data_.input.data() + me_.topology().translate(relative, me_.id()) * plan_.message();
    }
    [[nodiscard]] std::byte* output(NodeId relative) const
    {
        return data_.output.data() + me_.topology().translate(relative, me_.id()) * plan_.message();
    }

    // Not direct: all of the node's messages to their first segments, and from their last ones.
    void pack() const
    {
        with_copy(plan_.part_word(), [this](auto copy) {
            const ExchangePlan::Stretch* part = plan_.begins().data();
            for (NodeId relative = 1; relative < me_.topology().nodes(); ++relative) {
                const std::byte* from = input(relative);
                for (unsigned i = 0; i < plan_.dimension(); ++i, ++part) {
                    copy(storage_ + part->offset, from, part->length);
                    from += part->length;
                }
            }
        });
    }
    void unpack() const
    {
        with_copy(plan_.part_word(), [this](auto copy) {
            const ExchangePlan::Stretch* part = plan_.ends().data();
            for (NodeId relative = 1; relative < me_.topology().nodes(); ++relative) {
                std::byte* into = output(relative);
                for (unsigned i = 0; i < plan_.dimension(); ++i, ++part) {
                    copy(into, storage_ + part->offset, part->length);
                    into += part->length;
                }
            }
        });
    }

    // What a packet brings, to the segments in which it goes on.
    void spread_out(std::span<const ExchangePlan::Segment> segments, const JoinedPacket& packet) const
    {
        const std::span<const std::byte>* part = packet.parts.data();
        for (const ExchangePlan::Segment& segment : segments) {
            with_copy(segment.word, [&](auto copy) {
                const std::byte* from = part->data();
                for (const ExchangePlan::Stretch& run : plan_.runs(segment)) {
                    if (segment.in_input)
                        from = part++->data();
                    copy(place(run), from, run.length);
                    from += run.length;
                }
            });
            if (!segment.in_input)
                ++part;
        }
    }

    // Writes a packet's list of parts; returns how many there are.
    std::size_t list(std::span<const ExchangePlan::Segment> segments, std::span<const std::byte>* list) const
    {
        std::span<const std::byte>* next = list;
        for (const ExchangePlan::Segment& segment : segments) {
            if (!segment.in_input)
                std::construct_at(next++, storage_ + segment.stretch.offset, segment.stretch.length);
            else
                for (const ExchangePlan::Stretch& own : plan_.in_input(segment))
                    std::construct_at(next++, input(own.message) + own.offset, own.length);
        }
        return static_cast<std::size_t>(next - list);
    }

private:
    Node& me_;
    const ExchangePlan& plan_;
    NodeData data_;
    std::byte* storage_;
    bool traced_;
};

}  // namespace

Task exchange_completely(Node& me, const ExchangePlan& plan, NodeData data)
{
    const unsigned d = plan.dimension();
    const Mover mover(me, plan, data, me.allocate(plan.storage()).data());
    // The lists of parts are lent like the bytes; those of one stage are read while those of the next are written.
    using Part = std::span<const std::byte>;
    auto* const lists = reinterpret_cast<Part*>(me.allocate(2 * d * plan.most_parts() * sizeof(Part)).data());
    std::vector<Time> usable(std::size_t{d} * (d + 1));  // by rotation and s + 1

    const std::size_t own = me.id() * plan.message();
    std::copy_n(data.input.data() + own, plan.message(), data.output.data() + own);
    if (!plan.direct())
        mover.pack();
    for (unsigned k = 0; k < d; ++k) {
        for (unsigned i = 0; i < d; ++i) {
            const std::span<const ExchangePlan::Segment> segments = plan.packet(i, k);
            if (segments.empty())
                continue;
            Part* const list = lists + (k % 2 * d + i) * plan.most_parts();
            Time latest = 0;
            for (const ExchangePlan::Segment& segment : segments)
                latest = std::max(latest, usable[i * (d + 1) + segment.arrived]);
            me.send((i + k) % d, JoinedPacket{{list, mover.list(segments, list)}, latest});
        }
        co_await me.next_step();
        for (unsigned i = 0; i < d; ++i) {
            const std::span<const ExchangePlan::Segment> segments = plan.packet(i, k);
            if (segments.empty())
                continue;
            const JoinedPacket packet = me.receive_joined((i + k) % d);
            usable[i * (d + 1) + k + 1] = packet.usable;
            mover.spread_out(segments, packet);
        }
    }
    if (!plan.direct())
        mover.unpack();
}

}  // namespace dcube::detail
