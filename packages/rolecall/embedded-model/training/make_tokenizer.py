"""How tokenizer.json was made: byte-level BPE of 1,536 entries over the conversations, digits one by one.

    python make_tokenizer.py OUT_FOLDER

The shipped file came from the first version of the data; it is kept as it is, so that token ids never change between
versions of the weights. Only a model trained from nothing with new ids needs this.
"""

import sys
from pathlib import Path

from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

from conversation import SPECIAL_TOKENS
from data import texts

VOCABULARY = 1536


def make_tokenizer() -> Tokenizer:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        # Digits one by one: sums are learnt place by place, whatever the length of the number.
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY,
        special_tokens=SPECIAL_TOKENS,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts(seed=0, count=60_000), trainer)
    return tokenizer


if __name__ == '__main__':
    make_tokenizer().save(str(Path(sys.argv[1]) / 'tokenizer.json'))
