"""model.safetensors to tiny-chat.q8_0.gguf, for llama.cpp and what is built on it.

    python export_gguf.py FOLDER

GGUF v3: a header, key/value metadata, a table of tensors, then the tensors, aligned to 32 bytes.
https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
"""

import json
import struct
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file

from conversation import SPECIAL_TOKENS
from corpus import TOKENIZER_FILE

ALIGNMENT = 32
UINT32, INT32, FLOAT32, BOOL, STRING, ARRAY = 4, 5, 6, 7, 8, 9
TENSOR_F32, TENSOR_Q8_0 = 0, 8
FILE_IS_MOSTLY_Q8_0 = 7
NORMAL_TOKEN, CONTROL_TOKEN = 1, 3

CHAT_TEMPLATE = (
    "{{ bos_token }}{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>\\n' }}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"
)

Array = NDArray[np.float32]
Value = bool | int | float | str | list[str] | list[int]


def pack_string(text: str) -> bytes:
    data = text.encode()
    return struct.pack('<Q', len(data)) + data


def pack_value(value: Value) -> bytes:
    """A metadata value with its type before it."""
    match value:
        case bool():
            return struct.pack('<I?', BOOL, value)
        case int():
            return struct.pack('<II', UINT32, value)
        case float():
            return struct.pack('<If', FLOAT32, value)
        case str():
            return struct.pack('<I', STRING) + pack_string(value)
        case [str(), *_]:
            return struct.pack('<IIQ', ARRAY, STRING, len(value)) + b''.join(pack_string(item) for item in value)
        case _:
            return struct.pack('<IIQ', ARRAY, INT32, len(value)) + struct.pack(f'<{len(value)}i', *value)


def pack_q8_0(weights: Array) -> bytes:
    """Blocks of 32 weights: a half-precision scale, then 32 signed bytes."""
    blocks = weights.reshape(-1, 32)
    scale = np.abs(blocks).max(1, keepdims=True) / 127
    rounded = np.round(blocks / np.where(scale > 0, scale, 1)).clip(-127, 127).astype(np.int8)
    return np.concatenate([scale.astype('<f2').view(np.uint8), rounded.view(np.uint8)], 1).tobytes()


def interleave(weights: Array, heads: int) -> Array:
    """llama.cpp rotates neighbouring pairs, Hugging Face's layout the two halves of a head: rows move accordingly."""
    rows, columns = weights.shape
    return weights.reshape(heads, 2, rows // heads // 2, columns).swapaxes(1, 2).reshape(rows, columns)


def tensors(weights: dict[str, Array], layers: int, heads: int) -> list[tuple[str, Array]]:
    named = [('token_embd.weight', weights['model.embed_tokens.weight']), ('output_norm.weight', weights['model.norm.weight'])]
    for index in range(layers):
        source, target = f'model.layers.{index}', f'blk.{index}'
        named += [
            (f'{target}.attn_norm.weight', weights[f'{source}.input_layernorm.weight']),
            (f'{target}.ffn_norm.weight', weights[f'{source}.post_attention_layernorm.weight']),
            (f'{target}.attn_q.weight', interleave(weights[f'{source}.self_attn.q_proj.weight'], heads)),
            (f'{target}.attn_k.weight', interleave(weights[f'{source}.self_attn.k_proj.weight'], heads)),
            (f'{target}.attn_v.weight', weights[f'{source}.self_attn.v_proj.weight']),
            (f'{target}.attn_output.weight', weights[f'{source}.self_attn.o_proj.weight']),
            (f'{target}.ffn_gate.weight', weights[f'{source}.mlp.gate_proj.weight']),
            (f'{target}.ffn_up.weight', weights[f'{source}.mlp.up_proj.weight']),
            (f'{target}.ffn_down.weight', weights[f'{source}.mlp.down_proj.weight']),
        ]
    return named


def metadata(config: dict, tokenizer: dict) -> dict[str, Value]:
    vocabulary = sorted(tokenizer['model']['vocab'], key=tokenizer['model']['vocab'].__getitem__)
    merges = [merge if isinstance(merge, str) else ' '.join(merge) for merge in tokenizer['model']['merges']]
    return {
        'general.architecture': 'llama',
        'general.name': 'tiny-chat',
        'general.license': 'apache-2.0',
        'general.file_type': FILE_IS_MOSTLY_Q8_0,
        'llama.context_length': config['max_position_embeddings'],
        'llama.embedding_length': config['hidden_size'],
        'llama.block_count': config['num_hidden_layers'],
        'llama.feed_forward_length': config['intermediate_size'],
        'llama.attention.head_count': config['num_attention_heads'],
        'llama.attention.head_count_kv': config['num_key_value_heads'],
        'llama.attention.layer_norm_rms_epsilon': config['rms_norm_eps'],
        'llama.rope.dimension_count': config['head_dim'],
        'llama.rope.freq_base': config['rope_theta'],
        'llama.vocab_size': config['vocab_size'],
        'tokenizer.ggml.model': 'gpt2',
        'tokenizer.ggml.pre': 'smollm',  # the pre-tokenizer that also takes digits one by one
        'tokenizer.ggml.tokens': vocabulary,
        'tokenizer.ggml.token_type': [CONTROL_TOKEN if token in SPECIAL_TOKENS else NORMAL_TOKEN for token in vocabulary],
        'tokenizer.ggml.merges': merges,
        'tokenizer.ggml.bos_token_id': config['bos_token_id'],
        'tokenizer.ggml.eos_token_id': config['eos_token_id'],
        'tokenizer.ggml.unknown_token_id': 0,
        'tokenizer.ggml.add_bos_token': False,
        'tokenizer.chat_template': CHAT_TEMPLATE,
    }


def padded(data: bytes) -> bytes:
    return data + b'\0' * (-len(data) % ALIGNMENT)


def gguf(named: list[tuple[str, Array]], values: dict[str, Value]) -> bytes:
    table, bodies, offset = [], [], 0
    for name, weights in named:
        is_matrix = weights.ndim == 2
        body = padded(pack_q8_0(weights) if is_matrix else weights.astype('<f4').tobytes())
        shape = struct.pack(f'<I{weights.ndim}Q', weights.ndim, *weights.shape[::-1])
        table.append(pack_string(name) + shape + struct.pack('<IQ', TENSOR_Q8_0 if is_matrix else TENSOR_F32, offset))
        bodies.append(body)
        offset += len(body)
    header = b'GGUF' + struct.pack('<IQQ', 3, len(named), len(values))
    pairs = b''.join(pack_string(key) + pack_value(value) for key, value in values.items())
    return padded(header + pairs + b''.join(table)) + b''.join(bodies)


def main(folder: Path) -> None:
    config = json.loads((folder / 'config.json').read_text())
    weights = {name: weight.astype(np.float32) for name, weight in load_file(folder / 'model.safetensors').items()}
    named = tensors(weights, config['num_hidden_layers'], config['num_attention_heads'])
    file = folder / 'tiny-chat.q8_0.gguf'
    file.write_bytes(gguf(named, metadata(config, json.loads(TOKENIZER_FILE.read_text()))))
    print(f'{file.name}: {file.stat().st_size:,} bytes')


if __name__ == '__main__':
    main(Path(sys.argv[1]))
