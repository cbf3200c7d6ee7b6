import {
  entriesOf,
  isDictValue,
  type Kwargs,
  notUnderstood,
  PythonError,
  plainText,
  pyFloat,
  replaceStr,
  Tuple,
  type Value,
} from '@rolecall/core/internal/python'
import { type BleuTokenizer, bleuCounts, bleuTokenizers, corpusBleu } from '../../../evaluation/score/evaluate/bleu.ts'
import { type Overlap, type RougeType, rougeScore, rougeTokenize, rougeTypes } from '../../../evaluation/score/evaluate/rouge.ts'
import { builtins } from '../../../python/interpreter/builtins.ts'
import { itemsOf, newDict } from '../../../python/interpreter/containers.ts'
import { defineModule, native, numberOf, textOf } from '../../../python/interpreter/modules/define-module.ts'
import type { Session } from '../../../python/interpreter/session.ts'
import { findAll, guardedPattern } from '../../../python/regex/index.ts'
import { splitSentences } from '../../../python/word-split/split-sentences.ts'
import { tokenizeWords } from '../../../python/word-split/word-tokenize.ts'
import { languageOf } from '../../opencompass/evaluators/instructions/language-of.ts'
import { porterStem, rougeStems } from '../../opencompass/evaluators/science/porter-stem.ts'
import { chrfOfCorpus, chrfOfTranslation } from '../metric/sacrebleu.ts'
import { FixedObject } from './fixed-object.ts'
import { russianStem } from './russian-stem.ts'

/** A function from a text to texts, with a step for each character. */
function splitter(name: string, split: (text: string) => readonly string[]) {
  return native(`${name}(text, *args, **kwargs)`, (session, [text]) => {
    session.step(textOf(text).length)
    return session.made([...split(textOf(text))])
  })
}

const sentences = splitter('sent_tokenize', splitSentences)
const words = splitter('word_tokenize', tokenizeWords)
const wordsAndMarks = splitter('wordpunct_tokenize', (text) => findAll(String.raw`\w+|[^\w\s]+`, text))

const nltkTokenize = defineModule('nltk.tokenize', {
  sent_tokenize: sentences,
  word_tokenize: words,
  wordpunct_tokenize: wordsAndMarks,
  RegexpTokenizer: native('RegexpTokenizer(pattern)', (_, [pattern]) => {
    const tokens = (text: string) =>
      guardedPattern(textOf(pattern))
        .all(text)
        .map(({ text: whole, groups }) => (groups.length > 0 ? (groups[0] ?? '') : whole))
    return new FixedObject('RegexpTokenizer', { tokenize: splitter('tokenize', tokens) })
  }),
})

const nltkPorter = defineModule('nltk.stem.porter', {
  PorterStemmer: native('PorterStemmer()', () => {
    return new FixedObject('PorterStemmer', { stem: native('stem(word)', (_, [word]) => porterStem(textOf(word).toLowerCase())) })
  }),
})
const nltkSnowball = defineModule('nltk.stem.snowball', {
  RussianStemmer: native('RussianStemmer()', () => {
    const stem = native('stem(word)', (session, [word]) => {
      session.step(textOf(word).length)
      return session.made(russianStem(textOf(word)))
    })
    return new FixedObject('RussianStemmer', { stem })
  }),
})
const nltkStem = defineModule('nltk.stem', {
  porter: nltkPorter,
  snowball: nltkSnowball,
  PorterStemmer: nltkPorter.attributes.get('PorterStemmer')!,
})

const done = (name: string) => native(`${name}(*args, **kwargs)`, () => true)

const nltk = defineModule('nltk', {
  download: done('download'),
  // All that tasks load is the Punkt tokenizer.
  data: defineModule('nltk.data', {
    find: done('find'),
    load: native('load(name)', () => new FixedObject('PunktSentenceTokenizer', { tokenize: sentences })),
  }),
  tokenize: nltkTokenize,
  stem: nltkStem,
  sent_tokenize: sentences,
  word_tokenize: words,
  wordpunct_tokenize: wordsAndMarks,
})

/** Replaces texts by others, one after the other. */
function replaceAll(session: Session, text: string, entries: Iterable<readonly [string, string]>): string {
  let replaced = text
  for (const [from, to] of entries) {
    session.step(replaced.length)
    replaced = plainText(replaceStr(replaced, from, to, -1))
    session.made(replaced)
  }
  return replaced
}

const entitiesOf = (given: Value | undefined) =>
  isDictValue(given) ? entriesOf(given).map(([key, value]) => [textOf(key), textOf(value)] as const) : []

const saxutils = defineModule('xml.sax.saxutils', {
  escape: native('escape(data, entities={})', (session, [data, entities]) => {
    const marks = [
      ['&', '&amp;'],
      ['>', '&gt;'],
      ['<', '&lt;'],
    ] as const
    return replaceAll(session, textOf(data), [...marks, ...entitiesOf(entities)])
  }),
  unescape: native('unescape(data, entities={})', (session, [data, entities]) => {
    return replaceAll(session, textOf(data), [['&lt;', '<'], ['&gt;', '>'], ...entitiesOf(entities), ['&amp;', '&']])
  }),
})
const xmlSax = defineModule('xml.sax', { saxutils })
const xml = defineModule('xml', { sax: xmlSax })

const langdetect = defineModule('langdetect', {
  detect: native('detect(text)', (session, [text]) => {
    session.step(textOf(text).length)
    const language = languageOf(textOf(text))
    if (language === undefined) throw new PythonError('LangDetectException', 'No features in text.')
    return language
  }),
})

const immutabledict = defineModule('immutabledict', { immutabledict: builtins.get('dict')! })

/** Versions that tasks insist on. */
const versions: Readonly<Record<string, string>> = { __proto__: null as never, nltk: '3.9.1', 'antlr4-python3-runtime': '4.11.0' }

const metadata = defineModule('importlib.metadata', {
  version: native('version(distribution_name)', (_, [name]) => {
    const version = versions[textOf(name)]
    if (version === undefined) throw new PythonError('PackageNotFoundError', textOf(name))
    return version
  }),
})

const packagingVersion = defineModule('packaging.version', {
  parse: native('parse(version)', (_, [text]) => new Tuple((textOf(text).match(/\d+/g) ?? []).map(Number))),
})

/** A time limit is not needed: functions are stopped after a number of steps. */
const signal = defineModule('signal', { SIGALRM: 14, signal: done('signal'), alarm: done('alarm') })

const scoreOf = ({ precision, recall, f }: Overlap) =>
  new FixedObject('Score', { precision: pyFloat(precision), recall: pyFloat(recall), fmeasure: pyFloat(f) })

function rougeScorer(session: Session, [types]: readonly Value[], kwargs: Kwargs): Value {
  const tokenize = kwargs?.get('use_stemmer') === true ? rougeStems : rougeTokenize
  if ((kwargs?.get('tokenizer') ?? null) !== null) throw notUnderstood(session.at, 'RougeScorer with a tokenizer', 'leave tokenizer out')
  const wanted = itemsOf(session, types!).map((type) => rougeTypes.find((one) => one === type))
  if (wanted.includes(undefined)) throw notUnderstood(session.at, 'this type of ROUGE', `use ${rougeTypes.join(', ')}`)
  return new FixedObject('RougeScorer', {
    score: native('score(target, prediction)', (inner, [target, prediction]) => {
      inner.step(textOf(target).length + textOf(prediction).length)
      const scores = rougeScore(textOf(prediction), textOf(target), tokenize)
      return newDict(
        inner,
        (wanted as RougeType[]).map((type) => [type, scoreOf(scores[type])] as const),
      )
    }),
  })
}

/** Averages of one row are that row; those of several depend on random numbers that other code has drawn. */
function bootstrapAggregator(): Value {
  let row: Value | undefined
  return new FixedObject('BootstrapAggregator', {
    add_scores: native('add_scores(scores)', (session, [scores]) => {
      if (row !== undefined) throw notUnderstood(session.at, 'a BootstrapAggregator of several rows', 'use one for each row')
      row = scores
      return null
    }),
    aggregate: native('aggregate()', (session) => {
      const scores = row instanceof Map ? [...(row as ReadonlyMap<Value, Value>)] : []
      return newDict(
        session,
        scores.map(([type, score]) => [type, new FixedObject('AggregateScore', { low: score, mid: score, high: score })] as const),
      )
    }),
  })
}

const rougeScorerModule = defineModule('rouge_score.rouge_scorer', {
  RougeScorer: native('RougeScorer(rouge_types, *, use_stemmer=False, split_summaries=False, tokenizer=None)', rougeScorer),
})
const rougeScoring = defineModule('rouge_score.scoring', {
  BootstrapAggregator: native('BootstrapAggregator()', bootstrapAggregator),
})
const rouge = defineModule('rouge_score', { rouge_scorer: rougeScorerModule, scoring: rougeScoring })

/** `corpus_bleu(replies, references)`: one list of references for each place in the lists of replies. */
function corpusBleuOf(session: Session, [replies, references]: readonly Value[], kwargs: Kwargs): Value {
  const {
    tokenize = '13a',
    smooth_method: smoothing = 'exp',
    lowercase = false,
    use_effective_order: effective = false,
  } = Object.fromEntries(kwargs ?? [])
  const tokenizer = bleuTokenizers.find((one) => one === tokenize)
  if (tokenizer === undefined || smoothing !== 'exp' || effective === true)
    throw notUnderstood(
      session.at,
      'corpus_bleu with these arguments',
      `use smooth_method="exp" and tokenize of ${bleuTokenizers.join(', ')}`,
    )
  const cased = (text: Value) => (lowercase === true ? textOf(text).toLowerCase() : textOf(text))
  const streams = itemsOf(session, references!).map((stream) => itemsOf(session, stream))
  const counts = itemsOf(session, replies!).map((reply, place) => {
    const right = streams.map((stream) => cased(stream[place]!))
    session.step(textOf(reply).length + right.join('').length)
    return bleuCounts(cased(reply), right, tokenizer satisfies BleuTokenizer)
  })
  const { score, bp } = corpusBleu(counts)
  return new FixedObject('BLEUScore', { score: pyFloat(score), bp: pyFloat(bp) })
}

/** `sentence_chrf(reply, references)`: chrF, or chrF++ with a word_order of 2. */
function sentenceChrf(session: Session, [reply, given]: readonly Value[], kwargs: Kwargs): Value {
  const references = itemsOf(session, given!).map(textOf)
  session.step(textOf(reply!).length + references.join('').length)
  const order = numberOf(kwargs?.get('word_order') ?? 0)
  return new FixedObject('CHRFScore', { score: pyFloat(chrfOfCorpus([chrfOfTranslation({ reply: textOf(reply!), references }, order)])) })
}

const sacrebleu = defineModule('sacrebleu', {
  sentence_chrf: native('sentence_chrf(hypothesis, references, *, word_order=0)', sentenceChrf),
  corpus_bleu: native('corpus_bleu(hypotheses, references, **kwargs)', corpusBleuOf),
})

/** The parts of text libraries that tasks use. */
export const textLibraries = [
  nltk,
  nltkTokenize,
  nltkStem,
  nltkPorter,
  nltkSnowball,
  xml,
  xmlSax,
  saxutils,
  langdetect,
  immutabledict,
  metadata,
  packagingVersion,
  signal,
  rouge,
  rougeScorerModule,
  rougeScoring,
  sacrebleu,
]
