"""The network: a small Llama, with the parameter names of Hugging Face's layout, so that a checkpoint needs no renaming."""

import math
from dataclasses import asdict, dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass(frozen=True)
class Config:
    vocab_size: int = 1536
    hidden_size: int = 192
    intermediate_size: int = 512
    num_hidden_layers: int = 6
    num_attention_heads: int = 4
    rms_norm_eps: float = 1e-5
    rope_theta: float = 10000.0
    max_position_embeddings: int = 1024  # what training rows reach; past it the model loses the thread

    @property
    def head_size(self) -> int:
        return self.hidden_size // self.num_attention_heads

    def to_hugging_face(self) -> dict[str, object]:
        """What config.json holds."""
        return {
            'architectures': ['LlamaForCausalLM'],
            'model_type': 'llama',
            **asdict(self),
            'num_key_value_heads': self.num_attention_heads,
            'head_dim': self.head_size,
            'tie_word_embeddings': True,
            'bos_token_id': 1,
            'eos_token_id': 7,
            'hidden_act': 'silu',
            'torch_dtype': 'float16',
        }


def linear(inputs: int, outputs: int) -> nn.Linear:
    return nn.Linear(inputs, outputs, bias=False)


def rotations(length: int, config: Config, device: torch.device) -> tuple[Tensor, Tensor]:
    """Cosines and sines of the rotary position embedding, both [length, head size]."""
    half = torch.arange(0, config.head_size, 2, device=device).float() / config.head_size
    angles = torch.outer(torch.arange(length, device=device).float(), config.rope_theta**-half)
    angles = torch.cat([angles, angles], -1)
    return angles.cos(), angles.sin()


def rotate(x: Tensor, cosines: Tensor, sines: Tensor) -> Tensor:
    left, right = x.chunk(2, -1)
    return (x * cosines + torch.cat([-right, left], -1) * sines).to(x.dtype)


class Attention(nn.Module):
    def __init__(self, config: Config) -> None:
        super().__init__()
        self.heads, self.head_size = config.num_attention_heads, config.head_size
        size = config.hidden_size
        self.q_proj, self.k_proj, self.v_proj, self.o_proj = (linear(size, size) for _ in range(4))

    def forward(self, x: Tensor, cosines: Tensor, sines: Tensor) -> Tensor:
        batch, length, size = x.shape
        query, key, value = (
            project(x).view(batch, length, self.heads, self.head_size).transpose(1, 2)
            for project in (self.q_proj, self.k_proj, self.v_proj)
        )
        query, key = rotate(query, cosines, sines), rotate(key, cosines, sines)
        mixed = F.scaled_dot_product_attention(query, key, value, is_causal=True)
        return self.o_proj(mixed.transpose(1, 2).reshape(batch, length, size))


class FeedForward(nn.Module):
    def __init__(self, config: Config) -> None:
        super().__init__()
        self.gate_proj = linear(config.hidden_size, config.intermediate_size)
        self.up_proj = linear(config.hidden_size, config.intermediate_size)
        self.down_proj = linear(config.intermediate_size, config.hidden_size)

    def forward(self, x: Tensor) -> Tensor:
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))


class Layer(nn.Module):
    def __init__(self, config: Config) -> None:
        super().__init__()
        self.input_layernorm = nn.RMSNorm(config.hidden_size, config.rms_norm_eps)
        self.self_attn = Attention(config)
        self.post_attention_layernorm = nn.RMSNorm(config.hidden_size, config.rms_norm_eps)
        self.mlp = FeedForward(config)

    def forward(self, x: Tensor, cosines: Tensor, sines: Tensor) -> Tensor:
        x = x + self.self_attn(self.input_layernorm(x), cosines, sines)
        return x + self.mlp(self.post_attention_layernorm(x))


class Body(nn.Module):
    def __init__(self, config: Config) -> None:
        super().__init__()
        self.config = config
        self.embed_tokens = nn.Embedding(config.vocab_size, config.hidden_size)
        self.layers = nn.ModuleList(Layer(config) for _ in range(config.num_hidden_layers))
        self.norm = nn.RMSNorm(config.hidden_size, config.rms_norm_eps)

    def forward(self, ids: Tensor) -> Tensor:
        cosines, sines = rotations(ids.shape[1], self.config, ids.device)
        x = self.embed_tokens(ids)
        for layer in self.layers:
            x = layer(x, cosines, sines)
        return self.norm(x)


class Llama(nn.Module):
    """Token ids [batch, length] to logits [batch, length, vocabulary]; the embedding is also the output layer."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.model = Body(config)
        for name, weight in self.named_parameters():
            if weight.dim() == 2:
                # What is added to the residual stream starts smaller, the more layers add to it.
                is_output = name.endswith(('o_proj.weight', 'down_proj.weight'))
                nn.init.normal_(weight, std=0.02 / math.sqrt(2 * config.num_hidden_layers) if is_output else 0.02)

    def forward(self, ids: Tensor) -> Tensor:
        return F.linear(self.model(ids), self.model.embed_tokens.weight)
