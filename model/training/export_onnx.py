"""model.safetensors to model.int8.onnx: int8 weights, float32 arithmetic, and the key/value cache as input and output.

    python export_onnx.py FOLDER

Inputs: input_ids int64 [1, T]; past float32 [layers, 2 (key, value), heads, P, head size], where P may be 0.
Outputs: logits [1, T, vocabulary]; present, which is past with T more positions.
"""

import json
import sys
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
import torch.nn.functional as F
from onnx import helper, numpy_helper
from safetensors.torch import load_file
from torch import Tensor, nn


class CachedLlama(nn.Module):
    """The network once more, written for one row and a cache. It shares no code with training, so that each checks the other."""

    def __init__(self, config: dict, weights: dict[str, Tensor]) -> None:
        super().__init__()
        self.layers, self.heads = config['num_hidden_layers'], config['num_attention_heads']
        self.size, self.head_size, self.epsilon = config['hidden_size'], config['head_dim'], config['rms_norm_eps']
        for name, weight in weights.items():
            self.register_buffer(name.replace('.', '_'), weight.float())
        self.register_buffer('frequencies', config['rope_theta'] ** -(torch.arange(0, self.head_size, 2).float() / self.head_size))

    def weight(self, name: str) -> Tensor:
        return getattr(self, f'model_{name}_weight'.replace('.', '_'))

    def norm(self, x: Tensor, name: str) -> Tensor:
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.epsilon) * self.weight(name)

    def linear(self, x: Tensor, name: str) -> Tensor:
        return x @ self.weight(name).T

    def forward(self, ids: Tensor, past: Tensor) -> tuple[Tensor, Tensor]:
        length, before = ids.shape[1], past.shape[3]
        positions = torch.arange(length, device=ids.device) + before
        angles = positions[:, None].float() * self.frequencies[None]
        angles = torch.cat([angles, angles], -1)
        cosines, sines = angles.cos(), angles.sin()
        mask = torch.where(torch.arange(before + length)[None, :] <= positions[:, None], 0.0, -1e9)

        def rotate(x: Tensor) -> Tensor:
            half = self.head_size // 2
            return x * cosines + torch.cat([-x[..., half:], x[..., :half]], -1) * sines

        def heads(x: Tensor) -> Tensor:
            return x.view(1, length, self.heads, self.head_size).transpose(1, 2)

        x = F.embedding(ids, self.weight('embed_tokens'))
        present = []
        for index in range(self.layers):
            layer = f'layers.{index}'
            h = self.norm(x, f'{layer}.input_layernorm')
            query, key, value = (heads(self.linear(h, f'{layer}.self_attn.{name}_proj')) for name in 'qkv')
            key = torch.cat([past[index, 0][None], rotate(key)], 2)
            value = torch.cat([past[index, 1][None], value], 2)
            present.append(torch.stack([key[0], value[0]]))
            scores = rotate(query) @ key.transpose(-1, -2) / self.head_size**0.5 + mask
            mixed = (torch.softmax(scores, -1) @ value).transpose(1, 2).reshape(1, length, self.size)
            x = x + self.linear(mixed, f'{layer}.self_attn.o_proj')
            h = self.norm(x, f'{layer}.post_attention_layernorm')
            gated = F.silu(self.linear(h, f'{layer}.mlp.gate_proj')) * self.linear(h, f'{layer}.mlp.up_proj')
            x = x + self.linear(gated, f'{layer}.mlp.down_proj')
        return self.norm(x, 'norm') @ self.weight('embed_tokens').T, torch.stack(present)

    def empty_past(self, length: int = 0) -> Tensor:
        return torch.zeros(self.layers, 2, self.heads, length, self.head_size)


def write_float32(model: CachedLlama, file: Path) -> None:
    length, before = torch.export.Dim('T', min=1, max=4096), torch.export.Dim('P', min=0, max=4096)
    torch.onnx.export(
        model,
        (torch.randint(9, 1000, (1, 7)), model.empty_past(3)),
        str(file),
        input_names=['input_ids', 'past'],
        output_names=['logits', 'present'],
        dynamic_shapes={'ids': {1: length}, 'past': {3: before}},
        dynamo=True,
        external_data=False,
        opset_version=18,
    )


def write_int8(source: Path, target: Path, vocabulary: int) -> None:
    """int8 weights with a scale per output channel, made float32 before each product.

    Integer arithmetic would round by the range of whatever is in a call, so that log-probabilities would depend on how a
    prompt is cut for the cache: it changed 16 of 120 choices by perplexity.
    """
    model = onnx.load(str(source))
    graph = model.graph
    initializers, dequantize = [], []
    for tensor in graph.initializer:
        weights = numpy_helper.to_array(tensor)
        if weights.dtype != np.float32 or weights.ndim != 2 or weights.size <= 4096:
            initializers.append(tensor)
            continue
        axis = 0 if weights.shape[0] == vocabulary else 1
        scale = np.abs(weights).max(axis=1 - axis, keepdims=True) / 127
        scale[scale == 0] = 1
        rounded = np.clip(np.round(weights / scale), -127, 127).astype(np.int8)
        initializers += [
            numpy_helper.from_array(rounded, f'{tensor.name}_int8'),
            numpy_helper.from_array(scale.reshape(-1).astype(np.float32), f'{tensor.name}_scale'),
        ]
        inputs = [f'{tensor.name}_int8', f'{tensor.name}_scale']
        dequantize.append(helper.make_node('DequantizeLinear', inputs, [tensor.name], axis=axis))
    nodes = [*dequantize, *graph.node]
    del graph.initializer[:], graph.node[:]
    graph.initializer.extend(initializers)
    graph.node.extend(nodes)
    # The exporter notes paths and source lines of this machine in there.
    for item in [model, graph, *graph.node, *graph.input, *graph.output, *graph.value_info]:
        item.doc_string = ''
        del item.metadata_props[:]
    onnx.save(model, str(target))


def largest_difference(file: Path, model: CachedLlama, split: int) -> float:
    """How far logits are from torch's when a prompt is given in two parts."""
    session = onnxruntime.InferenceSession(str(file), providers=['CPUExecutionProvider'])
    ids = torch.randint(9, 1000, (1, 40), generator=torch.Generator().manual_seed(0))
    expected, _ = model(ids, model.empty_past())
    first, past = session.run(None, {'input_ids': ids[:, :split].numpy(), 'past': model.empty_past().numpy()})
    second, _ = session.run(None, {'input_ids': ids[:, split:].numpy(), 'past': past})
    return float(np.abs(np.concatenate([first, second], 1) - expected.detach().numpy()).max())


def main(folder: Path) -> None:
    config = json.loads((folder / 'config.json').read_text())
    model = CachedLlama(config, load_file(folder / 'model.safetensors')).eval()
    full, small = folder / 'model.onnx', folder / 'model.int8.onnx'
    write_float32(model, full)
    write_int8(full, small, config['vocab_size'])
    for file in (full, small):
        print(f'{file.name}: {file.stat().st_size:,} bytes, largest difference of a logit {largest_difference(file, model, 30):.2g}')


if __name__ == '__main__':
    main(Path(sys.argv[1]))
