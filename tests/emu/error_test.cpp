// Errors keep what they are about; a face makes the sentence.

#include "base/names.hpp"
#include "base/numbers.hpp"
#include "emu/remote_error.hpp"
#include "tests/support/catch.hpp"

#include <dcube/error.hpp>
#include <dcube/faults.hpp>
#include <dcube/link.hpp>
#include <dcube/machine.hpp>
#include <dcube/topology.hpp>

#include <exception>
#include <string>

using namespace dcube;

namespace {

std::string shouted(std::string_view key)
{
    return "<" + std::string(key) + ">";
}

template <class Call>
InvalidArgument refusal(Call call)
{
    try {
        call();
    } catch (const InvalidArgument& error) {
        return error;
    }
    throw std::logic_error("nothing was refused");
}

}  // namespace

TEST_CASE("errors: a value that is refused is the subject of its sentence", "[emu][negative]")
{
    const InvalidArgument error = refusal([] { parse_number("rows", "9", {1, 8}); });
    CHECK(error.about == "rows");
    CHECK(error.given == "9");
    CHECK(error.why == "is too large: 1 to 8 are allowed");
    CHECK(error.what() == std::string("rows 9 is too large: 1 to 8 are allowed"));
    CHECK(error.sentence(shouted) == "<rows> 9 is too large: 1 to 8 are allowed");
    CHECK(error.at_its_place(shouted) == "9 is too large: 1 to 8 are allowed");
}

TEST_CASE("errors: a key that was given nothing is the subject of its sentence, other keys stand in it",
          "[emu][negative]")
{
    const InvalidArgument error("peer", "", "is missing: it goes from " + mention("root") + " to it");
    CHECK(error.what() == std::string("peer is missing: it goes from root to it"));
    CHECK(error.sentence(shouted) == "<peer> is missing: it goes from <root> to it");
    CHECK(error.at_its_place(shouted) == "is missing: it goes from <root> to it");
}

TEST_CASE("errors: a sentence of its own stands behind the key that it is found to be about", "[emu][negative]")
{
    const InvalidArgument error = refusal([] {
        about("ports", [] { about("ignored", [] { throw InvalidArgument("there are " + mention("a") + " ports"); }); });
    });
    CHECK(error.about == "ignored");  // the innermost knows best
    CHECK(error.what() == std::string("ignored: there are a ports"));
    CHECK(error.sentence(shouted) == "<ignored>: there are <a> ports");
    CHECK(InvalidArgument("alone").sentence(shouted) == "alone");
    CHECK(InvalidArgument("peer", "both ends are " + mention("root")).sentence(shouted) ==
          "<peer>: both ends are <root>");
    CHECK(refusal([] { prefixed("f", [] { throw InvalidArgument("k", "5", "is odd"); }); }).sentence(shouted) ==
          "f: <k> 5 is odd");
}

TEST_CASE("errors: a sentence falls apart in texts and keys, and nothing is lost", "[emu]")
{
    const std::string sentence = mention("a") + " and " + mention("b") + mention("c") + ".";
    std::string parts;
    for (const auto& [is_key, text] : parts_of(sentence))
        parts += (is_key ? "[" : "(") + std::string(text) + (is_key ? "]" : ")");
    CHECK(parts == "[a]( and )[b][c](.)");
    CHECK(parts_of("").empty());
    CHECK(named("\x01never ended", shouted) == "<never ended>");
}

TEST_CASE("errors: text that a user has written mentions no key", "[emu][negative]")
{
    const std::string text = mention("rows");
    const auto sentence = [](auto read) { return refusal(read).sentence(shouted); };
    CHECK(sentence([&] { parse_size("bytes", text); }).starts_with("<bytes> '?rows?' is not a size"));
    CHECK(sentence([&] { parse_link(text); }).starts_with("'?rows?' is not a link model"));
    CHECK(sentence([&] { parse_channel(text); }).starts_with("'?rows?' is not a channel kind"));
    CHECK(sentence([&] { parse_faults(text); }).starts_with("'?rows?' is neither a link"));
    CHECK(sentence([&] { Topology::parse(text); }).starts_with("'?rows?' is not a topology"));
}

TEST_CASE("errors: over ranks an error keeps what it is about", "[emu][negative]")
{
    const auto sent = [](const InvalidArgument& error) {
        try {
            std::rethrow_exception(detail::decoded(detail::encoded(std::make_exception_ptr(error))));
        } catch (const InvalidArgument& received) {
            CHECK(received.what() == std::string(error.what()));
            CHECK(received.about == error.about);
            CHECK(received.given == error.given);
            CHECK(received.sentence(shouted) == error.sentence(shouted));
            return true;
        }
        return false;
    };
    CHECK(sent(InvalidArgument("a sentence about " + mention("rows"))));
    CHECK(sent(InvalidArgument("rows", "0", "is too small: " + mention("columns") + " are 1 or more")));
    CHECK(sent(InvalidArgument("rows", "", "is missing")));
    CHECK(sent(InvalidArgument("rows", "a sentence about " + mention("rows"))));
    CHECK(sent(InvalidArgument("rows", InvalidArgument("", "'x'", "is no layout"))));
}
