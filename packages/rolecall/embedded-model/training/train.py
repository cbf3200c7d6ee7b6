"""Trains the model from nothing and writes model.safetensors, config.json and the log.

    python train.py OUT_FOLDER [--steps 10500] [--seed 1] ...

On one H200 about nine minutes. The seed decides the data, the weights at the start and the order of rows; kernels of
another GPU or library version round differently, so another machine gives a model as good, not the same bits.
"""

import argparse
import json
import math
import os
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from safetensors.torch import save_file

from corpus import Corpus, make_corpus
from llama import Config, Llama


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('out', type=Path)
    parser.add_argument('--steps', type=int, default=10_500)
    parser.add_argument('--conversations', type=int, default=2_400_000)
    parser.add_argument('--rows', type=int, default=128, help='rows of a step')
    parser.add_argument('--length', type=int, default=1024, help='tokens of a row')
    parser.add_argument('--learning-rate', type=float, default=2.5e-3)
    parser.add_argument('--prompt-weight', type=float, default=0.3, help='what a token that is not the assistant’s counts in the loss')
    parser.add_argument('--seed', type=int, default=1)
    return parser.parse_args()


class Rows:
    """Batches of rows, each from the beginning of a conversation on; what follows in a row are the next conversations."""

    def __init__(self, corpus: Corpus, length: int, seed: int) -> None:
        last = len(corpus.ids) - length - 1
        self.ids = torch.from_numpy(corpus.ids.astype(np.int16)).cuda()
        self.is_assistant = torch.from_numpy(corpus.is_assistant).cuda()
        self.starts = torch.from_numpy(corpus.starts[corpus.starts <= last]).cuda()
        self.reach = torch.arange(length + 1, device='cuda')
        self.random = torch.Generator(device='cuda').manual_seed(seed)

    def batch(self, rows: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Inputs, targets, and which targets are the assistant's."""
        start = self.starts[torch.randint(len(self.starts), (rows,), device='cuda', generator=self.random)]
        where = start[:, None] + self.reach
        ids = self.ids[where].long()
        return ids[:, :-1], ids[:, 1:], self.is_assistant[where[:, 1:]]


def learning_rate(step: int, steps: int, peak: float) -> float:
    """A short warm-up, then a cosine down to two per cent."""
    return peak * min(1, (step + 1) / 300) * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * step / steps)))


def token_losses(model: Llama, inputs: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """The loss of every token, in one row."""
    with torch.autocast('cuda', torch.bfloat16):
        logits = model(inputs)
    return F.cross_entropy(logits.float().flatten(0, 1), targets.flatten(), reduction='none')


def train(options: argparse.Namespace) -> None:
    began = time.time()
    corpus = make_corpus(options.conversations, options.seed)
    print(f'{len(corpus.starts):,} conversations, {len(corpus.ids):,} tokens, {time.time() - began:.0f} s', flush=True)

    torch.manual_seed(options.seed)
    torch.set_float32_matmul_precision('high')
    # The same seed gives the same weights on the same machine.
    torch.use_deterministic_algorithms(True)
    torch.backends.cuda.enable_cudnn_sdp(False)
    config = Config()
    model = Llama(config).cuda()
    losses_of = torch.compile(lambda inputs, targets: token_losses(model, inputs, targets))
    parameters = list(model.parameters())
    optimizer = torch.optim.AdamW(
        [
            {'params': [weight for weight in parameters if weight.dim() == 2], 'weight_decay': 0.1},
            {'params': [weight for weight in parameters if weight.dim() < 2], 'weight_decay': 0.0},
        ],
        betas=(0.9, 0.95),
        fused=True,
    )
    rows = Rows(corpus, options.length, options.seed)
    log: list[dict[str, float]] = []
    began_steps = time.time()
    for step in range(options.steps):
        for group in optimizer.param_groups:
            group['lr'] = learning_rate(step, options.steps, options.learning_rate)
        inputs, targets, is_assistant = rows.batch(options.rows)
        losses = losses_of(inputs, targets)
        weights = torch.where(is_assistant.flatten(), 1.0, options.prompt_weight)
        loss = (losses * weights).sum() / weights.sum()
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()
        if step % 500 == 0 or step == options.steps - 1:
            own = losses.detach()[is_assistant.flatten()].mean().item()
            log.append({'step': step, 'loss': round(loss.item(), 4), 'assistant_loss': round(own, 4)})
            print(log[-1], f'{time.time() - began_steps:.1f} s', flush=True)

    options.out.mkdir(parents=True, exist_ok=True)
    weights16 = {name: weight.detach().half().contiguous().cpu() for name, weight in model.state_dict().items()}
    save_file(weights16, options.out / 'model.safetensors', metadata={'format': 'pt'})
    (options.out / 'config.json').write_text(json.dumps(config.to_hugging_face(), indent=1) + '\n')
    report = {
        'options': {name: value for name, value in vars(options).items() if name != 'out'},
        'parameters': sum(weight.numel() for weight in parameters),
        'tokens': len(corpus.ids),
        'seconds': round(time.time() - began),
        'log': log,
    }
    (options.out / 'report.json').write_text(json.dumps(report, indent=1) + '\n')
    print(f'written, {time.time() - began:.0f} s', flush=True)


if __name__ == '__main__':
    os.environ.setdefault('CUBLAS_WORKSPACE_CONFIG', ':4096:8')
    train(parse_arguments())
