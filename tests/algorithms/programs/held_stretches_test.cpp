// The stretches of messages that a node holds, against the same kept byte by byte.

#include "tests/support/catch.hpp"
#include "tests/support/random_draw.hpp"

#include "algorithms/programs/held_stretches.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

using namespace dcube;
using namespace dcube::detail;

namespace {

// A stretch knows which byte of a long text it begins with.
struct Named {
    std::size_t length;
    std::uint64_t first;

    void drop(std::size_t bytes)
    {
        length -= bytes;
        first += bytes;
    }
};

constexpr std::uint64_t messages = 5;
constexpr std::size_t bytes = 3000;

class ByteByByte {
public:
    void give_away(const Fragment& fragment) { std::fill_n(at(fragment), fragment.length, std::nullopt); }
    void fill(const Fragment& fragment, std::uint64_t first)
    {
        for (std::size_t i = 0; i < fragment.length; ++i)
            if (auto& held = *(at(fragment) + static_cast<std::ptrdiff_t>(i)); !held)
                held = first + i;
    }
    [[nodiscard]] std::vector<std::optional<std::uint64_t>> of(const Fragment& fragment)
    {
        return {at(fragment), at(fragment) + static_cast<std::ptrdiff_t>(fragment.length)};
    }

private:
    std::vector<std::optional<std::uint64_t>>::iterator at(const Fragment& fragment)
    {
        return all_.begin() + static_cast<std::ptrdiff_t>(fragment.message * bytes + fragment.offset);
    }

    std::vector<std::optional<std::uint64_t>> all_{std::vector<std::optional<std::uint64_t>>(messages * bytes)};
};

// The held bytes of the fragment, one by one; the stretches must be in order, and within the fragment.
class WrittenOut {
public:
    explicit WrittenOut(const Fragment& fragment) : fragment_(fragment), held_(fragment.length) {}

    void add(const HeldStretches<Named>::Key& key, const Named& held)
    {
        sound_ = sound_ && key.message == fragment_.message && key.offset >= next_ && held.length > 0 &&
                 key.offset + held.length <= fragment_.offset + fragment_.length;
        if (!sound_)
            return;
        next_ = key.offset + held.length;
        for (std::size_t i = 0; i < held.length; ++i)
            held_[key.offset - fragment_.offset + i] = held.first + i;
    }

    [[nodiscard]] bool sound() const { return sound_; }
    [[nodiscard]] const std::vector<std::optional<std::uint64_t>>& held() const { return held_; }

private:
    Fragment fragment_;
    std::size_t next_ = fragment_.offset;
    std::vector<std::optional<std::uint64_t>> held_;
    bool sound_ = true;
};

}  // namespace

TEST_CASE("what is held of messages is what was kept and not given away, byte by byte", "[link-bound][random]")
{
    for (const std::size_t longest : {2U, 40U, 1500U}) {
        CAPTURE(longest);
        test_support::Draw draw(longest);
        HeldStretches<Named> stretches;
        ByteByByte reference;
        std::uint64_t named = 0;
        for (unsigned turn = 0; turn < 6000; ++turn) {
            Fragment fragment{draw.below(messages), draw.below(bytes), 1 + draw.below(longest)};
            fragment.length = std::min(fragment.length, bytes - fragment.offset);
            WrittenOut out(fragment);
            const auto before = reference.of(fragment);
            const auto write_out = [&](const auto& key, const Named& held) { out.add(key, held); };
            const std::uint64_t what = draw.below(10);
            if (what < 4) {
                stretches.fill(fragment, write_out, [&](const Fragment& part) {
                    return Named{part.length, named + part.offset - fragment.offset};
                });
                reference.fill(fragment, named);
                named += fragment.length;
            } else if (what < 7) {
                stretches.give_away(fragment, write_out);
                reference.give_away(fragment);
            } else {
                stretches.for_each(fragment, write_out);
            }
            REQUIRE(out.sound());
            REQUIRE(out.held() == before);
        }
    }
}
