#pragma once
// Memory in huge pages where the system gives them, as dcube's machines have it (base/memory.hpp).

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

namespace peer {

class Memory {
public:
    /// Zeros.
    explicit Memory(std::size_t bytes)
        : memory_(static_cast<std::byte*>(std::aligned_alloc(page, (bytes + page - 1) / page * page)))
    {
        if (!memory_)
            throw std::bad_alloc();
        madvise(memory_.get(), bytes, MADV_HUGEPAGE);  // a wish
        std::memset(memory_.get(), 0, bytes);
    }

    std::byte* data() { return memory_.get(); }
    [[nodiscard]] const std::byte* data() const { return memory_.get(); }

private:
    static constexpr std::size_t page = std::size_t{2} << 20;

    struct Free {
        void operator()(std::byte* memory) const { std::free(memory); }
    };
    std::unique_ptr<std::byte, Free> memory_;
};

}  // namespace peer
