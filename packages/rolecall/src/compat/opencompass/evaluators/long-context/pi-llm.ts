import { PromptError } from '@rolecall/core/internal/errors'
import { dictEntries, dictGet, floatOf, type PyDict, type PyValue, pyStr, strip } from '@rolecall/core/internal/python'
import * as z from 'zod'
import { defineEvaluator, type Figures } from '../../../../evaluation/score/evaluate/evaluator.ts'
import { answerText } from '../../../../evaluation/score/evaluate/given.ts'
import { mean, sumOf } from '../../../../evaluation/score/evaluate/shares.ts'
import { guardedPattern, search, substitute } from '../../../../python/regex/index.ts'
import { jsonDict } from '../json-dict.ts'

const saidInWords = guardedPattern(
  String.raw`(?:the)?\s*(?:most recent|final|last|latest|current|up-to-date|asked|queried|specified)\s+(?:value|word|term)?` +
    String.raw`(?:s)?(?:\s+\w+){0,1}\s+(?:with|for|of|to)?\s+(?:the )?(?:category|key)?\s*(["'\[\<]?\w+(?:\s+\w+)?["'\]\>]?)\s+` +
    String.raw`(?:is|was)(?:\s*:\s*)?\s+(["'\[\<]?\w+(?:\s+\w+)?["'\]\>]?)(?:\n|[,.;:]|$)`,
  { ignoreCase: true, dotAll: true },
)

const bare = (text: string) => strip(substitute(String.raw`[\*\'"\[\]\{\}\(\)\<\>]`, '', text))

/** The values in an answer, by key: "key: value" on a line, or "the current value of key is value". */
function valuesIn(answer: string): Map<string, string> {
  const values = new Map<string, string>()
  const isError = answer === '' || answer.toLowerCase().includes('error code') || /^[eE]rror/.test(answer)
  if (isError || (answer.length < 680 && search(String.raw`\berror\b`, answer, { ignoreCase: true }))) return values
  const text = answer.replace(/\\(?!n)/g, '').replaceAll('*', '')
  const set = (key: string, value: string) => {
    if (key !== '' && value !== '') values.set(key, value)
  }
  for (const line of text.split('\n')) {
    const at = line.indexOf(':')
    if (at >= 0) set(bare(line.slice(0, at)), bare(line.slice(at + 1)))
  }
  for (const { groups } of saidInWords.all(text)) set(bare(groups[0] ?? ''), bare(groups[1] ?? ''))
  values.delete('key')
  return values
}

function goldOf(reference: PyValue): PyDict | undefined {
  return typeof reference === 'string' ? jsonDict(reference) : undefined
}

type Kept = { accuracy: number; experiment: string; updates: number }

/** Rows with more updates are harder and have a higher weight. */
function weighted(rows: readonly Kept[], base: number): number {
  const weights = rows.map(({ updates }) => Math.log(Math.max(updates, 2)) / Math.log(base))
  const all = sumOf(weights)
  return all === 0 ? 0 : sumOf(rows.map(({ accuracy }, index) => accuracy * weights[index]!)) / all
}

/** The numbers of updates from which an experiment's rows count as easy and as hard. */
const limits: readonly (readonly [experiment: string, easy: number, hard: number])[] = [
  ['exp_keys', 125, 350],
  ['exp_valuelength', 4, 20],
]

export const piLlm = defineEvaluator({
  names: ['PILLMEvaluator'],
  does: 'The share of the keys of the gold JSON whose last value the answer gives; the main figure weighs rows by the logarithm of their `n_updates`. Shares, not per cent.',
  example: {
    answers: ['fruit: apple'],
    gold: ['{"fruit": "apple", "city": "Rome"}'],
    rows: [{ experiment: 'exp_updates', n_updates: 4 }],
    figures: { 'auc_log1.5': 0.5 },
  },
  options: z.strictObject({ log_base: z.number().positive().default(1.5).describe('The base of the logarithm that rows are weighed by.') }),
  with: ({ log_base }) => ({
    metric: 'auc_log1.5',
    kind: 'graded',
    unit: 'share',
    range: [0, 1],
    needsReference: true,
    goldIsNoReply: true,
    interval: 'kept',
    beside: [{ metric: 'avg_accuracy', unit: 'share' }],
    judge({ prediction, reference, row }) {
      const [experiment, updates] = [dictGet(row, 'experiment'), floatOf(dictGet(row, 'n_updates') ?? 2)]
      if (experiment === undefined || updates === undefined) throw noExperiment()
      const keys = dictEntries(goldOf(reference) ?? {})
      const values = valuesIn(answerText(prediction))
      const right = keys.filter(([key, value]) => values.get(key) === value).length
      const accuracy = keys.length === 0 ? 0 : right / keys.length
      return {
        score: accuracy,
        detail: { pred: Object.fromEntries(values), answer: reference, score: accuracy },
        keep: { accuracy, experiment: pyStr(experiment), updates },
      }
    },
    summarise(rows: readonly Kept[]): Figures {
      const [, easy, hard] = limits.find(([name]) => rows[0]!.experiment.includes(name)) ?? []
      const part = (some: readonly Kept[]) => (some.length === 0 ? 0 : weighted(some, log_base))
      return {
        'auc_log1.5': weighted(rows, log_base),
        avg_accuracy: mean(rows.map(({ accuracy }) => accuracy)),
        ...(easy === undefined || hard === undefined
          ? {}
          : {
              'auc_log1.5_easy': part(rows.filter(({ updates }) => updates <= easy)),
              'auc_log1.5_hard': part(rows.filter(({ updates }) => updates >= hard)),
            }),
        total_samples: rows.length,
      }
    },
  }),
})

function noExperiment(): PromptError {
  return new PromptError('missing-column', {
    where: 'the row',
    problem: 'it has no "experiment" and "n_updates"',
    fix: 'use rows as the loader of PI-LLM gives them',
  })
}
