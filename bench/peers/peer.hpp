#pragma once
// The common part of the peers in C++. Each is a program
//
//     peer-NAME --dim D --bytes B [--repeat R] [--variant NAME]
//
// that performs a total exchange between 2^D nodes, every node sending every node a block of B bytes: once to warm up,
// and then R times. Before each time the blocks are made anew, after each time every byte that a node then holds is
// compared. It prints a line of JSON for each variant (or for the one that is asked for):
//
//     {"peer": "threads", "variant": "spsc", "dim": 3, "bytes": 64, "seconds": [1.2e-5, ...], "verified": true,
//      "checksum": "16 hex digits"}
//
// Exit 2: wrong arguments, in one line; exit 1: anything else that went wrong.
//
// The data are those of dcube's own seeded runs (collectives/seeded_data.hpp, with seed 1). The checksum is the sum,
// modulo 2^64, of the FNV-1a hashes of all nodes' blocks, in order of the origins: every peer must print the same.

#include "collectives/seeded_data.hpp"

#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace peer {

struct Arguments {
    unsigned dim = 0;
    std::size_t bytes = 0;
    std::size_t repeat = 5;
    std::string variant{};  ///< empty: all

    [[nodiscard]] std::size_t nodes() const { return std::size_t{1} << dim; }
};

struct Result {
    std::vector<double> seconds{};  ///< every time but the first
    bool verified = true;           ///< after every time, the first included
    std::uint64_t checksum = 0;     ///< after the last
};

/// A variant of a peer, and what measures it.
struct Variant {
    std::string name;
    std::function<Result(const Arguments&)> measure;
};

/// The block that `origin` sends to `target`.
inline void fill(std::byte* block, std::size_t bytes, std::size_t origin, std::size_t target)
{
    dcube::pattern::write(dcube::pattern::Raw{}, dcube::pattern::message_key(1, origin, target), block, bytes);
}

inline bool is_right(const std::byte* block, std::size_t bytes, std::size_t origin, std::size_t target)
{
    return dcube::pattern::matches(dcube::pattern::Raw{}, dcube::pattern::message_key(1, origin, target), block, bytes);
}

inline constexpr std::uint64_t hash_of_nothing = 0xcbf29ce484222325U;

/// FNV-1a, carried on from `hash`.
inline std::uint64_t hashed(std::uint64_t hash, const std::byte* block, std::size_t bytes)
{
    for (std::size_t i = 0; i < bytes; ++i)
        hash = (hash ^ static_cast<std::uint64_t>(block[i])) * 0x100000001b3U;
    return hash;
}

inline double seconds_since(std::chrono::steady_clock::time_point began)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

/// Compares what all nodes hold, and hashes it. `held(target, origin)` is where that block lies.
template <class Held>
void verify(const Arguments& arguments, Result& result, const Held& held)
{
    result.checksum = 0;
    for (std::size_t target = 0; target < arguments.nodes(); ++target) {
        std::uint64_t hash = hash_of_nothing;
        for (std::size_t origin = 0; origin < arguments.nodes(); ++origin) {
            const std::byte* const block = held(target, origin);
            result.verified = is_right(block, arguments.bytes, origin, target) && result.verified;
            hash = hashed(hash, block, arguments.bytes);
        }
        result.checksum += hash;
    }
}

/// The result of an exchange in one process, which has fill(), run() and held(target, origin).
template <class Exchange>
Result measured(Exchange& exchange, const Arguments& arguments)
{
    Result result;
    for (std::size_t time = 0; time <= arguments.repeat; ++time) {
        exchange.fill();
        const auto began = std::chrono::steady_clock::now();
        exchange.run();
        if (time != 0)
            result.seconds.push_back(seconds_since(began));
        verify(arguments, result,
               [&](std::size_t target, std::size_t origin) { return exchange.held(target, origin); });
    }
    return result;
}

inline void print(const char* name, const std::string& variant, const Arguments& arguments, const Result& result)
{
    std::printf(R"({"peer": "%s", "variant": "%s", "dim": %u, "bytes": %zu, "seconds": [)", name, variant.c_str(),
                arguments.dim, arguments.bytes);
    for (std::size_t i = 0; i < result.seconds.size(); ++i)
        std::printf("%s%.9g", i == 0 ? "" : ", ", result.seconds[i]);
    std::printf(R"(], "verified": %s, "checksum": "%016llx"})"
                "\n",
                result.verified ? "true" : "false", static_cast<unsigned long long>(result.checksum));
    std::fflush(stdout);
}

[[noreturn]] inline void refuse(const char* name, const std::string& reason)
{
    std::fprintf(stderr, "peer-%s: %s\n", name, reason.c_str());
    std::exit(2);
}

inline std::size_t number(const char* name, const std::string& option, std::string_view text, std::size_t least,
                          std::size_t most)
{
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < least || value > most)
        refuse(name, option + ": '" + std::string(text) + "' is not a whole number from " + std::to_string(least) +
                         " to " + std::to_string(most));
    return value;
}

/// Ends the process with exit code 2, and a line that says why, if they are wrong.
inline Arguments parsed(const char* name, int argc, char** argv, const std::vector<Variant>& variants)
{
    Arguments arguments;
    bool has_dim = false;
    for (int i = 1; i < argc; i += 2) {
        const std::string option = argv[i];
        if (option != "--dim" && option != "--bytes" && option != "--repeat" && option != "--variant")
            refuse(name, "unknown argument '" + option + "'; allowed are --dim, --bytes, --repeat, --variant");
        if (i + 1 == argc)
            refuse(name, option + " needs a value");
        const std::string value = argv[i + 1];
        if (option == "--dim") {
            arguments.dim = static_cast<unsigned>(number(name, option, value, 1, 15));
            has_dim = true;
        } else if (option == "--bytes") {
            arguments.bytes = number(name, option, value, 1, std::size_t{1} << 30);
        } else if (option == "--repeat") {
            arguments.repeat = number(name, option, value, 1, 1000000);
        } else {
            arguments.variant = value;
        }
    }
    if (!has_dim || arguments.bytes == 0)
        refuse(name, "--dim and --bytes are needed");
    std::string names;
    for (const Variant& variant : variants) {
        if (variant.name == arguments.variant)
            return arguments;
        names += (names.empty() ? "" : ", ") + variant.name;
    }
    if (!arguments.variant.empty())
        refuse(name, "--variant: unknown variant '" + arguments.variant + "': expected " + names);
    return arguments;
}

/// The main function of a peer in one process.
inline int main(const char* name, int argc, char** argv, const std::vector<Variant>& variants)
{
    const Arguments arguments = parsed(name, argc, argv, variants);
    bool verified = true;
    try {
        for (const Variant& variant : variants) {
            if (!arguments.variant.empty() && arguments.variant != variant.name)
                continue;
            const Result result = variant.measure(arguments);
            print(name, variant.name, arguments, result);
            verified = verified && result.verified;
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "peer-%s: %s\n", name, error.what());
        return 1;
    }
    return verified ? 0 : 1;
}

}  // namespace peer
