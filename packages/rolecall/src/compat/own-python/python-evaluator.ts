import {
  compactJson,
  dictEntries,
  dictGet,
  isDict,
  isList,
  type PyDict,
  PyFloat,
  type PyValue,
  pyStr,
} from '@rolecall/core/internal/python'
import { defineEvaluator, type Evaluator, evaluatorsIn, type Figures, type Judgement } from '../../evaluation/score/evaluate/evaluator.ts'
import { PythonFailure, type Sooner, takesAll } from '../../python/host/python-host.ts'
import { hostOf, type OwnPython, ownPythonSchema, settingsOf } from './own-object.ts'

type Kept = { prediction: PyValue; reference: PyValue; row: PyDict; score?: number }

/** The evaluator that is a user's own class or function, run by a Python host. */
export function pythonEvaluator(own: OwnPython): Evaluator<Kept> {
  const object = sooner(hostOf(own).load({ kind: 'evaluator', name: own.object, from: own.from }), own)
  const scoresRow = object.isFunction === true && !takesAll(object.parameters)
  const score = (answers: readonly Kept[], rows = answers.map(({ row }) => row)): PyValue =>
    sooner(
      object.call({
        settings: settingsOf(own),
        predictions: answers.map(({ prediction }) => prediction),
        references: answers.map(({ reference }) => reference),
        rows,
      }),
      own,
    )
  const results = new Map<string, ReturnType<typeof ofOneRow>>()
  /** A class that does not read the row itself is asked once for equal answers, which are many where replies are letters. */
  const scoreRow = (answer: Kept): ReturnType<typeof ofOneRow> => {
    const key = keyOf(answer)
    const known = key === undefined ? undefined : results.get(key)
    if (known !== undefined) return known
    const rows = [answer.row]
    const result = ofOneRow(() => score([answer], rows), own)
    if (key !== undefined && object.readRows?.(rows) === false && results.size < mostResults) results.set(key, result)
    return result
  }
  return {
    metric: 'score',
    kind: 'graded',
    unit: 'value',
    needsReference: false,
    interval: scoresRow ? 'scores' : 'none',
    judge({ prediction, reference, row }): Judgement<Kept> {
      const kept: Kept = { prediction, reference, row: row as PyDict }
      const base = { pred: prediction, answer: reference }
      if (scoresRow) {
        const { value, detail } = rowScore(score([kept]), own)
        return { score: value, detail: { ...base, ...detail }, keep: { ...kept, score: value } }
      }
      const { value, detail } = scoreRow(kept)
      return { score: value ?? 0, ...(value === undefined ? { unscored: true as const } : {}), detail: { ...base, ...detail }, keep: kept }
    },
    summarise(kept) {
      if (scoresRow) return { score: (100 * kept.reduce((sum, { score: each = 0 }) => sum + each, 0)) / kept.length }
      return figuresOf(score(kept), own)
    },
    besideIn: (figures) =>
      Object.keys(figures)
        .filter((metric) => metric !== 'score')
        .map((metric) => ({ metric, unit: 'value' })),
  }
}

const mostResults = 10_000
const longestText = 500

/** A short answer and its reference, both texts. */
function keyOf({ prediction, reference }: Kept): string | undefined {
  if (typeof prediction !== 'string' || typeof reference !== 'string') return undefined
  return prediction.length + reference.length > longestText ? undefined : `${prediction.length} ${prediction}${reference}`
}

/** The number that the class calls its result first is the main metric; the others stay under their own names. */
export function figuresOf(result: PyValue, own: OwnPython): Figures {
  if (typeof result === 'number' || result instanceof PyFloat) return { score: numberOf(result) }
  const entries = isDict(result) ? dictEntries(result) : []
  const error = entries.find(([name, value]) => name === 'error' && typeof value === 'string')
  if (error !== undefined) throw noScore(own, `its result is an error: ${pyStr(error[1])}`)
  const figures = numbersIn(entries)
  const [first] = figures
  if (first === undefined) throw noScore(own, `its result has no number: ${shown(result)}`)
  return { score: first[1], ...Object.fromEntries(figures) }
}

function numberOf(value: PyValue): number {
  return value instanceof PyFloat ? value.value : Number(value)
}

/** The numbers of a result; those in a dict are `name.inner`. */
function numbersIn(entries: readonly (readonly [string, PyValue])[], before = ''): (readonly [string, number])[] {
  return entries.flatMap(([name, value]): (readonly [string, number])[] => {
    if (name === 'details') return []
    if (typeof value === 'number' || value instanceof PyFloat || typeof value === 'bigint') return [[before + name, numberOf(value)]]
    return isDict(value) ? numbersIn(dictEntries(value), `${before}${name}.`) : []
  })
}

/** What a row alone comes to: its own `correct`, else a share or a percentage; nothing where the class needs more rows. */
export function ofOneRow(run: () => PyValue, own: OwnPython): { value?: number; detail: Record<string, PyValue> } {
  let result: PyValue
  try {
    result = run()
  } catch (error) {
    // Some classes need several rows. What they cannot run is told when all rows are scored, and before the first request.
    if (error instanceof PythonFailure && error.reason === 'raised') return { detail: {} }
    throw error
  }
  const detail = isDict(result) ? detailOf(dictGet(result, 'details') ?? null) : {}
  const correct = [detail.correct, detail.is_correct, detail.cascade_correct].find(
    (each) => typeof each === 'boolean' || isList(each ?? null),
  )
  if (typeof correct === 'boolean') return { value: Number(correct), detail }
  try {
    const { score = 0 } = figuresOf(result, own)
    const value = score > 1 ? score / 100 : score
    return value >= 0 && value <= 1 ? { value, detail } : { detail }
  } catch {
    return { detail }
  }
}

function detailOf(details: PyValue): Record<string, PyValue> {
  const [first] = isList(details) ? details : isDict(details) ? dictEntries(details).map(([, value]) => value) : []
  return first !== undefined && isDict(first) ? Object.fromEntries(dictEntries(first)) : {}
}

/** What a function gave for one answer: right or wrong, a number from 0 to 1, or a dict with a score. */
function rowScore(result: PyValue, own: OwnPython): { value: number; detail: Record<string, PyValue> } {
  const given = isDict(result) ? (dictGet(result, 'score') ?? dictGet(result, 'correct') ?? null) : result
  if (typeof given !== 'boolean' && typeof given !== 'number' && !(given instanceof PyFloat))
    throw noScore(own, `it gave ${shown(result)}, which is no score`)
  const value = numberOf(given)
  if (!(value >= 0 && value <= 1)) throw noScore(own, `it gave ${value}, which is not between 0 and 1`)
  return { value, detail: isDict(result) ? Object.fromEntries(dictEntries(result)) : {} }
}

function noScore({ object }: OwnPython, problem: string): PythonFailure {
  return new PythonFailure('raised', object, {
    where: object,
    problem,
    fix: 'give true or false, a number from 0 to 1, or a dict with a "score"; for all rows a number, or a dict of numbers',
  })
}

function shown(value: PyValue): string {
  const written = compactJson(value)
  return written.length > 200 ? `${written.slice(0, 200)}…` : written
}

/** A host that answers at once; another one is asked through a channel that waits. */
export function sooner<Result>(result: Sooner<Result>, { object }: OwnPython): Result {
  if (!(result instanceof Promise)) return result
  result.catch(() => undefined)
  throw new PythonFailure('unsupported', object, {
    where: object,
    problem: 'it loads data while replies are scored',
    fix: 'load it in the dataset class',
  })
}

const definition = defineEvaluator<OwnPython, Kept>({
  names: ['PythonEvaluator'],
  does: "A user's own evaluator class or function in Python, with its own metrics.",
  example: { options: { object: 'score.py:is_a', folder: '.' }, answers: ['a'], figures: { score: 100 } },
  options: ownPythonSchema,
  with: pythonEvaluator,
})

export const pythonEvaluators = evaluatorsIn({ definition })
