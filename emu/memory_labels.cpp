#include "emu/memory_labels.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace dcube::detail {

namespace {

bool continues(const Piece& piece, const Piece& before)
{
    return before.origin == piece.origin && before.target == piece.target &&
           before.offset + before.length == piece.offset && same_sum(before, piece);
}

// Who is in base + from, of two pieces that begin with the same byte of a message.
std::shared_ptr<const Contributors> union_of(const Piece& base, const Piece& from)
{
    const bool one_sum = !base.origin && !from.origin && base.target == from.target && base.offset == from.offset;
    if (!one_sum || !base.sum_of || !from.sum_of || !base.sum_of->disjoint(*from.sum_of))
        return nullptr;
    auto both = std::make_shared<Contributors>(*base.sum_of);
    both->unite(*from.sum_of);
    return both;
}

Piece part(const Piece& piece, std::uint64_t skipped, std::uint64_t length)
{
    return {piece.origin, piece.target, piece.offset + skipped, length, piece.sum_of};
}

}  // namespace

Pieces take(const Pieces& pieces, std::size_t offset, std::size_t bytes)
{
    Pieces taken;
    std::size_t at = 0;
    for (const Piece& piece : pieces) {
        const std::size_t first = std::max<std::size_t>(at, offset);
        const std::size_t end = std::min<std::size_t>(at + piece.length, offset + bytes);
        if (first < end)
            taken.push_back(part(piece, first - at, end - first));
        at += piece.length;
    }
    return taken;
}

Pieces combined(const Pieces& base, const Pieces& from)
{
    Pieces sums;
    auto at = base.begin();
    std::uint64_t skipped = 0;  // of what `at` stands at
    for (const Piece& piece : from)
        for (std::uint64_t done = 0; done < piece.length;) {
            const bool alone = at == base.end();
            const std::uint64_t length = std::min(piece.length - done, alone ? piece.length : at->length - skipped);
            Piece sum = part(piece, done, length);
            sum.sum_of = alone ? nullptr : union_of(part(*at, skipped, length), sum);
            append(sums, std::move(sum));
            done += length;
            skipped += length;
            if (!alone && skipped == at->length) {
                ++at;
                skipped = 0;
            }
        }
    return sums;
}

void append(Pieces& pieces, Piece piece)
{
    if (!pieces.empty() && continues(piece, pieces.back()))
        pieces.back().length += piece.length;
    else
        pieces.push_back(std::move(piece));
}

void MemoryLabels::write(const std::byte* begin, const Pieces& pieces, std::size_t bytes)
{
    erase(begin, bytes);
    for (const Piece& piece : pieces) {
        labels_.insert_or_assign(begin, Labelled{piece.length, piece, nullptr});
        begin += piece.length;
    }
}

void MemoryLabels::keep(std::span<const std::byte> bytes)
{
    const std::byte* const end = bytes.data() + bytes.size();
    std::shared_ptr<std::byte[]> copy;
    for (auto at = labels_.lower_bound(bytes.data()); at != labels_.end() && at->first < end; ++at) {
        if (!at->second.piece.sum_of)
            continue;
        if (!copy) {
            copy = std::make_shared_for_overwrite<std::byte[]>(bytes.size());
            std::memcpy(copy.get(), bytes.data(), bytes.size());
        }
        at->second.kept = {copy, copy.get() + (at->first - bytes.data())};
    }
}

void MemoryLabels::erase(const std::byte* begin, std::size_t bytes)
{
    const std::byte* const end = begin + bytes;
    auto at = labels_.upper_bound(begin);
    if (at != labels_.begin())
        --at;
    while (at != labels_.end() && at->first < end) {
        const auto [start, old] = *at;
        if (start + old.bytes <= begin) {
            ++at;
            continue;
        }
        at = labels_.erase(at);
        if (start < begin)  // what stands before the erased stretch stays
            labels_[start] = part(old, 0, static_cast<std::size_t>(begin - start));
        if (start + old.bytes > end) {  // and what stands behind it
            const auto cut = static_cast<std::size_t>(end - start);
            labels_[end] = part(old, cut, old.bytes - cut);
        }
    }
}

Pieces MemoryLabels::read(Parts parts)
{
    Pieces pieces;
    for (const std::span<const std::byte> part : parts)
        if (!read(part, pieces))
            return {};
    return pieces;
}

bool MemoryLabels::read(std::span<const std::byte> bytes, Pieces& pieces)
{
    const std::byte* at = bytes.data();
    const std::byte* const end = at + bytes.size();
    while (at != end) {
        auto found = labels_.upper_bound(at);
        if (found == labels_.begin())
            return false;
        --found;
        const auto& [start, label] = *found;
        if (start + label.bytes <= at)
            return false;
        const auto skipped = static_cast<std::size_t>(at - start);
        const std::size_t length = std::min(label.bytes - skipped, static_cast<std::size_t>(end - at));
        Labelled here = part(label, skipped, length);
        if (here.kept && std::memcmp(here.kept.get(), at, length) != 0) {
            here.piece.sum_of = nullptr;
            changed_ = true;
        }
        append(pieces, std::move(here.piece));
        at += length;
    }
    return true;
}

MemoryLabels::Labelled MemoryLabels::part(const Labelled& whole, std::size_t skipped, std::size_t bytes)
{
    return {bytes, detail::part(whole.piece, skipped, bytes),
            whole.kept ? std::shared_ptr<const std::byte>(whole.kept, whole.kept.get() + skipped) : nullptr};
}

}  // namespace dcube::detail
