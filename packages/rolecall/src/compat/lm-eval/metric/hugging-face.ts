import { PromptError } from '@rolecall/core/internal/errors'
import type { Value } from '@rolecall/core/internal/python'
import { floatOf, type PyValue, plainText, str } from '@rolecall/core/internal/python'
import { binaryF1 } from './aggregations.ts'
import { type Average, accuracy, f1Score } from './classification.ts'
import { exactMatch } from './exact-match.ts'
import { wordErrorRate } from './word-error-rate.ts'

type Pairs = readonly (readonly [gold: Value, reply: Value])[]
type Evaluate = (pairs: Pairs) => Readonly<Record<string, number>>

/** Metrics of Hugging Face's `evaluate` that are implemented here, by name. */
const known: Readonly<Record<string, (options: ReadonlyMap<string, Value>, where: string) => Evaluate>> = {
  accuracy: (_, where) => (pairs) => ({ accuracy: accuracy(labels(pairs, where)) }),
  f1: (options, where) => {
    const average = String(options.get('average') ?? 'binary') as Average
    return (pairs) => ({ f1: average === 'binary' ? binaryF1(labels(pairs, where)) : f1Score(labels(pairs, where), average) })
  },
  exact_match: (options) => (pairs) => ({ exact_match: exactMatch(pairs, options) }),
  wer: (_, where) => (pairs) => ({ wer: errorRate(pairs, where) }),
}

export function isHuggingFaceMetric(name: string): boolean {
  return Object.hasOwn(known, name)
}

/** A metric of `evaluate`; unsupported ones are refused by name. */
export function huggingFaceMetric(name: string, options: ReadonlyMap<string, Value>, where: string): Evaluate {
  const make = Object.hasOwn(known, name) ? known[name] : undefined
  if (make !== undefined) return make(options, where)
  throw new PromptError('unknown-metric', {
    where: `${where}.metric`,
    problem: `"${name}" is not a metric of lm-evaluation-harness, and of Hugging Face's evaluate only ${Object.keys(known).join(', ')} are counted here`,
    fix: 'choose another metric, or measure documents by a process_results function',
  })
}

function errorRate(pairs: Pairs, where: string): number {
  const found = wordErrorRate(pairs.map(([gold, reply]) => [plainText(str(gold)), plainText(str(reply))]))
  if (!Number.isNaN(found)) return found
  throw new PromptError('no-words', {
    where,
    problem: 'the right answer has no words, of which the word error rate is a share',
    fix: 'correct the row; lm-evaluation-harness fails here, too',
  })
}

/** `evaluate` expects integer labels. */
function labels(pairs: Pairs, where: string): { gold: Value; predicted: Value }[] {
  const intOf = (value: Value) => {
    const number = floatOf(value as PyValue)
    if (number !== undefined && Number.isInteger(number)) return number
    throw new PromptError('bad-label', { where, problem: 'this metric compares ints', fix: 'map replies to ints (filter "map")' })
  }
  return pairs.map(([gold, reply]) => ({ gold: intOf(gold), predicted: intOf(reply) }))
}
