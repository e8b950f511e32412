"""Arrays of a batch on the device, which others share without a copy: by the CUDA array interface and by DLPack."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from numba import cuda

from parlour.engine.cuda.device import is_simulated

CUDA_DEVICE = 2  # DLPack's number for it
KINDS = {"i": 0, "u": 1, "f": 2, "b": 6}  # DLPack's numbers for types, by NumPy's letters


class Array:
    """An array on the device. ``numpy()`` copies it to the host; PyTorch, CuPy and JAX share it as it is.

    ``flat`` is the memory that it is in, from its first item on, as Numba's kernels take it.
    """

    def __init__(self, flat: Any, shape: tuple[int, ...], strides: tuple[int, ...] | None = None) -> None:
        self.flat, self.shape, self.dtype = flat, shape, flat.dtype
        self.strides = strides or _contiguous(shape, self.dtype.itemsize)

    @classmethod
    def new(cls, shape: tuple[int, ...], kind: Any) -> Array:
        """An array whose items may be anything."""
        return cls(cuda.device_array(int(np.prod(shape, dtype=np.int64)), np.dtype(kind)), shape)

    @classmethod
    def of(cls, given: Any) -> Array:
        """The array on the device that somebody else made."""
        if isinstance(given, Array):
            return given
        shared = cuda.as_cuda_array(given)
        if not shared.is_c_contiguous():
            raise ValueError("an array from elsewhere must be contiguous")
        return cls(shared.reshape(-1), tuple(shared.shape))

    def __len__(self) -> int:
        return self.shape[0]

    @property
    def size(self) -> int:
        return int(np.prod(self.shape, dtype=np.int64))

    def __repr__(self) -> str:
        return f"<Array on the device, {self.shape} of {self.dtype}>"

    def numpy(self) -> Any:
        """A copy on the host."""
        items = self.flat.copy_to_host()
        return np.lib.stride_tricks.as_strided(items, self.shape, self.strides).copy()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        if copy is False:
            raise ValueError("an array on the device is copied to the host")
        return self.numpy() if dtype is None else self.numpy().astype(dtype)

    @property
    def pointer(self) -> int:
        return int(self.flat.__cuda_array_interface__["data"][0]) if self.flat.size else 0

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {
            "shape": self.shape,
            "strides": self.strides,
            "typestr": self.dtype.str,
            "data": (self.pointer, False),
            "version": 3,
        }

    def __dlpack_device__(self) -> tuple[int, int]:
        return CUDA_DEVICE, 0 if is_simulated() else int(cuda.get_current_device().id)

    def __dlpack__(self, *, stream: Any = None, **_: Any) -> Any:
        cuda.synchronize()  # so that whoever takes it may use any stream
        return _capsule(self)


def is_on_device(given: Any) -> bool:
    return isinstance(given, Array) or hasattr(given, "__cuda_array_interface__")


def _contiguous(shape: tuple[int, ...], size: int) -> tuple[int, ...]:
    strides: list[int] = []
    for length in reversed(shape):
        strides.insert(0, size)
        size *= length
    return tuple(strides)


class _Tensor(ctypes.Structure):
    """DLPack's DLManagedTensor."""


_Delete = ctypes.CFUNCTYPE(None, ctypes.POINTER(_Tensor))
_Tensor._fields_ = (
    ("data", ctypes.c_void_p),
    ("device_type", ctypes.c_int32),
    ("device_id", ctypes.c_int32),
    ("ndim", ctypes.c_int32),
    ("code", ctypes.c_uint8),
    ("bits", ctypes.c_uint8),
    ("lanes", ctypes.c_uint16),
    ("shape", ctypes.POINTER(ctypes.c_int64)),
    ("strides", ctypes.POINTER(ctypes.c_int64)),
    ("byte_offset", ctypes.c_uint64),
    ("context", ctypes.c_void_p),
    ("delete", _Delete),
)
_NAME = b"dltensor"
_lent: dict[int, tuple[Any, ...]] = {}  # what must stay as long as others have it


def _give_back(tensor: Any) -> None:
    _lent.pop(ctypes.addressof(tensor.contents), None)


_Destroy = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_python = ctypes.pythonapi
_python.PyCapsule_New.restype = ctypes.py_object
_python.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, _Destroy]
_python.PyCapsule_IsValid.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
_python.PyCapsule_GetPointer.restype = ctypes.c_void_p
_python.PyCapsule_GetPointer.argtypes = [ctypes.c_void_p, ctypes.c_char_p]


def _forget(capsule: int) -> None:
    """A capsule that nobody took: whoever takes it gives it another name."""
    if _python.PyCapsule_IsValid(capsule, _NAME):
        _lent.pop(_python.PyCapsule_GetPointer(capsule, _NAME), None)


_given_back, _forgotten = _Delete(_give_back), _Destroy(_forget)


def _capsule(array: Array) -> Any:
    size, count = array.dtype.itemsize, len(array.shape)
    numbers = ctypes.c_int64 * max(count, 1)
    shape, strides = numbers(*array.shape), numbers(*(stride // size for stride in array.strides))
    kind, device = KINDS[array.dtype.kind], array.__dlpack_device__()
    tensor = _Tensor(array.pointer, *device, count, kind, 8 * size, 1, shape, strides, 0, None, _given_back)
    _lent[ctypes.addressof(tensor)] = (tensor, shape, strides, array)
    return _python.PyCapsule_New(ctypes.addressof(tensor), _NAME, _forgotten)
