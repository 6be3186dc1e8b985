#pragma once
// What dcube self-test does: small checks of the machine, the catalogue and the judge, in groups. All of them are made
// from what is compiled in: they read and write no file.

#include <dcube/catalogue.hpp>
#include <dcube/collective.hpp>
#include <dcube/machine.hpp>
#include <dcube/world.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace dcube::cli {

struct OwnCheck {
    std::string name;            ///< "optimal on hypercube:3, all ports"
    std::function<void()> make;  ///< throws an exception that says what is wrong
};

struct CheckGroup {
    std::string name;
    std::vector<OwnCheck> checks;
};

/// All of them, in the order in which they are made. Every rank makes all.
std::vector<CheckGroup> own_checks(const std::shared_ptr<World>& world);

/// Each of the algorithms, all for one collective, on every network, port model and link model that it can do: with one
/// thread and with two, which must report the same; every byte is checked, and so is every count that the catalogue
/// promises. Over several ranks with one thread, on two of the networks.
CheckGroup checks_of_runs(Collective collective, std::span<const Algorithm* const> algorithms,
                          const std::shared_ptr<World>& world);

/// A program that breaks a rule, and where the machine has to notice it.
struct WrongProgram {
    Rule rule;
    Step step;
    NodeId node;
    Port port;  ///< RuleViolation::no_port where the rule is about none
    Machine::Program program;
    MachineOptions machine{};
    RunOptions run{};
};
/// One for each rule.
std::vector<WrongProgram> wrong_programs();
CheckGroup checks_of_rules(std::span<const WrongProgram> programs, const std::shared_ptr<World>& world);

/// What was wrong with the check on any rank, all of which make it: empty if nothing was.
std::string failure_of(const OwnCheck& check, World& world);

}  // namespace dcube::cli
