#include "emu/message.hpp"

#include "base/sizes.hpp"

#include <dcube/error.hpp>

namespace dcube::detail {

namespace {

constexpr std::size_t rounded_up(std::size_t bytes)
{
    return (bytes + 7) / 8 * 8;
}

}  // namespace

void MessageWriter::begin(Step step, std::size_t links)
{
    step_ = step;
    end_ = message_bytes_at;
    bytes_ = 0;
    alike_first_ = taken_first_ = 0;
    any_header_ = false;
    alike_ = true;
    links_.clear();
    sizes_.clear();
    headers_.clear();
    times_.clear();
    parts_.clear();
    takes_.clear();
    labels_.bytes().clear();
    message_.resize(std::max(message_.capacity(), message_bytes_at));
    first_size_ = 0;
    links_.reserve(links);
}

// Writes packets that were added alike as if they had been added one by one.
void MessageWriter::spell_out()
{
    for (std::uint32_t link = 0; link < alike_first_; ++link)
        links_.push_back(link);
    sizes_.assign(alike_first_, first_size_);
    headers_.assign(alike_first_, 0);
    times_.assign(alike_first_, 0);
}

void MessageWriter::add_lost(std::uint32_t link, const Parcel& parcel, Time arrival)
{
    const std::vector<std::byte> zeros(parcel.size());
    const std::span<const std::byte> part(zeros);
    if (parcel.is_joined())
        add(link, {reinterpret_cast<const std::byte*>(&part), parcel.bytes, 1}, arrival);
    else
        add(link, {zeros.data(), zeros.size(), parcel.header}, arrival);
}

void MessageWriter::join(const Parcel& parcel, std::byte* into)
{
    for (const std::span<const std::byte> part : parcel.parts()) {
        into = std::copy(part.begin(), part.end(), into);
        parts_.push_back(part.size());
    }
}

void MessageWriter::append(const void* from, std::size_t bytes)
{
    if (bytes == 0)
        return;
    std::memcpy(until(rounded_up(end_) + bytes) - bytes, from, bytes);
}

void MessageWriter::finish(std::size_t outs, std::size_t ins, bool timed, bool traced)
{
    MessageHeader header;
    header.step = step_;
    if (links_.empty() && alike_first_ != outs)
        spell_out();
    if (takes_.empty() && taken_first_ != ins)
        for (std::uint32_t link = 0; link < taken_first_; ++link)
            takes_.push_back(link);
    header.packets = static_cast<std::uint32_t>(packets());
    header.takes = static_cast<std::uint32_t>(takes());
    header.all_links = packets() == outs;
    header.all_takes = takes_.empty() && taken_first_ == ins;
    header.alike = alike_;
    header.headers = any_header_;
    header.times = timed;
    header.labels = traced;
    header.size = links_.empty() ? first_size_ : sizes_.front();
    header.parts = parts_.size();
    until(rounded_up(end_));
    header.behind = end_;
    if (!header.all_links)
        append(links_);
    if (!alike_)
        append(sizes_);
    if (any_header_)
        append(headers_);
    if (timed)
        append(times_);
    append(parts_);
    if (!header.all_takes)
        append(takes_);
    if (traced)
        append(labels_.bytes());
    message_.resize(end_);
    std::memcpy(message_.bytes().data() + note_bytes, &header, sizeof header);
}

MessageReader::MessageReader(std::span<const std::byte> message, Step step) : message_(message), labels_({})
{
    if (message.size() < message_bytes_at)
        throw Error("a message between ranks is too short");
    std::memcpy(&header_, message.data() + note_bytes, sizeof header_);
    if (header_.magic != MessageHeader::mark || header_.step != step || header_.behind > message.size())
        throw Error("a message between ranks is none of this step");
    behind_ = as_size(header_.behind);
    links_ = header_.all_links ? nullptr : section<std::uint32_t>(header_.packets);
    sizes_ = header_.alike ? nullptr : section<std::uint64_t>(header_.packets);
    headers_ = header_.headers ? section<std::uint64_t>(header_.packets) : nullptr;
    times_ = header_.times ? section<Time>(header_.packets) : nullptr;
    parts_ = section<std::uint64_t>(as_size(header_.parts));
    takes_ = header_.all_takes ? nullptr : section<std::uint32_t>(header_.takes);
    if (header_.labels)
        labels_ = ValueReader(message.subspan(std::min(rounded_up(behind_), message.size())));
}

template <class T>
const T* MessageReader::section(std::size_t count)
{
    if (count == 0)
        return nullptr;
    behind_ = rounded_up(behind_);
    const auto* const begin = reinterpret_cast<const T*>(message_.data() + behind_);
    behind_ += count * sizeof(T);
    if (behind_ > message_.size())
        throw Error("a message between ranks is cut off");
    return begin;
}

}  // namespace dcube::detail
