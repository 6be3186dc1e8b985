"""dcube: a multithreaded emulator of a hypercube machine."""

from . import _core
