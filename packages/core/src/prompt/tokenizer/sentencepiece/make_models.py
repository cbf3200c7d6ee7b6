#!/usr/bin/env python3
"""Trains the models in models/ and writes down what the reference, Google's sentencepiece, makes of some hundred texts.

    python3 make_models.py                   writes models/*.model and models/*.json; then: npx biome check --write .
    python3 make_models.py train DIR         trains the wider range of models of the live test into DIR
    python3 make_models.py texts SEED COUNT  prints texts to compare, as JSON
    python3 make_models.py encode            reads lines of {"model": path, "texts": [...]}, prints the ids of each text

Needs the sentencepiece package (made with 0.1.97; Debian: python3-sentencepiece). All texts are made here, from a fixed seed.
"""

import io
import json
import os
import random
import struct
import sys
import tempfile
import unicodedata

import sentencepiece

HERE = os.path.dirname(os.path.abspath(__file__))

ENGLISH = """the a of and to in is was for with that this model models answer question answers questions reads writes token tokens
tokenizer sentence sentences piece pieces prompt prompts role roles round rounds begin begins end ends system user assistant
function returns value values number numbers list lists of strings where every run has its own space before it under over again
morning evening river mountain city bread water light dark quickly slowly walking talked runner running runs ran unhappiness
internationalization tokenization normalization don't can't it's we're London Paris Berlin Python TypeScript JSON HTTP 2023 1999
42 7 3.14 100 1,000 e.g. i.e. Mr. Dr. hello world Hello World HELLO print return if else while import def class""".split()
CHINESE = """你好 世界 模型 问题 答案 请 回答 下面 的 选择题 我们 今天 天气 很 好 是 不 在 有 和 人 中国 北京 上海 语言 大 小 数学 物理 化学 历史
系统 用户 助手 对话 提示 词 分词 训练 评测 一 二 三 四 五 六 七 八 九 十 因为 所以 如果 那么 一个 这个 那个 什么 怎么""".split()
ARABIC = "مرحبا بالعالم السؤال الجواب النموذج اللغة العربية كتاب مدرسة في من إلى على هذا هذه".split()
EMOJI = ["😀", "🎉", "👍", "👍🏽", "👩‍👩‍👧‍👦", "🇫🇷", "🏳️‍🌈", "❤️", "🤖", "1️⃣"]
SYMBOLS = ["<|im_start|>", "<|im_end|>", "[SEP]", "▁▁", "①x", "  ", "\n\n"]
CONTROLS = ["<ctrl>", "<mask>"]


def corpus(seed, count):
    pick = random.Random(seed)
    for _ in range(count):
        kind = pick.random()
        if kind < 0.5:
            words = [pick.choice(ENGLISH) for _ in range(pick.randint(3, 14))]
            yield " ".join(words).capitalize() + pick.choice([".", "?", "!", ":", ""])
        elif kind < 0.8:
            yield "".join(pick.choice(CHINESE) for _ in range(pick.randint(3, 14))) + pick.choice(["。", "？", "！", "，"])
        elif kind < 0.85:
            yield " ".join(pick.choice(ARABIC) for _ in range(pick.randint(2, 8)))
        elif kind < 0.93:
            yield " ".join(pick.choice(ENGLISH + EMOJI * 4) for _ in range(pick.randint(2, 8)))
        else:
            yield "if x:\n".replace("\n", " ") + " " * pick.choice([2, 4, 8]) + "return " + str(pick.randint(0, 9999))


def random_text(pick):
    """Text that is seldom written: much of it has no piece, or is changed by normalization."""
    kinds = [
        lambda: pick.choice(ENGLISH),
        lambda: pick.choice(ENGLISH) + " " + pick.choice(ENGLISH),
        lambda: pick.choice(CHINESE),
        lambda: pick.choice(ARABIC),
        lambda: pick.choice(EMOJI),
        lambda: pick.choice(SYMBOLS + CONTROLS + ["<s>", "</s>", "<unk>", "<pad>", "<0x0A>", "<0xE4>"]),
        lambda: pick.choice(SYMBOLS)[: pick.randint(1, 6)],
        lambda: chr(pick.randint(0x20, 0x7E)),
        lambda: chr(pick.randint(0x20, 0x7E)) * pick.randint(1, 30),
        lambda: " " * pick.randint(1, 9),
        lambda: pick.choice(["\t", "\n", "\r\n", "\u00a0", "\u3000", "\u200b", "\u2009", "▁", "\u2028", "\u0085"]) * pick.randint(1, 3),
        lambda: chr(pick.choice([*range(0, 0x20), *range(0x7F, 0xA0)])),
        lambda: "".join(chr(0xFF01 + pick.randint(0, 93)) for _ in range(pick.randint(1, 6))),
        lambda: pick.choice("aeiouAEnN가각") + "".join(chr(pick.randint(0x300, 0x345)) for _ in range(pick.randint(1, 3))),
        lambda: unicodedata.normalize("NFD", pick.choice(["é", "ñ", "Å", "ệ", "한글", "が", "Ω"])),
        lambda: pick.choice("①②㈱㌀㌘ﬁﬃ½²ªºⅣ…™℡ﷺﷲｶﾞﾊﾟ´¨゛ſİßΣ"),
        lambda: "\ufffd" * pick.randint(1, 3),
        lambda: chr(pick.randint(0xA0, 0x2FFF)),
        lambda: chr(pick.randint(0x3000, 0xD7FF)),
        lambda: chr(pick.choice([0xFEFF, 0xFFFF, 0xE000, 0x200D, 0xFE0F, 0x202E, 0x2066, 0xAD, 0x10FFFF, 0x1F600, 0x20000, 0x1D400])),
        lambda: chr(pick.randint(0x10000, 0x1FFFF)),
        lambda: pick.choice(["👩‍👩‍👧‍👦", "👨🏿‍🚀", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "\u200d👧", "🏳️\u200d"]),
        lambda: str(pick.randint(0, 10**9)),
    ]
    glue = pick.choice(["", "", " ", "  "])
    return glue.join(pick.choice(kinds)() for _ in range(pick.choice([1, 1, 2, 3, 5, 9, 20])))


def texts_for(seed, count):
    pick = random.Random(seed)
    fixed = ["", " ", "   ", "▁", "▁▁▁", "\n", "\u0000", "a\u0000b", "\ufffd", "  a  b  ", "a ", " a", "\u0001", "\u200b", "<s>", "</s>a"]
    fixed += CONTROLS + SYMBOLS + ["a" * 300, " " * 300, "ab" * 100, "你" * 60, "é" * 40, "e\u0301" * 40, "👩‍👩‍👧‍👦" * 8]
    fixed += list(corpus(seed + 1, count // 4))
    return fixed + [random_text(pick) for _ in range(count - len(fixed))]


def small_rules(path):
    """NFKC for a few hundred characters and what nmt_nfkc does to controls: the whole of nmt_nfkc takes 240 KB in every model."""
    rules = {}
    sources = [*range(0xFF01, 0xFF5F), *range(0xFF66, 0xFFA0), *range(0x2460, 0x2474), *range(0xFB00, 0xFB07), *range(0x1D400, 0x1D41A)]
    sources += [ord(c) for c in "㈱㌀㌘½²ªºⅣ…™℡ﷺﷲ´¨゛ſ\u00a0\u2009\u3000"]
    sequences = [chr(code) for code in sources]
    sequences += [base + chr(mark) for base in "aeiouAEIOUnNcC" for mark in (0x300, 0x301, 0x302, 0x303, 0x308, 0x327)]
    sequences += [unicodedata.normalize("NFD", text) for text in "ệ한글がÅ"] + ["ｶﾞ", "ﾊﾟ"]
    for text in sequences:
        normal = unicodedata.normalize("NFKC", text)
        if normal != text:
            rules[text] = normal
    for code in [*range(1, 9), 11, *range(14, 32), 127, 0x8F, 0x9F, 0x200B, 0x200E]:
        rules[chr(code)] = ""
    for code in (9, 10, 12, 13, 0x2028, 0xFEFF):
        rules[chr(code)] = " "
    with open(path, "w", encoding="utf-8") as file:
        for source, target in rules.items():
            file.write("\t".join(" ".join("%X" % ord(c) for c in side) for side in (source, target)) + "\n")


def varint(number):
    number &= (1 << 64) - 1
    out = bytearray()
    while number >= 0x80:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes(out + bytes([number]))


def read_fields(data):
    at = 0

    def number():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while at < len(data):
        tag = number()
        if tag & 7 == 0:
            yield tag, number()
        else:
            size = {1: 8, 5: 4}.get(tag & 7) or number()
            yield tag, data[at : at + size]
            at += size


def write_field(tag, value):
    if tag & 7 == 0:
        return varint(tag) + varint(value)
    return varint(tag) + (varint(len(value)) if tag & 7 == 2 else b"") + value


def with_unused(model, share, seed):
    """Marks a share of the longer pieces as unused, which no option of the trainer does."""
    pick = random.Random(seed)
    out = b""
    for tag, value in read_fields(model):
        if tag == 1 << 3 | 2:
            piece = dict(read_fields(value))
            is_normal = piece.get(3 << 3, 1) == 1
            if is_normal and len(piece[1 << 3 | 2].decode()) > 1 and pick.random() < share:
                piece[3 << 3] = 5
                value = b"".join(write_field(*field) for field in piece.items())
        out += write_field(tag, value)
    return out


def with_rounded_scores(model):
    """Rounds all scores, so that many ways to cut a text are equally good."""
    out = b""
    for tag, value in read_fields(model):
        if tag == 1 << 3 | 2:
            piece = dict(read_fields(value))
            if 2 << 3 | 5 in piece:
                (score,) = struct.unpack("<f", piece[2 << 3 | 5])
                piece[2 << 3 | 5] = struct.pack("<f", round(score))
                value = b"".join(write_field(*field) for field in piece.items())
        out += write_field(tag, value)
    return out


def train(seed=1, vocab_size=600, sentences=1500, change=None, **options):
    model = io.BytesIO()
    defaults = dict(hard_vocab_limit=False, character_coverage=0.98, num_threads=1, minloglevel=2, max_sentencepiece_length=16)
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=corpus(seed, sentences), model_writer=model, vocab_size=vocab_size, **{**defaults, **options}
    )
    data = model.getvalue()
    return change(data) if change else data


def stored_models(rules):
    bpe, unigram = dict(model_type="bpe"), dict(model_type="unigram")
    own = dict(normalization_rule_tsv=rules)
    yield "bpe-llama", dict(
        **bpe, vocab_size=900, byte_fallback=True, normalization_rule_name="identity", remove_extra_whitespaces=False,
        allow_whitespace_only_pieces=True, user_defined_symbols=["<|im_start|>", "<|im_end|>"], control_symbols=CONTROLS,
    )
    yield "bpe-unused", dict(
        **bpe, **own, add_dummy_prefix=False, user_defined_symbols=SYMBOLS, pad_id=3, change=lambda model: with_unused(model, 0.3, 1)
    )
    yield "bpe-suffix", dict(
        **bpe, **own, treat_whitespace_as_suffix=True, split_by_whitespace=False, remove_extra_whitespaces=False,
        split_by_unicode_script=False, bos_id=-1,
    )
    yield "unigram-bytes", dict(**unigram, **own, vocab_size=900, byte_fallback=True, user_defined_symbols=SYMBOLS, control_symbols=CONTROLS)
    yield "unigram-plain", dict(**unigram, **own, bos_id=-1, eos_id=1, unk_id=2, pad_id=0, change=lambda model: with_unused(model, 0.1, 2))


def live_models():
    """Every combination that matters, with the rules that sentencepiece has built in."""
    number = 0
    for model_type in ("bpe", "unigram"):
        for rules in ("nmt_nfkc", "identity", "nfkc_cf"):
            for byte_fallback in (True, False):
                for add_dummy_prefix, remove_extra_whitespaces in ((True, True), (True, False), (False, True), (False, False)):
                    number += 1
                    name = f"{number:02}-{model_type}-{rules}{'-bytes' if byte_fallback else ''}"
                    name += ("-prefix" if add_dummy_prefix else "") + ("-remove" if remove_extra_whitespaces else "")
                    options = dict(seed=number, vocab_size=500 + 40 * number, sentences=500, model_type=model_type)
                    options.update(normalization_rule_name=rules, byte_fallback=byte_fallback, add_dummy_prefix=add_dummy_prefix)
                    options.update(remove_extra_whitespaces=remove_extra_whitespaces)
                    if number % 2:
                        options.update(user_defined_symbols=SYMBOLS, control_symbols=CONTROLS)
                    if number % 3 == 0:
                        options.update(split_by_whitespace=False, split_by_unicode_script=False)
                    if number % 5 == 0:
                        options.update(treat_whitespace_as_suffix=True)
                    if number % 4 == 1:
                        options.update(change=lambda model, number=number: with_unused(model, 0.3, number))
                    if number % 4 == 2:
                        options.update(change=with_rounded_scores)
                    yield name, options


def encoder(model):
    processor = sentencepiece.SentencePieceProcessor()
    processor.LoadFromSerializedProto(model)
    return processor


def write_stored():
    folder = os.path.join(HERE, "models")
    os.makedirs(folder, exist_ok=True)
    # The model remembers the path of its rules, so it has to be one without folders.
    os.chdir(tempfile.mkdtemp())
    small_rules("rules.tsv")
    for number, (name, options) in enumerate(stored_models("rules.tsv")):
        model = train(seed=number, **options)
        processor = encoder(model)
        # One string per text: the formatter would give every id a line of its own.
        cases = [{"text": text, "ids": " ".join(map(str, processor.encode(text)))} for text in texts_for(number, 400)]
        about = {"origin": f"sentencepiece {sentencepiece.__version__}, make_models.py", "bos": processor.bos_id(), "eos": processor.eos_id()}
        with open(os.path.join(folder, f"{name}.model"), "wb") as file:
            file.write(model)
        with open(os.path.join(folder, f"{name}.json"), "w", encoding="ascii") as file:
            json.dump({**about, "cases": cases}, file, indent=2)
        print(name, len(model), "bytes,", processor.vocab_size(), "pieces")


def main(arguments):
    if not arguments:
        write_stored()
    elif arguments[0] == "train":
        for name, options in live_models():
            with open(os.path.join(arguments[1], f"{name}.model"), "wb") as file:
                file.write(train(**options))
    elif arguments[0] == "encode":
        for line in sys.stdin:
            request = json.loads(line)
            with open(request["model"], "rb") as file:
                processor = encoder(file.read())
            print(json.dumps([processor.encode(text) for text in request["texts"]]))
    elif arguments[0] == "texts":
        print(json.dumps(texts_for(int(arguments[1]), int(arguments[2]))))


main(sys.argv[1:])
