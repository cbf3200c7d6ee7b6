import { describe, expect, test } from 'vitest'
import { repr } from '../../../../../core/src/base/python/values/repr.ts'
import { plainText } from '../../../../../core/src/base/python/values/text.ts'
import { FunctionMark } from '../yaml/function-mark.ts'
import { functionHost } from './function-host.ts'

/** The result of `run()` in a file, as Python prints it. */
function run(source: string): string {
  const find = functionHost((path) => (path === 'owls/utils.py' ? source : undefined))
  return plainText(repr(find(new FunctionMark('utils.run', 'owls/t.yaml')).call([])))
}

describe('classes', () => {
  test('a dataclass takes its fields by place or name, with defaults, and is compared by them', () => {
    const source = `
from dataclasses import dataclass, field

@dataclass
class Base:
    name: str

@dataclass(frozen=True)
class Owl(Base):
    legs: int = 2
    food: list = field(default_factory=list)

def run():
    one, other = Owl("Ida"), Owl(name="Ida", legs=2)
    one.food.append("mouse")
    return [one.legs, other.food, one == other, Owl("Ida") == other, one != other]
`
    expect(run(source)).toBe('[2, [], False, True, True]')
    expect(() => run(`${source}\ndef run():\n    return Owl()`)).toThrow("missing 1 required positional argument: 'name'")
    expect(() => run(`${source}\ndef run():\n    return Owl("Ida", wings=2)`)).toThrow("unexpected keyword argument 'wings'")
  })

  test('objects have a length, items, truth and operators of their class', () => {
    const source = `
class Nest:
    def __init__(self, owls):
        self.owls = owls
    def __len__(self):
        return len(self.owls)
    def __getitem__(self, place):
        return self.owls[place]
    def __eq__(self, other):
        return self.owls == other.owls
    def __add__(self, other):
        return Nest(self.owls + other.owls)

def run():
    nest = Nest([1]) + Nest([2])
    return [len(nest), nest[1], list(nest), bool(Nest([])), nest == Nest([1, 2]), nest != Nest([1])]
`
    expect(run(source)).toBe('[2, 2, [1, 2], False, True, True]')
    // Items are read up to an IndexError, whatever the length.
    expect(run(source.replace('return len(self.owls)', 'return 10**12').replace('bool(Nest([]))', '0'))).toContain('[1, 2]')
  })

  test('a context manager is entered and left, also by an exception', () => {
    const source = `
import signal

class Limit:
    def __init__(self, log):
        self.log = log
    def __enter__(self):
        signal.signal(signal.SIGALRM, None)
        signal.alarm(1)
        self.log.append("in")
        return self
    def __exit__(self, type, value, traceback):
        self.log.append("out")
        return type is not None and value == "drop"

def run():
    log = []
    with Limit(log) as limit:
        limit.log.append("body")
    with Limit(log):
        raise ValueError("drop")
    try:
        with Limit(log):
            raise ValueError("keep")
    except ValueError as error:
        log.append(str(error))
    return log
`
    expect(run(source)).toBe("['in', 'body', 'out', 'in', 'out', 'in', 'out', 'keep']")
  })

  test('getattr takes its default where Python has no such attribute; keys of a dict are none', () => {
    const source = `
class Owl:
    legs = 2

def run():
    return [getattr(Owl(), "legs"), getattr(Owl(), "wings", None), getattr({"wings": 1}, "wings", 3)]
`
    expect(run(source)).toBe('[2, None, 3]')
    expect(() => run(source.replace('"wings", None', '"wings"'))).toThrow("has no attribute 'wings'")
  })

  test('a cached function is called like any other', () => {
    expect(
      run('import functools\n@functools.lru_cache(maxsize=None)\ndef two():\n    return 2\ndef run():\n    return two() + two()'),
    ).toBe('4')
  })
})

test('arrays: masks are inverted, types converted, NaN left out', () => {
  const source = `
import numpy as np

def run():
    mask = np.array([True, False, True], dtype=bool)
    values = np.array([1.0, np.nan, 3.0])
    return [values[~mask].size, np.nansum(values), np.isnan(values).any(), (~mask).all(), np.round(True, 0).astype(np.int32),
        np.array(True, dtype=bool), {1, 2}.isdisjoint([3]), {1, 2}.issuperset({1}), np.round(0.35, 1), list(np.round([1.5, 2.5]))]
`
  expect(run(source)).toBe('[1, 4.0, True, False, 1, True, True, True, 0.4, [2.0, 2.0]]')
})

test('nltk: words and marks, and Russian stems', () => {
  const source = `
import nltk
stemmer = nltk.stem.snowball.RussianStemmer()

def run():
    return [stemmer.stem(word) for word in nltk.wordpunct_tokenize("Красивые дома_1, «да»!?")]
`
  expect(run(source)).toBe("['красив', 'дома_1', ',', '«', 'да', '»!?']")
})

test('nltk and langdetect: sentences, words and the language', () => {
  const source = `
import langdetect
import nltk
from importlib.metadata import version
from packaging.version import parse

assert parse(version("nltk")) >= parse("3.9.1")
nltk.download("punkt_tab")

def run():
    tokenizer = nltk.tokenize.RegexpTokenizer(r"\\w+")
    sentences = nltk.data.load("nltk:tokenizers/punkt/english.pickle")
    try:
        language = langdetect.detect("12")
    except langdetect.LangDetectException:
        language = langdetect.detect("Das ist nicht so schwer, wie es aussieht.")
    return [tokenizer.tokenize("Owls, fly!"), len(sentences.tokenize("Mr. Owl flies. He sees.")), nltk.word_tokenize("It's"), language]
`
  expect(run(source)).toBe(`[['Owls', 'fly'], 2, ['It', "'s"], 'de']`)
})

test('ROUGE and BLEU of one reply; averages of several rows are not guessed', () => {
  const source = `
import sacrebleu
from rouge_score import rouge_scorer, scoring

def rouge(rows):
    aggregator = scoring.BootstrapAggregator()
    for right, reply in rows:
        aggregator.add_scores(rouge_scorer.RougeScorer(["rouge1", "rougeLsum"]).score(right, reply))
    return round(aggregator.aggregate()["rouge1"].mid.fmeasure, 4)

def run():
    score = sacrebleu.corpus_bleu(["the owl’s here—now"], [["the owl’s here now"]], smooth_method="exp", tokenize="intl").score
    return [rouge([("the cat ran", "the cat sat")]), round(score, 2)]
`
  // sacrebleu 2.6.0
  expect(run(source)).toBe('[0.6667, 64.35]')
  expect(() => run(source.replace('[("the cat ran", "the cat sat")]', '[("a", "a"), ("b", "b")]'))).toThrow('several rows')
  expect(() => run(source.replace('tokenize="intl"', 'tokenize="flores200"'))).toThrow('corpus_bleu with these arguments')
})

test('chrF of a reply is that of its best reference', () => {
  const source = `
import sacrebleu
def run():
    return [
        sacrebleu.sentence_chrf("the owl’s here—now", ["the owl’s here now", "an owl"]).score,
        sacrebleu.sentence_chrf("a owl flies", ["an owl flew"], word_order=2).score,
    ]
`
  // sacrebleu 2.6.0
  expect(run(source)).toBe('[81.23369715896494, 32.16269841269842]')
})

test('stems of words, XML entities and limits of floats', () => {
  const source = `
import sys
import xml.sax.saxutils
from nltk.stem.porter import PorterStemmer
from rouge_score import rouge_scorer

def run():
    stems = [PorterStemmer().stem(word) for word in ["Relational", "dying", "owls"]]
    score = rouge_scorer.RougeScorer(["rouge1", "rougeL"], use_stemmer=True).score("the owls hunted", "the owl hunts")
    text = xml.sax.saxutils.unescape("&lt;a&gt; &amp;lt; &quot;", {"&quot;": '"'})
    return [stems, round(score["rougeL"].fmeasure, 4), text, xml.sax.saxutils.escape("a<b&c"), sys.float_info.min]
`
  // nltk 3.10.3
  expect(run(source)).toBe(`[['relat', 'die', 'owl'], 1.0, '<a> &lt; "', 'a&lt;b&amp;c', 2.2250738585072014e-308]`)
  const bomb = 'from xml.sax.saxutils import escape\ndef run():\n    return len(escape("a" * 100000, {"a": "b" * 100000}))'
  expect(() => run(bomb)).toThrow('characters')
  expect(() => run('import math, sys\ndef run():\n    return math.log(sys.float_info.dig)')).toThrow('is not supported')
})

test('a package that is not here is missing as in Python, if the file goes on without it', () => {
  const source = (handler: string) =>
    `try:\n    from bert_score import score\n    HAS = True\nexcept ImportError:\n    ${handler}\ndef run():\n    return [HAS, "owl"]`
  expect(run(source('HAS = False'))).toBe("[False, 'owl']")
  const find = functionHost(() => source('HAS = False'))
  find(new FunctionMark('utils.run', 'owls/t.yaml'))
  expect([...find.absent.keys()]).toEqual(['bert_score'])
  // A file that would stop is read as if the package were there: its functions may not need it.
  expect(run(source('raise ImportError("install it")'))).toBe("[True, 'owl']")
  for (const module of ['heapq', 'configparser', 'contextvars'])
    expect(run(`try:\n    import ${module}\n    HAS = True\nexcept ImportError:\n    HAS = False\ndef run():\n    return HAS`)).toBe('True')
})

describe('formulas', () => {
  const equal = (left: string, right: string) =>
    run(`
import sympy
from sympy.parsing.latex import parse_latex

def run():
    try:
        return sympy.simplify(parse_latex(r"${left}") - parse_latex(r"${right}")) == 0
    except (sympy.parsing.latex.errors.LaTeXParsingError, TypeError):
        return None
`)

  test('sympy: two formulas are equal if their difference is zero', () => {
    expect(equal('(x+1)^2', 'x^2+2x+1')).toBe('True')
    expect(equal('\\frac{1}{2}', '0.5')).toBe('True')
    expect(equal('x+1', 'x+2')).toBe('False')
    expect(equal('\\frac{', '1')).toBe('None')
  })

  test('math_verify: the box, else the last formula, else the last number', () => {
    const source = `
from math_verify import LatexExtractionConfig, parse, verify

def run():
    gold = parse(r"so $\\boxed{\\frac{1}{2}}$.", extraction_config=[LatexExtractionConfig()])
    said = [r"\\boxed{0.5}", "Final Answer: The final answer is $1/2$. I hope it is correct.", "It is 3, no: 0.5", "It is 2.", ""]
    return [verify(gold, parse(one)) for one in said] + [parse("12", extraction_config=[LatexExtractionConfig()])]
`
    expect(run(source)).toBe('[True, True, True, False, False, []]')
    const others = String.raw`"$3$ or $1/2$", r"so \[1/2\]", r"\[" * 20000]`
    expect(run(source.replace('""]', others))).toBe('[True, True, True, False, True, True, False, []]')
  })
})

test('scikit-learn: F1 of given labels, and fbeta_score with beta 1', () => {
  const source = `
import sklearn.metrics

def run():
    metric = getattr(sklearn.metrics, "fbeta_score")
    return round(metric([0, 1, 1], [0, 1, 0], beta=1, labels=range(3), average="macro"), 6)
`
  // scikit-learn 1.9.1
  expect(run(source)).toBe('0.444444')
  expect(() => run(source.replace('beta=1', 'beta=2'))).toThrow('fbeta_score with this beta')
})

test('map in batches may return more rows', () => {
  const source = `
import datasets

def run():
    data = datasets.Dataset.from_list([{"q": "a"}, {"q": "b"}])
    twice = data.map(lambda batch: {"q": [q for q in batch["q"] for _ in range(2)], "n": [0, 1] * len(batch["q"])}, batched=True)
    return [row["q"] + str(row["n"]) for row in twice]
`
  expect(run(source)).toBe("['a0', 'a1', 'b0', 'b1']")
  for (const size of ['1', '0', '-1', 'None'])
    expect(run(source.replace('batched=True', `batched=True, batch_size=${size}`))).toBe("['a0', 'a1', 'b0', 'b1']")
  expect(() => run(source.replace('"n": [0, 1] * len(batch["q"])', '"n": [0]'))).toThrow('different lengths')
})

test('an attribute that Python has not raises AttributeError, and sets of punctuation are known at once', () => {
  const source = `
import sys
import unicodedata

marks = {chr(i) for i in range(sys.maxunicode) if unicodedata.category(chr(i)).startswith("P")}.union("$")

def run():
    try:
        return None.strip()
    except AttributeError as error:
        return [str(error), "«" in marks, "a" in marks, "$" in marks]
`
  expect(run(source)).toBe(`["'NoneType' object has no attribute 'strip'", True, False, True]`)
})

describe('hashes, seeds and likeness of texts', () => {
  test('hashlib.sha256 and math.isclose', () => {
    expect(run('import hashlib\ndef run():\n    return hashlib.sha256("Müller".encode("utf-8")).hexdigest()')).toBe(
      "'a78429899bb825ce667d25d92e2cde488f8a7d6871bb2be7365601cad6b0a8f2'",
    )
    const source = `
from math import isclose, inf
def run():
    return [isclose(1, 1 + 1e-10), isclose(1, 1.01), isclose(1, 1.01, rel_tol=0.1), isclose(0, 1e-3, abs_tol=0.01), isclose(inf, inf), isclose(inf, 1)]
`
    expect(run(source)).toBe('[True, False, True, True, True, False]')
  })

  test('a text seeds random as in Python', () => {
    const source = `
import random
def run():
    rng = random.Random("Müller's owl")
    drawn, order = [rng.randint(0, 99) for _ in range(3)], [0, 1, 2, 3]
    rng.shuffle(order)
    return drawn + order
`
    expect(run(source)).toBe('[89, 23, 31, 1, 3, 2, 0]')
  })

  test('rows become a dataset through a DataFrame of pandas', () => {
    const source = `
import pandas as pd
from datasets import Dataset
def run():
    return list(Dataset.from_pandas(pd.DataFrame([{"q": "Ida", "choices": ["a"]}, {"q": "Bela", "choices": []}])))
`
    expect(run(source)).toBe("[{'q': 'Ida', 'choices': ['a']}, {'q': 'Bela', 'choices': []}]")
  })

  test('fuzz.ratio is that of difflib, in whole per cent', () => {
    const source = `
from fuzzywuzzy import fuzz
def run():
    return [fuzz.ratio("return a + b", "return a+b"), fuzz.ratio("", ""), fuzz.ratio("a", ""), fuzz.ratio("abcd", "bcda"), fuzz.ratio(None, "a")]
`
    expect(run(source)).toBe('[91, 100, 0, 75, 0]')
  })

  test('rouge.Rouge has precision, recall and F of ROUGE-1, -2 and -L; an empty answer is an error', () => {
    const source = `
from rouge import Rouge
def run():
    scores = Rouge().get_scores(["the cat sat"], ["the cat ran off"], avg=True)
    other = Rouge().get_scores("a b c", "a b c")[0]["rouge-2"]
    try:
        Rouge().get_scores([""], ["a"])
    except ValueError as error:
        said = str(error)
    return [[round(scores[kind][key], 4) for key in "rpf"] for kind in scores] + [round(other["f"], 4), said]
`
    expect(run(source)).toBe("[[0.5, 0.6667, 0.5714], [0.3333, 0.5, 0.4], [0.5, 0.6667, 0.5714], 1.0, 'Hypothesis is empty.']")
  })
})

test('comparisons with numpy give its booleans, of which + is or; as numbers and indices they and argmax work like those of Python', () => {
  const source = `
import numpy as np
def run():
    hit, miss = np.argmax([1.0, 3.0, 2.0]) == 1, np.argmax([1.0, 3.0]) == 0
    place = np.argmax(np.array([1.0, 3.0, 2.0]))
    return [
        str((1 == 1) + hit), str(hit * miss), str(hit | miss), hit + 1, int(hit), float(hit), hit.item(), isinstance(hit, bool),
        max(0, hit), sorted([hit, 0, 2]), sum([hit, hit]), hit == True, 1 if miss else 2, np.mean([hit, miss]),
        "abc"[place], [7, 8, 9][place:], {1: "one"}[place], place in [1], f"{place:02d}", chr(65 + place), list(range(place)), -place,
        np.array([5, 6]) == place + 4, str(np.isnan(1.0)), np.array([hit, miss]).all() or 3,
    ]
`
  expect(run(source)).toBe(
    "['True', 'False', 'True', 2, 1, 1.0, True, False, True, [0, True, 2], 2, True, 2, 0.5, 'b', [8, 9], 'one', True, '01', 'B', [0], -1, [True, False], 'False', 3]",
  )
  expect(() => run(source.replace('hit + 1', 'hit - miss'))).toThrow('numpy boolean subtract')
})
