// The plans of DISTRIBUTE 2. Stout & Wagar 1990, section 5, have one plan for a cube, of k waves that grow by a factor
// r from the last to the first: (2^d - 1) tau m/d + k beta for messages that are long enough. Ours: the time of any
// plan without a run, and so the choice of the best for any length.
//
// All nodes at distance j from the root act alike, so the time follows one link of each level: a wavelet for distance s
// carries C(d,s) m bytes over the d C(d-1,j) links from level j to j + 1, behind the wavelets before it.

#include "algorithms/papers/stout_wagar/wave_plan.hpp"

#include "algorithms/programs/cube.hpp"
#include "base/names.hpp"
#include "base/numbers.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace dcube::detail {

Exact wave_plan_time(const WavePlan& plan, unsigned d, const Exact& m, const LinkCosts& costs)
{
    Exact now = 0;
    std::vector<Exact> free_from(d);  // by the distance of the sending nodes from the root
    Exact finish = 0;
    for (const Wave& wave : plan) {
        for (const Wavelet& wavelet : wave)
            now += costs.tau * Exact(choose(d, wavelet.distance)) / d * (wavelet.end - wavelet.begin) * m;
        now += costs.beta;
        for (const Wavelet& wavelet : wave) {
            const Exact bytes = Exact(choose(d, wavelet.distance)) * (wavelet.end - wavelet.begin) * m;
            Exact arrival = now;
            for (unsigned j = 1; j < wavelet.distance; ++j) {
                const Exact start = std::max(free_from[j], arrival);
                arrival = free_from[j] = start + costs.packet(bytes / d / Exact(choose(d - 1, j)));
            }
            finish = std::max(finish, arrival);
        }
    }
    return finish;
}

namespace {

// d..1 with a bar behind every distance s whose bit s - 2 is set; distance 1 is a wave of its own.
WavePlan whole_classes(unsigned d, NodeId bars)
{
    WavePlan plan(1);
    for (unsigned s = d; s >= 2; --s) {
        plan.back().push_back({s});
        if (has_bit(bars, s - 2) && s > 2)
            plan.emplace_back();
    }
    if (d >= 2)
        plan.emplace_back();
    plan.back().push_back({1});
    return plan;
}

}  // namespace

// (The paper's quotient is 0/0 at d = 2.)
unsigned least_waves(unsigned d)
{
    Integer reach = 0;
    Integer power = 1;
    unsigned k = 0;
    for (; d * reach < (Integer(1) << d) - 1; ++k) {
        reach += power;
        power *= d - 1;
    }
    return k;
}

namespace {

// r with d (1 + r + .. + r^(k-1)) = 2^d - 1, rounded up to thousandths.
Exact growth(unsigned d, unsigned k)
{
    const double wanted = (static_cast<double>(bit(d)) - 1) / d;
    double low = 0;
    double high = d;
    for (int i = 0; i < 60; ++i) {
        const double r = (low + high) / 2;
        double sum = 0;
        for (unsigned j = 0; j < k; ++j)
            sum = sum * r + 1;
        (sum < wanted ? low : high) = r;
    }
    return Exact(static_cast<long>(high * 1000) + 1) / 1000;
}

// Wave i before the last carries at most r^i m a link. From the last wave backwards they are filled with the messages
// for distance 2, 3, .., d; those that do not fit are split, and the first wave takes the rest. (So the last wave but
// one does not hold all of distance 2 if r < (d-1)/2.)
WavePlan split_classes(unsigned d)
{
    const unsigned k = least_waves(d);
    const Exact r = growth(d, k);
    std::vector<Wave> backwards{{Wavelet{1}}};
    Exact room = r;
    Exact capacity = r;
    backwards.emplace_back();
    for (unsigned s = 2; s <= d; ++s) {
        const Exact weight = Exact(choose(d, s)) / d;
        Exact end = 1;
        while (end > 0) {
            const bool first = backwards.size() == k;
            if (room <= 0 && !first) {
                capacity *= r;
                room = capacity;
                backwards.emplace_back();
                continue;
            }
            const Exact share = first ? end : std::min<Exact>(end, room / weight);
            backwards.back().insert(backwards.back().begin(), Wavelet{s, end - share, end});
            end -= share;
            room -= share * weight;
        }
    }
    return {backwards.rbegin(), backwards.rend()};
}

}  // namespace

WavePlan best_wave_plan(unsigned d, const Exact& m, const LinkCosts& costs)
{
    if (d == 0)
        return {};
    constexpr unsigned most_bars = 12;  // in larger cubes only the farthest classes are tried together
    WavePlan best = whole_classes(d, 0);
    Exact least = wave_plan_time(best, d, m, costs);
    const auto consider = [&](WavePlan plan) {
        if (const Exact time = wave_plan_time(plan, d, m, costs); time < least) {
            least = time;
            best = std::move(plan);
        }
    };
    if (d >= 3) {
        const unsigned bars = d - 2;
        for (NodeId choice = 1; choice < bit(std::min(bars, most_bars)); ++choice)
            consider(whole_classes(d, choice << 1));
        consider(split_classes(d));
    }
    return best;
}

namespace {

[[noreturn]] void refuse(std::string_view text, unsigned d)
{
    throw InvalidArgument(fmt::format("{} is not a wave plan for {} dimensions: it names {} to 1 once each, in falling "
                                      "order, with | between waves; examples: '432|1', '7..3|2|1'",
                                      quoted(text), d, d));
}

unsigned distance_of(std::string_view word, std::string_view plan, unsigned d)
{
    const std::optional<unsigned> value = parsed_number<unsigned>(word);
    if (!value || *value == 0 || *value > d)
        refuse(plan, d);
    return *value;
}

// "7..3", or "12", or digits that are a distance each.
void read_word(std::string_view word, std::string_view plan, unsigned d, Wave& wave)
{
    if (const std::size_t dots = word.find(".."); dots != std::string_view::npos) {
        const unsigned last = distance_of(word.substr(dots + 2), plan, d);
        for (unsigned s = distance_of(word.substr(0, dots), plan, d); s >= last; --s)
            wave.push_back({s});
        return;
    }
    const std::optional<unsigned> value = parsed_number<unsigned>(word);
    if (value && *value >= 1 && *value <= d && (word.size() == 1 || d >= 10)) {
        wave.push_back({*value});
        return;
    }
    for (std::size_t i = 0; i < word.size(); ++i)
        wave.push_back({distance_of(word.substr(i, 1), plan, d)});
}

}  // namespace

WavePlan parse_wave_plan(std::string_view text, unsigned d)
{
    WavePlan plan;
    unsigned next = d;
    for (const std::string& wave : split(text, "|")) {
        plan.emplace_back();
        for (const std::string& word : split(wave, ",")) {
            if (word.empty())
                refuse(text, d);
            read_word(word, text, d, plan.back());
        }
        for (const Wavelet& wavelet : plan.back())
            if (wavelet.distance != next--)
                refuse(text, d);
    }
    if (next != 0)
        refuse(text, d);
    return plan;
}

}  // namespace dcube::detail
