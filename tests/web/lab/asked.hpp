#pragma once
// Requests to a lab, and their answers.

#include "run/report_fields.hpp"
#include "tests/support/catch.hpp"
#include "web/lab/lab.hpp"

#include <dcube/dcube.hpp>

#include <string>
#include <string_view>

namespace test_support {

using dcube::Json;

/// The result of a request that succeeds.
inline std::string text_of_answer(const Json& request, std::string_view name, dcube::lab::Surroundings around = {})
{
    dcube::lab::Lab lab(std::move(around));
    INFO(request.dump());
    const bool ok = lab.ask(request.dump());
    INFO((ok ? std::string() : *lab.result("error")));
    REQUIRE(ok);
    const std::string* const text = lab.result(name);
    REQUIRE(text != nullptr);
    return *text;
}

inline Json answer(const Json& request, std::string_view name, dcube::lab::Surroundings around = {})
{
    return Json::parse(text_of_answer(request, name, std::move(around)));
}

/// The error of a request that fails; there is no other result but command lines. A lab that has failed goes on.
inline Json error_of(std::string_view request, dcube::lab::Surroundings around = {})
{
    dcube::lab::Lab lab(around);
    INFO(request);
    CHECK_FALSE(lab.ask(request));
    REQUIRE(lab.result("error") != nullptr);
    for (const auto& [name, text] : lab.results())
        CHECK((name == "error" || name == "command" || name == "report_command"));
    Json error = Json::parse(*lab.result("error"));
    CHECK(lab.ask(R"({"what": "network"})"));
    CHECK(lab.result("error") == nullptr);
    return error;
}

inline Json error_of(const Json& request, dcube::lab::Surroundings around = {})
{
    return error_of(std::string_view(request.dump()), std::move(around));
}

/// The request for a run, in JSON.
inline Json request_for(const dcube::Topology& topology, dcube::PortModel ports, const dcube::Problem& problem,
                        const std::string& algorithm)
{
    Json request{{"collective", name(problem.collective)}, {"topology", topology.name()}, {"ports", name(ports)}};
    for (const dcube::ProblemField& field : dcube::problem_fields())
        if (const dcube::FieldValue value = value_of(field, problem); value != dcube::FieldValue())
            request[std::string(field.key)] = dcube::to_json(value);
    if (problem.link.bound()) {
        request["tau_ns_per_byte"] = dcube::exact(problem.link.tau);
        request["beta_ns"] = dcube::exact(problem.link.beta);
        request["clock"] = name(problem.link.clock);
    }
    request["algorithm"] = algorithm;
    return request;
}

}  // namespace test_support
