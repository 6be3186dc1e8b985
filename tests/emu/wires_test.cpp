// Wires: the ends of a link see what a list of packets says, whatever the capacity.

#include "emu/atomic_word.hpp"
#include "emu/queues.hpp"
#include "emu/wires.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random_draw.hpp"

#include <cstring>
#include <deque>
#include <vector>

using namespace dcube;
using namespace dcube::detail;

namespace {

// The meaning of a wire, written plainly.
struct Model {
    std::size_t capacity;
    std::deque<Step> waiting{};  // since when
    std::size_t waited = 0;      // when the step began
    std::size_t taken = 0;       // in the step

    [[nodiscard]] bool busy(Step step) const { return !waiting.empty() && waiting.back() == step; }
    [[nodiscard]] bool full() const { return waiting.size() == capacity + 1; }
    [[nodiscard]] bool waits(Step step) const { return !waiting.empty() && waiting.front() < step; }
    [[nodiscard]] bool overfull(Step step) const { return full() && waiting.back() < step; }
    [[nodiscard]] bool has_room(Step step) const { return !busy(step) && waited < capacity; }
};

void check_ends(const Wires& wires, const Model& model, Step step)
{
    const Outlet outlet = wires.outlet(1, step);
    CHECK(outlet.busy == model.busy(step));
    CHECK(outlet.full == model.full());
    if (model.full())
        CHECK(outlet.newest == model.waiting.back());
    CHECK(wires.sent_in(1, step).has_value() == model.busy(step));
    CHECK(wires.has_room(1, step) == model.has_room(step));
    const Inlet inlet = wires.inlet(1, step);
    CHECK(inlet.waits == model.waits(step));
    CHECK(inlet.overfull == model.overfull(step));
    if (model.waits(step))
        CHECK(inlet.oldest == model.waiting.front());
    if (model.overfull(step))
        CHECK(inlet.newest == model.waiting.back());
}

}  // namespace

TEST_CASE("both ends of a link see what waits, in its order, whatever the capacity", "[emu]")
{
    for (const std::size_t capacity : {1U, 2U, 3U, 7U, 64U}) {
        CAPTURE(capacity);
        Wires wires(3, capacity);
        Model model{capacity};
        const std::vector<std::byte> bytes(2000);
        std::deque<const std::byte*> sent;
        test_support::Draw draw(capacity);
        for (Step step = 1; step < 1500; ++step) {
            CAPTURE(step);
            const bool filling = step / 150 % 2 == 0;  // now more is sent than taken, now less
            model.waited = model.waiting.size();
            model.taken = 0;
            check_ends(wires, model, step);
            for (const bool sends : {draw.below(2) == 0, draw.below(2) == 0}) {  // in any order
                if (sends && !model.full() && !model.busy(step) && (filling || draw.below(3) == 0)) {
                    sent.push_back(&bytes[step]);
                    CHECK_FALSE(wires.put(1, wires.outlet(1, step).place, {sent.back(), 1, step % 2}, step));
                    model.waiting.push_back(step);
                } else if (model.waits(step) && (!filling || draw.below(4) == 0)) {
                    const std::uint32_t place = wires.inlet(1, step).place;
                    CHECK(wires.front(1, place).data == sent.front());
                    CHECK(wires.front(1, place).header == model.waiting.front() % 2);
                    wires.empty(1, place, step);
                    sent.pop_front();
                    model.waiting.pop_front();
                    ++model.taken;
                }
                check_ends(wires, model, step);
            }
            const Turnover turnover = wires.turnover(1, step);
            CHECK(turnover.oldest == (model.waiting.empty() ? Turnover::none : model.waiting.front()));
            if (!model.busy(step))  // else a place may be full again (borders ask before)
                CHECK(turnover.taken == model.taken);
        }
        wires.reset(1);
        check_ends(wires, {capacity}, 1);
    }
}

namespace {

// A receiver that looks in every step, before the sender sends or after it, and puts its bell out when it finds
// nothing. A sender in the step after a look in vain must find the bell; and a sender to a receiver that never waited
// must find none.
template <class Channels>
void check_bells(Channels& channels, std::uint64_t seed)
{
    const std::byte byte{};
    test_support::Draw draw(seed);
    bool waited = false;  // since the step before
    int rung = 0;
    for (Step step = 1; step < 2000; ++step) {
        CAPTURE(step);
        const bool waits = !channels.inlet(1, step).waits;
        const auto look = [&] {
            if (waits)
                channels.put_bell(1, step);
            else
                channels.empty(1, channels.inlet(1, step).place, step);
        };
        const bool looks_first = draw.below(2) == 0;
        if (looks_first)
            look();
        if (draw.below(1 + step / 100 % 5) == 0) {
            const bool rings = channels.put(1, channels.outlet(1, step).place, {&byte, 1, 0}, step);
            if (waits && waited)
                CHECK(rings);
            rung += rings;
            CHECK_FALSE(channels.put(2, channels.outlet(2, step).place, {&byte, 1, 0}, step));
            channels.empty(2, channels.inlet(2, step + 1).place, step);
        }
        if (!looks_first)
            look();
        CHECK(channels.inlet(1, step).waits == false);
        waited = waits;
    }
    CHECK(rung > 100);
}

}  // namespace

TEST_CASE("a packet rings for who waits at its link, and for nobody at another", "[emu]")
{
    for (const std::size_t capacity : {1U, 2U, 3U, 64U}) {
        CAPTURE(capacity);
        Wires wires(3, capacity);
        check_bells(wires, capacity);
        Queues queues(3, capacity);
        for (const std::uint64_t link : {1U, 2U})
            queues.make(link);
        check_bells(queues, capacity);
    }
}

TEST_CASE("a place that was emptied in a step is filled in a later one", "[emu]")
{
    Wires wires(3, 1);
    const std::byte byte{};
    const auto send = [&](Step step) {
        const std::uint32_t place = wires.outlet(1, step).place;
        CHECK_FALSE(wires.put(1, place, {&byte, 1, 0}, step));
        return place;
    };
    CHECK(send(1) == 1);
    CHECK(wires.inlet(1, 3).place == 1);   // it has waited for a step
    CHECK(wires.outlet(1, 3).place == 0);  // whether it is taken before the next one is sent, or after that
    wires.empty(1, 1, 3);
    CHECK(send(3) == 0);
    CHECK(wires.outlet(1, 3).busy);
    CHECK(wires.inlet(1, 4).place == 0);
    wires.empty(1, 0, 4);
    CHECK(send(5) == 1);
}

TEST_CASE("a place may hold a packet itself", "[emu]")
{
    Wires wires(3, 1);
    const std::uint64_t packet = 0x0123456789abcdef;
    wires.data(0)[1] = packet;
    wires.states(0)[1] = Place::full_since(2, 8 | Place::held);
    REQUIRE(wires.inlet(1, 3).waits);
    const Parcel parcel = wires.front(1, wires.inlet(1, 3).place);
    CHECK(parcel.bytes == 8);
    CHECK(parcel.header == 0);
    CHECK_FALSE(parcel.is_joined());
    CHECK(std::memcmp(parcel.data, &packet, 8) == 0);
}

TEMPLATE_TEST_CASE("wires: words of plain memory are read and written as atomic ones", "[emu]", AtomicWord,
                   OwnAtomicWord)
{
    std::uint64_t memory = 5;
    const TestType word(memory);
    CHECK(word.load(std::memory_order_acquire) == 5);
    word.store(7, std::memory_order_release);
    CHECK(memory == 7);
    std::uint64_t expected = 6;
    CHECK_FALSE(word.compare_exchange_strong(expected, 8, std::memory_order_relaxed));
    CHECK(expected == 7);
    CHECK(memory == 7);
    CHECK(word.compare_exchange_strong(expected, 8, std::memory_order_relaxed));
    CHECK(memory == 8);
}
