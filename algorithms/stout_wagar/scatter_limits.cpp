// What the scatters take at most, for messages that do not divide: every cut rounded up. A link from level j of the
// cube on carries one part of every message for distance s whose way it is on: C(d-1-j, s-1-j) of them.

#include "algorithms/stout_wagar/scatter.hpp"
#include "algorithms/stout_wagar/spreading_time.hpp"
#include "base/arithmetic.hpp"

#include <algorithm>
#include <vector>

namespace dcube::detail {

Exact farthest_first_limit(unsigned d, std::size_t m, const LinkCosts& costs)
{
    Exact time = 0;
    for (unsigned s = d; s >= 1; --s)  // the root's links carry the most
        time += costs.packet(Exact(choose(d - 1, s - 1)) * ceil_div(m, s));
    return time;
}

Exact farthest_first_even_limit(unsigned d, std::size_t m, const LinkCosts& costs)
{
    std::vector<std::vector<std::size_t>> largest(d + 1);
    for (unsigned s = 1; s <= d; ++s)
        largest[s] = spreading_parts(s, m);
    Exact time = 0;
    for (unsigned k = 0; k < d; ++k) {
        Exact most = 0;
        for (unsigned j = 0; j <= k; ++j) {
            const unsigned s = d - k + j;
            most = std::max<Exact>(most, Exact(choose(d - 1 - j, s - 1 - j)) * largest[s][j]);
        }
        time += costs.packet(most);
    }
    return time;
}

namespace {

// The largest packets of a wavelet, level by level. (Of messages that are shorter it may carry as much.)
std::vector<std::size_t> largest_packets(const Wavelet& wavelet, std::size_t m)
{
    const Integer share = ceiling((wavelet.end - wavelet.begin) * Exact(m));
    return spreading_parts(wavelet.distance, share.convert_to<std::size_t>());
}

}  // namespace

// As wave_plan_time(), for largest packets.
Exact waves_limit(const WavePlan& plan, unsigned d, std::size_t m, const LinkCosts& costs)
{
    Exact now = 0;
    std::vector<Exact> free_from(d);
    Exact finish = 0;
    for (const Wave& wave : plan) {
        Exact bytes = 0;
        for (const Wavelet& wavelet : wave)
            bytes += Exact(choose(d - 1, wavelet.distance - 1)) *
                     largest_packets(wavelet, m).front();
        if (bytes == 0)
            continue;
        now += costs.packet(bytes);
        for (const Wavelet& wavelet : wave) {
            const std::vector<std::size_t> largest = largest_packets(wavelet, m);
            Exact arrival = now;
            for (unsigned j = 1; j < wavelet.distance && largest[j] != 0; ++j) {
                const Exact packet = Exact(choose(d - 1 - j, wavelet.distance - 1 - j)) * largest[j];
                arrival = free_from[j] = std::max(free_from[j], arrival) + costs.packet(packet);
            }
            finish = std::max(finish, arrival);
        }
    }
    return finish;
}

Exact distribute_everywhere_limit(unsigned d, std::size_t m, const LinkCosts& costs)
{
    Exact time = 0;
    Exact bytes = 0;
    for (unsigned s = d; s >= 1; --s) {  // in every stage one more distance begins
        bytes += Exact(choose(d - 1, s - 1)) * ceil_div(m, s);
        time += costs.packet(bytes);
    }
    return time;
}

}  // namespace dcube::detail
