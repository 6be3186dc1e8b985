#pragma once
// Slots: the receiver's view of a packet of a Python program. The packet's header word points to its slot, so the type
// and the shape of an array come along without a byte on the link.
//
// The slots of a link are a ring. One is used again when its packet was taken in an earlier step; if a ring has none
// such, it gets another one. So a packet's memory lives as long as it may be read, whatever the program does.

#include "python/src/bind.hpp"

#include <dcube/node.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace dcube::python {

/// The content of a packet.
struct Content {
    enum class Kind : std::uint8_t { boolean, integer, unsigned_integer, real, bytes, scalar, array };

    Kind kind = Kind::boolean;
    bool lent = false;           ///< of arrays: `object` shows the sender's own memory
    std::uint64_t word = 0;      ///< of numbers: as they lie in memory
    PyObject* object = nullptr;  ///< owned: the bytes, or an array (a scalar's: of no dimensions)
};

struct Slot {
    static constexpr Step under_way = std::numeric_limits<Step>::max();

    Content content{};
    Slot* next = nullptr;  ///< in the ring
    Step taken = 0;        ///< the step in which its packet was taken

    [[nodiscard]] std::span<const std::byte> bytes() const;
};

/// Called when no packet is in transit any more: all slots of the ring can be filled. `last` is one of them, or null.
void free_ring(Slot* last);

/// All slots of a run.
class Slots {
public:
    Slots() = default;
    ~Slots() { clear(); }
    Slots(const Slots&) = delete;
    Slots& operator=(const Slots&) = delete;

    /// A slot that can be filled in this step: the one after `last`, if its packet has been taken, or a new one.
    Slot& one_after(Slot* last, Step now)
    {
        return last && last->next->taken < now ? *last->next : another_after(last);
    }

    void clear();

private:
    Slot& another_after(Slot* last);

    std::deque<Slot> slots_;
};

/// The array's elements, which lie one after the other. Null, with a Python error set, if it is no C-contiguous array
/// of plain elements, or may not be written. `role` is its name in messages ("out").
std::optional<std::span<const std::byte>> readable(PyObject* array, const char* role);
std::optional<std::span<std::byte>> writable(PyObject* array, const char* role);

/// The content to be sent, with a reference of its own; empty with a Python error set if it cannot be sent. `copy` is
/// false for arrays that are lent.
std::optional<Content> content_of(PyObject* what, bool copy);

/// A new array of such a type and shape, uninitialised, or with the same elements. Null with a Python error set.
PyObject* empty_like(PyObject* array);
PyObject* copy_of(PyObject* array);
/// The array must be C-contiguous.
std::span<std::byte> elements(PyObject* array);
bool is_contiguous(PyObject* array);
/// Whether the memory behind a view is still its owner's.
bool is_there(PyObject* view);

/// The received object for bytes and numbers, and for an array that holds a scalar.
PyObject* number_of(const Content& content, const std::byte* data);
PyObject* scalar_of(PyObject* array);

/// Whether a packet can be received into this array without a change of type: their types are equivalent, or one of
/// them is bytes (uint8). Otherwise sets a TypeError.
bool fits_type(const Content& content, PyObject* array);

/// The same for two arrays.
bool same_type(PyObject* into, PyObject* from);

/// The element type of an array that is combined; empty, with a TypeError set, for others.
std::optional<ElementType> element_type_of(PyObject* array);

/// Whether it is a masked array, whose mask would be ignored.
bool is_masked(PyObject* object);

/// Weak references to an array and to those whose memory it shows, to be given back: while there are any, NumPy refuses
/// to resize it, even without refcheck.
std::vector<PyObject*> references_to(PyObject* array);

/// Whether the argument is an array. Needs NumPy, as all of these do, which is imported when the module is.
bool is_array(PyObject* object);
void import_numpy();

}  // namespace dcube::python
