"""Conversations as one long row of token ids, made by all cores."""

import multiprocessing
import os
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

TOKENIZER_FILE = Path(__file__).parent.parent / 'tokenizer.json'


class Corpus(NamedTuple):
    """Token ids; where each conversation begins; and which tokens are the assistant's, the ones the model is to say."""

    ids: NDArray[np.uint16]
    starts: NDArray[np.int64]
    is_assistant: NDArray[np.bool_]


def make_shard(count: int, seed: int) -> tuple[NDArray[np.uint16], NDArray[np.int64]]:
    """The ids of some conversations, end to end, and the length of each."""
    os.environ['TOKENIZERS_PARALLELISM'] = 'false'  # the cores are busy with other shards
    from tokenizers import Tokenizer

    from data import texts

    tokenizer = Tokenizer.from_file(str(TOKENIZER_FILE))
    encoded = [item.ids for item in tokenizer.encode_batch(texts(seed, count), add_special_tokens=False)]
    return np.concatenate([np.array(ids, np.uint16) for ids in encoded]), np.array([len(ids) for ids in encoded])


def make_corpus(conversations: int, seed: int, shards: int = 128) -> Corpus:
    """The same seed and number of shards give the same corpus on any number of cores."""
    from tokenizers import Tokenizer

    with multiprocessing.get_context('spawn').Pool() as pool:
        made = pool.map(partial(make_shard, conversations // shards), range(seed * 1000, seed * 1000 + shards), chunksize=1)
    ids = np.concatenate([ids for ids, _ in made])
    lengths = np.concatenate([lengths for _, lengths in made])
    tokenizer = Tokenizer.from_file(str(TOKENIZER_FILE))
    turn_start = tokenizer.token_to_id('<|im_start|>')
    assistant = tokenizer.encode('assistant', add_special_tokens=False).ids[0]
    # A turn reaches from one marker to the next; it is the assistant's if its first word is.
    begins = np.flatnonzero(ids == turn_start)
    is_assistant_turn = np.concatenate([[False], ids[begins + 1] == assistant])
    turn_of_token = np.cumsum(ids == turn_start)
    return Corpus(ids, np.cumsum(lengths) - lengths, is_assistant_turn[turn_of_token])
