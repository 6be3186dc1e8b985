#pragma once
// MPI from its initialisation to its end, and communicators. Only this folder sees MPI.

#include <mpi.h>

#include <memory>

namespace dcube::detail {

/// Initialises MPI, unless that has been done already; if it has initialised MPI, finalises it when the last owner is
/// gone.
class MpiSession {
public:
    static std::shared_ptr<MpiSession> shared();

    MpiSession();
    ~MpiSession();
    MpiSession(const MpiSession&) = delete;
    MpiSession& operator=(const MpiSession&) = delete;

    /// Ends the processes of all ranks.
    [[noreturn]] static void abort(int code) noexcept;

private:
    bool is_mine_ = false;
};

/// A communicator of all ranks, separate so that its messages are not mistaken for others.
class Communicator {
public:
    Communicator() { MPI_Comm_dup(MPI_COMM_WORLD, &handle_); }
    ~Communicator() { MPI_Comm_free(&handle_); }
    Communicator(const Communicator&) = delete;
    Communicator& operator=(const Communicator&) = delete;
    operator MPI_Comm() const { return handle_; }  // NOLINT(google-explicit-constructor): it is one

private:
    MPI_Comm handle_ = MPI_COMM_NULL;
};

}  // namespace dcube::detail
