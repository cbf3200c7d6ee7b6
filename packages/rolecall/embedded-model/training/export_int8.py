"""model.safetensors to model.int8.safetensors: int8 weights with a scale for each row, which is an output of its product.

    python export_int8.py FOLDER

Needs numpy. A matrix NAME is written as NAME, int8, and NAME_scale, float32; what has one dimension stays float32. Whoever reads the file
multiplies in float32: integer arithmetic would round by the range of whatever is in a call, so that log-probabilities would depend on how
a prompt is cut for the cache. It changed 16 of 120 choices by perplexity.
"""

import json
import struct
import sys
from pathlib import Path

import numpy as np

Weights = dict[str, np.ndarray]


def read_safetensors(file: Path) -> Weights:
    data = file.read_bytes()
    (length,) = struct.unpack('<Q', data[:8])
    header, body = json.loads(data[8 : 8 + length]), data[8 + length :]
    kinds = {'F16': np.float16, 'F32': np.float32}

    def read(entry: dict) -> np.ndarray:
        start, end = entry['data_offsets']
        return np.frombuffer(body[start:end], kinds[entry['dtype']]).reshape(entry['shape']).astype(np.float32)

    return {name: read(entry) for name, entry in header.items() if name != '__metadata__'}


def write_safetensors(weights: Weights) -> bytes:
    kinds = {'float32': 'F32', 'int8': 'I8'}
    header, body = {}, b''
    # Wider values first, so that each is where it may be read in place.
    for name, values in sorted(weights.items(), key=lambda item: -item[1].itemsize):
        start = len(body)
        body += values.tobytes()
        header[name] = {'dtype': kinds[str(values.dtype)], 'shape': list(values.shape), 'data_offsets': [start, len(body)]}
    written = json.dumps(header, separators=(',', ':')).encode()
    written += b' ' * (-len(written) % 8)
    return struct.pack('<Q', len(written)) + written + body


def int8(weights: Weights) -> Weights:
    written: Weights = {}
    for name, values in weights.items():
        if values.ndim == 1:
            written[name] = values
            continue
        scale = np.abs(values).max(axis=1, keepdims=True) / 127
        scale[scale == 0] = 1
        written[name] = np.clip(np.round(values / scale), -127, 127).astype(np.int8)
        written[f'{name}_scale'] = scale.reshape(-1).astype(np.float32)
    return written


def main(folder: Path) -> None:
    file = folder / 'model.int8.safetensors'
    file.write_bytes(write_safetensors(int8(read_safetensors(folder / 'model.safetensors'))))
    print(f'{file.name}: {file.stat().st_size:,} bytes')


if __name__ == '__main__':
    main(Path(sys.argv[1]))
