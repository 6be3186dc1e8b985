#pragma once
// Messages: what one rank sends another at the end of a step.
//
//   StepNote                     the World's: 64 bytes
//   Header                       64 bytes
//   the packets' bytes           by link; each from a multiple of 8, of 64 from 64 bytes on
//   links          u32 each      unless every link carries one packet
//   sizes          u64 each      unless all are alike; with Parcel::joined
//   header words   u64 each      unless all are 0; of joined packets how many parts they have
//   times of arrival  u64 each   where links take time
//   sizes of parts u64 each      of joined packets, one after the other
//   takes          u32 each      links from which this rank took a packet, repeated if several; unless one from each
//   labels                       of each packet's bytes, in traced runs
//
// Each from a multiple of 8. Both sides know the links by the same numbers (border.hpp).

#include "emu/byte_stream.hpp"
#include "emu/summary.hpp"
#include "emu/wires.hpp"

#include <dcube/world.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace dcube::detail {

constexpr std::size_t note_bytes = 64;
static_assert(sizeof(StepNote) <= note_bytes);

struct MessageHeader {
    static constexpr std::uint32_t mark = 0x64637562;

    std::uint32_t magic = mark;
    Step step = 0;
    std::uint32_t packets = 0;
    std::uint32_t takes = 0;
    bool all_links = false;
    bool all_takes = false;
    bool alike = false;
    bool headers = false;
    bool times = false;
    bool labels = false;
    std::uint64_t size = 0;    // every packet's, if they are alike
    std::uint64_t parts = 0;   // all joined packets' together
    std::uint64_t behind = 0;  // where the sections behind the bytes begin
};
constexpr std::size_t message_bytes_at = note_bytes + 64;
static_assert(sizeof(MessageHeader) <= 64);

// The offset of a packet's bytes: the first aligned one that is at least `offset`.
constexpr std::size_t packet_place(std::size_t offset, std::size_t size)
{
    const std::size_t alignment = size < MessageBuffer::alignment ? 8 : MessageBuffer::alignment;
    return (offset + alignment - 1) / alignment * alignment;
}

class MessageWriter {
public:
    void begin(Step step, std::size_t links);
    // Makes room for this many packets of `size` bytes, before all others: packet i is copied to i * packet_place(size,
    // size).
    std::byte* make_room(std::size_t packets, std::size_t size)
    {
        first_size_ = size;
        until(message_bytes_at + packets * packet_place(size, size));
        return room_made();
    }
    [[nodiscard]] std::byte* room_made() { return message_.bytes().data() + message_bytes_at; }
    [[nodiscard]] std::size_t size_of_first() const { return first_size_; }
    // This many packets have been copied there, over the links from number 0 on.
    void note_alike(std::uint32_t packets)
    {
        alike_first_ = packets;
        bytes_ = std::uint64_t{packets} * first_size_;
        end_ = message_bytes_at;
        if (packets != 0)
            end_ += (packets - 1) * packet_place(first_size_, first_size_) + first_size_;
    }
    // A packet over the link of that number, in ascending order. `arrival`: in virtual time.
    void add(std::uint32_t link, const Parcel& parcel, Time arrival)
    {
        if (alike_first_ != links_.size() && links_.empty()) [[unlikely]]
            spell_out();
        links_.push_back(link);
        sizes_.push_back(parcel.bytes);
        headers_.push_back(parcel.header);
        times_.push_back(arrival);
        any_header_ = any_header_ || parcel.header != 0;
        alike_ = alike_ && parcel.bytes == sizes_.front();
        std::byte* const into = room(parcel.size());
        if (parcel.is_joined()) [[unlikely]]
            join(parcel, into);
        else if (parcel.bytes != 0)
            std::memcpy(into, parcel.data, parcel.bytes);
    }
    // The same of a packet whose bytes are not there any more.
    void add_lost(std::uint32_t link, const Parcel& parcel, Time arrival);
    [[nodiscard]] ValueWriter& labels() { return labels_; }
    void take(std::uint32_t link, std::uint32_t packets)
    {
        if (packets == 1 && link == taken_first_ && takes_.empty()) {
            ++taken_first_;
            return;
        }
        if (takes_.empty())
            for (std::uint32_t first = 0; first < taken_first_; ++first)
                takes_.push_back(first);
        takes_.insert(takes_.end(), packets, link);
    }

    // One packet was taken from each of the first `links` links.
    void take_from_all(std::size_t links) { taken_first_ = static_cast<std::uint32_t>(links); }

    // Whether the message has nothing but a note.
    [[nodiscard]] bool empty() const { return packets() == 0 && takes() == 0; }
    [[nodiscard]] std::size_t packets() const { return links_.empty() ? alike_first_ : links_.size(); }
    [[nodiscard]] std::size_t takes() const { return takes_.empty() ? taken_first_ : takes_.size(); }
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

    // Completes the message; `links` are numbered from 0 to that in either direction.
    void finish(std::size_t outs, std::size_t ins, bool timed, bool traced);
    [[nodiscard]] MessageBuffer& message() { return message_; }

private:
    std::byte* room(std::size_t size)
    {
        const std::size_t at = packet_place(end_, size);
        bytes_ += size;
        return until(at + size) - size;
    }
    // Makes the message that long so far; its end.
    std::byte* until(std::size_t end)
    {
        end_ = end;
        if (end_ > message_.bytes().size()) [[unlikely]]
            message_.resize(end_ * 2);
        return message_.bytes().data() + end_;
    }
    void spell_out();
    void join(const Parcel& parcel, std::byte* into);
    void append(const void* from, std::size_t bytes);
    template <class T>
    void append(const std::vector<T>& values)
    {
        append(values.data(), values.size() * sizeof(T));
    }

    MessageBuffer message_;
    Step step_ = 0;
    std::size_t end_ = 0;
    std::uint64_t bytes_ = 0;
    std::uint32_t alike_first_ = 0;  // packets that note_alike has noted; they stand in no list until another follows
    std::size_t first_size_ = 0;
    std::uint32_t taken_first_ = 0;  // links 0, 1, .. that were taken from once; the same
    bool any_header_ = false;
    bool alike_ = true;
    std::vector<std::uint32_t> links_;
    std::vector<std::uint64_t> sizes_;
    std::vector<std::uint64_t> headers_;
    std::vector<Time> times_;
    std::vector<std::uint64_t> parts_;
    std::vector<std::uint32_t> takes_;
    ValueWriter labels_;
};

class MessageReader {
public:
    // Throws Error for what is no message of this step.
    MessageReader(std::span<const std::byte> message, Step step);

    [[nodiscard]] const MessageHeader& header() const { return header_; }
    struct Packet {
        std::uint32_t link;
        Parcel parcel;  // of a joined packet: all its bytes, side by side
        Time arrival;
    };
    // Whether every link carries one packet, all of one size, without anything else; and where their bytes lie.
    [[nodiscard]] bool plain() const
    {
        return header_.all_links && header_.alike && !headers_ && !times_ && (header_.size & Parcel::joined) == 0;
    }
    [[nodiscard]] const std::byte* bytes() const { return message_.data() + message_bytes_at; }
    // Reads the packets in the order in which they were added.
    Packet next()
    {
        const std::size_t size = as_size(header_.alike ? header_.size : sizes_[at_]);
        const std::size_t place = packet_place(offset_, size & ~Parcel::joined);
        offset_ = place + (size & ~Parcel::joined);
        const Packet packet{header_.all_links ? at_ : links_[at_],
                            {message_.data() + place, size, headers_ ? headers_[at_] : 0},
                            times_ ? times_[at_] : 0};
        ++at_;
        return packet;
    }
    // The next size of a part.
    std::uint64_t next_part() { return *parts_++; }
    [[nodiscard]] std::uint32_t take(std::uint32_t number) const { return header_.all_takes ? number : takes_[number]; }
    [[nodiscard]] ValueReader& labels() { return labels_; }

private:
    template <class T>
    const T* section(std::size_t count);

    std::span<const std::byte> message_;
    MessageHeader header_;
    std::uint32_t at_ = 0;
    std::size_t offset_ = message_bytes_at;
    std::size_t behind_;
    const std::uint32_t* links_;
    const std::uint64_t* sizes_;
    const std::uint64_t* headers_;
    const Time* times_;
    const std::uint64_t* parts_;
    const std::uint32_t* takes_;
    ValueReader labels_;
};

}  // namespace dcube::detail
