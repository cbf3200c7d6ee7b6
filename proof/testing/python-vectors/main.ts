import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  dictEntries,
  dictGet,
  dictHas,
  isDict,
  isList,
  type PyDict,
  type PyValue,
  parseJson,
  pyEqual,
  pyRepr,
} from '../../../packages/core/src/base/python/index.ts'
import { PythonWorkerHost } from '../../../packages/rolecall/src/node/with-python/python-worker-host.ts'
import { PythonFailure } from '../../../packages/rolecall/src/python/host/python-host.ts'
import { shownRows } from '../../conformance/loaders/suite.ts'
import { asVector } from '../../conformance/loaders/vector.ts'
import { checkoutFolder } from './checkout.ts'
import { partOne } from './part-one.ts'
import { ReferenceCode } from './reference-code.ts'

const [shared = '../shared', ...wanted] = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
/** `--with-python=PATH`: by that Python, in place of the interpreter. */
const python = process.argv.flatMap((argument) => /^--with-python=(.*)/.exec(argument)?.[1] ?? [])[0]
const isVerbose = process.argv.includes('--verbose')
const root = checkoutFolder(join(shared, 'opencompass'))
if (root === undefined) throw new Error(`there is no source of OpenCompass in ${shared}/opencompass, and OPENCOMPASS_DIR is not set`)
const code = new ReferenceCode(
  root,
  python === undefined ? undefined : new PythonWorkerHost({ python, paths: [root], checkout: root, seconds: 60 }),
)

type Outcome = { verdict: 'equal' | 'different' | 'refused'; why?: string }
type Trial = { name: string; run(): Promise<Outcome> | Outcome }

function vectorsOf(path: string): PyDict[] {
  const file = join(shared, 'conformance', path)
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => parseJson(line) as PyDict)
}

const text = (vector: PyDict, key: string) => String(dictGet(vector, key) ?? '')

function trialsOf(suite: string): Trial[] {
  switch (suite) {
    case 'evaluators':
      return ['scoring2/evaluate.jsonl', 'scoring2/evaluate-more.jsonl'].flatMap(vectorsOf).map((vector) => ({
        name: text(vector, 'op'),
        run: () => scored(vector, () => code.evaluated(vector)),
      }))
    case 'postprocessors':
      return ['scoring2/postprocess.jsonl', 'scoring2/postprocess-more.jsonl'].flatMap(vectorsOf).map((vector) => ({
        name: text(vector, 'op'),
        run: () => scored(vector, () => code.postprocessed(vector)),
      }))
    case 'scoring':
      return ['scoring/evaluate.jsonl', 'scoring/postprocess.jsonl'].flatMap(vectorsOf).flatMap((vector) => {
        const run = partOne(vector, code.scoringHost)
        return run === undefined ? [] : [{ name: text(vector, 'op'), run: () => scored(vector, run) }]
      })
    default:
      return ['loaders/loaders.jsonl', 'loaders/more.jsonl', 'loaders/base.jsonl'].flatMap(vectorsOf).map((vector) => ({
        name: text(vector, 'loader'),
        run: () => loaded(vector),
      }))
  }
}

async function scored(vector: PyDict, run: () => Promise<PyValue>): Promise<Outcome> {
  const expected = dictHas(vector, 'error') ? undefined : numbers(dictGet(vector, 'expected') ?? null)
  return compared(expected, run, (ours, theirs) => isClose(ours, theirs))
}

async function compared(
  expected: PyValue | undefined,
  run: () => Promise<PyValue>,
  same: (ours: PyValue, theirs: PyValue) => boolean,
): Promise<Outcome> {
  try {
    const ours = await run()
    if (expected === undefined) return { verdict: 'different', why: `no error, but ${shown(ours)}` }
    return same(ours, expected) ? { verdict: 'equal' } : { verdict: 'different', why: `${shown(ours)} instead of ${shown(expected)}` }
  } catch (error) {
    if (!(error instanceof PythonFailure)) return { verdict: 'refused', why: error instanceof Error ? `${error.message}` : String(error) }
    if (error.reason === 'raised') return expected === undefined ? { verdict: 'equal' } : { verdict: 'different', why: error.message }
    return { verdict: 'refused', why: error.message }
  }
}

async function loaded(json: PyDict): Promise<Outcome> {
  const vector = asVector(json)
  if (vector.reader !== undefined) return { verdict: 'refused', why: 'base' }
  const expected = vector.expected === undefined ? undefined : (shownRows(vector.expected, vector) as PyValue)
  return compared(
    expected,
    async () => shownRows(await code.rows(json), vector) as PyValue,
    (ours, theirs) => pyEqual(ours, theirs),
  )
}

function numbers(value: PyValue): PyValue {
  if (isList(value)) return value.map(numbers)
  if (!isDict(value)) return value
  const number = dictGet(value, '$number')
  return number === undefined ? new Map(dictEntries(value).map(([key, one]) => [key, numbers(one)])) : Number(number)
}

function isClose(one: PyValue, other: PyValue): boolean {
  if (isList(one) && isList(other)) return one.length === other.length && one.every((item, index) => isClose(item, other[index]!))
  if (isDict(one) && isDict(other)) {
    const [a, b] = [dictEntries(one), dictEntries(other)]
    return a.length === b.length && a.every(([key, value]) => dictHas(other, key) && isClose(value, dictGet(other, key)!))
  }
  if (typeof one === 'boolean' || typeof other === 'boolean') return one === other
  const [a, b] = [Number(one), Number(other)]
  const areNumbers = typeof one !== 'string' && typeof other !== 'string' && one !== null && other !== null && !isList(one) && !isDict(one)
  if (areNumbers) return Object.is(a, b) || a === b || Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(b))
  return pyEqual(one, other)
}

function shown(value: PyValue): string {
  const written = pyRepr(value)
  return written.length > 300 ? `${written.slice(0, 300)}…` : written
}

for (const suite of wanted.length > 0 ? wanted.slice(0, 1) : ['postprocessors', 'evaluators', 'scoring', 'loaders']) {
  const only = wanted.slice(1)
  const byName = new Map<string, { equal: number; different: number; refused: number; why: Map<string, number> }>()
  const started = performance.now()
  for (const trial of trialsOf(suite)) {
    if (only.length > 0 && !only.includes(trial.name)) continue
    const counts = byName.get(trial.name) ?? { equal: 0, different: 0, refused: 0, why: new Map() }
    byName.set(trial.name, counts)
    const before = performance.now()
    const { verdict, why } = await trial.run()
    const took = performance.now() - before
    if (took > 3000) console.log(`${trial.name} took ${Math.round(took)} ms`)
    counts[verdict]++
    if (why !== undefined) {
      const reason = isVerbose ? why : why.slice(0, 400)
      counts.why.set(reason, (counts.why.get(reason) ?? 0) + 1)
    }
  }
  const total = { equal: 0, different: 0, refused: 0 }
  for (const [name, { equal, different, refused, why }] of byName) {
    total.equal += equal
    total.different += different
    total.refused += refused
    if (different + refused === 0) continue
    console.log(`${suite} ${name}: equal ${equal}, different ${different}, refused ${refused}`)
    for (const [reason, count] of [...why].slice(0, isVerbose ? 99 : 1)) console.log(`    ${count} × ${reason.replaceAll('\n', ' ')}`)
  }
  const whole = [...byName.values()].filter(({ different, refused }) => different + refused === 0).length
  console.log(
    `${suite}: equal ${total.equal}, different ${total.different}, refused ${total.refused}; names with every vector equal: ${whole} of ${byName.size}; ${Math.round(performance.now() - started)} ms`,
  )
}
