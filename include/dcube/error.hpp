#pragma once
/// @file
/// The errors of dcube. Every message is one line that says what is wrong and, for input, what is allowed. It is made
/// last, by the face that prints it: errors keep what they are about.

#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)
namespace dcube {

/// @addtogroup program
/// @{

/// The base of all of dcube's own exceptions.
struct Error : std::runtime_error {
    using std::runtime_error::runtime_error;  ///< with the message
};

/// A parameter, a size or a file is not usable. The program exits with 2.
///
/// Its parts stay apart, because faces call a key by different names: a report has tau_ns_per_byte, the command line
/// --tau, a form a label. Its message is the line with the keys themselves.
struct InvalidArgument : Error {
    /// A face's name for a key.
    using Name = std::function<std::string(std::string_view key)>;

    /// A complete sentence. Keys inside it are written with mention().
    explicit InvalidArgument(std::string_view sentence);
    /// The key's value, as it was given, is wrong: ("rows", "0", "is out of range: 1 to 8 are allowed"). Nothing was
    /// given: ("rows", "", "is missing: a matrix has a size").
    InvalidArgument(std::string_view key, std::string_view value, std::string_view reason);
    /// A complete sentence about the key: ("peer", "both ends are node 3: send needs two different nodes").
    InvalidArgument(std::string_view key, std::string_view sentence);
    /// The same error, attributed to this key unless it already names one: ("ports", "'x' is not a port model").
    InvalidArgument(std::string_view key, const InvalidArgument& error);

    /// The line as a face prints it.
    [[nodiscard]] std::string sentence(const Name& name_of) const;
    /// The line without its key, for a form that shows it at the key's field.
    [[nodiscard]] std::string at_its_place(const Name& name_of) const;

    std::string about;  ///< the key, or empty
    std::string given;  ///< the value as it was given, or empty
    std::string why;    ///< the reason and what is allowed, with keys as mention() writes them
    bool is_sentence;   ///< `why` is a complete sentence; otherwise key and value are its subject
};

/// A key within a sentence, where a face puts its own name for it.
std::string mention(std::string_view key);
/// A piece of a sentence: a text, or a key that it mentions.
struct SentencePart {
    bool is_key;            ///< a key, for which a face has a name
    std::string_view text;  ///< within the sentence that was taken apart
};
/// The pieces of a sentence, in order.
std::vector<SentencePart> parts_of(std::string_view sentence);
/// The sentence with these names in place of the keys.
std::string named(std::string_view sentence, const InvalidArgument::Name& name_of);

/// The rules of the machine (all of them are always enforced).
enum class Rule : std::uint8_t {
    no_such_port,        ///< a node used a port that it does not have
    link_busy,           ///< a second packet on one directed link in one step
    second_send,         ///< a second send of a node in one step of a one-port machine
    second_receive,      ///< a second arrival at a node in one step of a one-port machine; half duplex: or its own send
    channel_full,        ///< more packets left waiting in a channel than its capacity
    nothing_arrived,     ///< a receive from a port where no packet waits
    size_mismatch,       ///< a packet of another size than the program made room for
    never_received,      ///< the run ended with a packet still in a channel
    lent_bytes_changed,  ///< a sender changed the bytes it had lent before the receiver had its step
    deadlock,            ///< every node that is left waits for a packet or for room, and nothing is under way
    time_overflow,       ///< a virtual time that does not fit in 64 bits
    too_many_steps,      ///< a run of more than 2^31-2 steps
    not_together,        ///< some nodes began what takes all of them, and others did not
    task_not_awaited,    ///< a task was made and never awaited
    no_such_task,        ///< the awaited task is another node's, or has ended or is awaited already
    packet_lost,         ///< a packet was lost on a link that had failed, and its receiver counts on it
    stray_packet,        ///< a packet waited at a node that began what takes all of them
};

/// The rule's name as messages spell it: "link-busy".
std::string_view name(Rule rule);

/// A program broke a rule of the machine. The program `dcube` exits with 1.
struct RuleViolation : Error {
    /// Stands for the port in rules about tasks.
    static constexpr std::uint32_t no_port = ~std::uint32_t{0};
    /// A packet, named by its sender and the step in which it was sent.
    struct Packet {
        std::uint32_t sender;  ///< the node that sent it
        std::uint32_t step;    ///< when it was sent
    };

    /// Made by the machine.
    RuleViolation(Rule rule, std::uint32_t step, std::uint32_t node, std::uint32_t port, std::string detail);

    Rule rule;           ///< the rule that was broken
    std::uint32_t step;  ///< when: steps begin with 1
    std::uint32_t node;  ///< where
    std::uint32_t port;  ///< where, or no_port
    std::string detail;  ///< the message without what the other members say
    /// The packet whose bytes were changed, or that was never received; none for other rules.
    std::optional<Packet> packet{};

    /// A node that waits, and at which port; no_port: at any of several.
    struct Waits {
        std::uint32_t node;  ///< that waits
        std::uint32_t port;  ///< for a packet, or for room
    };
    /// In a deadlock the nodes that wait, ascending; empty for other rules.
    std::vector<Waits> waiting{};
};

/// A program threw an exception of its own; that exception is nested (std::rethrow_if_nested).
struct ProgramError : Error {
    /// Made by the machine.
    ProgramError(std::uint32_t step, std::uint32_t node, std::string detail);

    std::uint32_t step;  ///< when: steps begin with 1
    std::uint32_t node;  ///< whose program it was
    std::string detail;  ///< the exception's own message
};

/// The result of the nodes, or a claim of a trace, does not satisfy the collective. The program `dcube` exits with 1.
struct VerificationError : Error {
    using Error::Error;

    std::optional<std::uint32_t> node{};    ///< that does not hold what it should, where it is one
    std::optional<std::uint32_t> origin{};  ///< whose message is wrong there, where it is one's
};

/// A stop was requested while a run was under way. The program `dcube` exits with 130.
struct Interrupted : Error {
    /// Made where a stop is noticed.
    Interrupted() : Error("interrupted") {}
};

/// @}

}  // namespace dcube
#pragma GCC visibility pop
