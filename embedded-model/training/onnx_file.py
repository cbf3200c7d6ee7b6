"""Writes ONNX files: as much of the protobuf format as the tiny model needs, so that no package is needed for it."""

import struct
from typing import Iterable

import numpy as np

TYPES = {'float32': 1, 'int8': 3, 'int64': 7}


def varint(number: int) -> bytes:
    number &= (1 << 64) - 1
    written = b''
    while number > 127:
        written += bytes([number & 127 | 128])
        number >>= 7
    return written + bytes([number])


def field(number: int, value: int | float | str | bytes) -> bytes:
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    if isinstance(value, float):
        return varint(number << 3 | 5) + struct.pack('<f', value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def fields(number: int, values: Iterable[int | float | str | bytes]) -> bytes:
    return b''.join(field(number, value) for value in values)


def tensor(name: str, values: np.ndarray) -> bytes:
    return fields(1, map(int, values.shape)) + field(2, TYPES[str(values.dtype)]) + field(8, name) + field(9, values.tobytes())


def attribute(name: str, value: int | float | list[int]) -> bytes:
    if isinstance(value, list):
        return field(1, name) + fields(8, value) + field(20, 7)
    return field(1, name) + (field(3, value) + field(20, 2) if isinstance(value, int) else field(2, value) + field(20, 1))


def value_info(name: str, kind: str, dimensions: list[int | str]) -> bytes:
    shape = b''.join(field(1, field(1, size) if isinstance(size, int) else field(2, size)) for size in dimensions)
    return field(1, name) + field(2, field(1, field(1, TYPES[kind]) + field(2, shape)))


class Graph:
    """Nodes are added in the order in which they run; each call returns the name of its first result."""

    def __init__(self) -> None:
        self.nodes: list[bytes] = []
        self.constants: list[bytes] = []
        self.inputs: list[bytes] = []
        self.outputs: list[bytes] = []

    def constant(self, name: str, values: np.ndarray) -> str:
        self.constants.append(tensor(name, np.asarray(values)))
        return name

    def node(self, operator: str, inputs: list[str], outputs: list[str], domain: str = '', **attributes: int | float | list[int]) -> str:
        written = fields(1, inputs) + fields(2, outputs) + field(4, operator)
        written += fields(5, (attribute(name, value) for name, value in attributes.items()))
        self.nodes.append(written + (field(7, domain) if domain else b''))
        return outputs[0]

    def input(self, name: str, kind: str, dimensions: list[int | str]) -> str:
        self.inputs.append(value_info(name, kind, dimensions))
        return name

    def output(self, name: str, kind: str, dimensions: list[int | str]) -> None:
        self.outputs.append(value_info(name, kind, dimensions))

    def file(self, name: str) -> bytes:
        graph = fields(1, self.nodes) + field(2, name) + fields(5, self.constants) + fields(11, self.inputs) + fields(12, self.outputs)
        operators = [field(1, '') + field(2, 17), field(1, 'com.microsoft') + field(2, 1)]
        return field(1, 8) + field(2, 'rolecall') + field(7, graph) + fields(8, operators)
