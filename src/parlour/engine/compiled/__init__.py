"""The rules at the speed of machine code: drivers compiled by Numba from the functions that people play by."""

from parlour.engine.compiled.drivers import Drivers, drivers

__all__ = ["Drivers", "drivers"]
