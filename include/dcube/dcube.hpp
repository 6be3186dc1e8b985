#pragma once
/// All of dcube's public interface.

#include <dcube/bounds.hpp>
#include <dcube/catalogue.hpp>
#include <dcube/collective.hpp>
#include <dcube/error.hpp>
#include <dcube/forecast.hpp>
#include <dcube/judge.hpp>
#include <dcube/link.hpp>
#include <dcube/machine.hpp>
#include <dcube/matrix.hpp>
#include <dcube/memory.hpp>
#include <dcube/network.hpp>
#include <dcube/node.hpp>
#include <dcube/permutation.hpp>
#include <dcube/report.hpp>
#include <dcube/run.hpp>
#include <dcube/task.hpp>
#include <dcube/topology.hpp>
