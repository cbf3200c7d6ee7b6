import { describe, expect, test } from 'vitest'
import type { CodeResult, Interpreter } from '../../model/agent/interpreter.ts'
import { nodeEnvironment } from '../../node/runs/node-environment.ts'
import type { DatasetConfig } from '../config/config-schema.ts'
import { computeSummary, saidOf, summaryKey } from './compute-summary.ts'
import type { Computed } from './record/run-record.ts'
import { planRun, runPairs } from './run-pairs.ts'

/** An interpreter that answers every program in the same way. */
function answering(answer: () => CodeResult): Interpreter & { ran: string[] } {
  const ran: string[] = []
  const none = async () => undefined
  return {
    name: 'answering',
    isSandbox: true,
    ran,
    run: async (code) => {
      ran.push(code)
      return answer()
    },
    addFile: none,
    listFiles: async () => [],
    readFile: async () => new Uint8Array(),
    restart: none,
    close: none,
  }
}

const program = { code: 'left = 1', leaves: 'left' }
const hash = (text: string) => text
const key = summaryKey(program, undefined, hash)

function compute(before: Computed, options: { offline?: boolean; signal?: AbortSignal } = {}, interpreter = answering(() => three)) {
  return computeSummary(program, {
    environment: { hash },
    options,
    store: { computed: () => before },
    interpreter: async () => interpreter,
  })
}

const three: CodeResult = { ok: true, outputs: [{ kind: 'value', text: "'3'" }] }

describe('what a program left for all rows', () => {
  test('is used again if it succeeded', async () => {
    expect(await compute({ key, said: 'left: 2' })).toEqual({ key, said: 'left: 2' })
    expect(await compute({ key: 'other', said: 'left: 2' })).toEqual({ key, said: 'left: 3' })
  })

  test('is computed again if it failed, but not offline, where nothing runs', async () => {
    const failed = { key, said: 'failed: it was interrupted' }
    expect(await compute(failed)).toEqual({ key, said: 'left: 3' })
    expect(await compute(failed, { offline: true })).toEqual(failed)
    expect(await compute({ ...failed, key: 'other' }, { offline: true })).toBeUndefined()
  })

  test('belongs to the values that it was computed from', () => {
    const evaluator = { summaryRuns: (kept: readonly unknown[]) => ({ code: `left = ${kept.length}`, leaves: 'left' }) }
    const computed = { key: summaryKey(evaluator.summaryRuns([1]), undefined, hash), said: 'left: 1' }
    expect(saidOf([1], evaluator, computed, hash)).toBe('left: 1')
    expect(saidOf([1, 2], evaluator, computed, hash)).toBeUndefined()
    expect(saidOf([1], {}, computed, hash)).toBeUndefined()
  })

  test('is unknown if the run was stopped meanwhile', async () => {
    const stop = new AbortController()
    const interpreter = answering(() => {
      stop.abort()
      return { ok: false, outputs: [] }
    })
    expect(await compute({ key: 'other', said: '' }, { signal: stop.signal }, interpreter)).toBeUndefined()
    expect(interpreter.ran).toHaveLength(1)
  })
})

test('a pair that is stopped while that program runs has no end, as one that is stopped before its last row', async () => {
  const dataset: DatasetConfig = {
    abbr: 'letters',
    rows: [{ letter: 'a' }],
    reader_cfg: { input_columns: ['letter'], output_column: 'letter' },
    infer_cfg: { prompt_template: { template: '{letter}?' } },
    eval_cfg: { evaluator: { type: 'AccEvaluator' } },
  }
  const [pair] = planRun([{ abbr: 'echo', type: 'fake', format: 'plain' }], [dataset])
  const evaluator = { ...pair!.evaluator, summaryRuns: () => program, summarise: () => ({ [pair!.evaluator.metric]: 1 }) }
  const generate = () => Promise.resolve({ text: 'a', finish: 'stop' as const, notes: [], tokens: { prompt: 1, reused: 0, reply: 1 } })
  const kinds = async (meanwhile: (stop: AbortController) => void) => {
    const stop = new AbortController()
    const interpreter = answering(() => {
      meanwhile(stop)
      return three
    })
    const environment = {
      ...nodeEnvironment('.'),
      openModel: async () => ({ name: 'fake', generate }) as never,
      openInterpreter: async () => interpreter,
    }
    const found: string[] = []
    for await (const { kind } of runPairs([{ ...pair!, evaluator }], environment, { signal: stop.signal })) found.push(kind)
    return found
  }
  expect(await kinds(() => undefined)).toEqual(['start', 'row', 'end'])
  expect(await kinds((stop) => stop.abort())).toEqual(['start', 'row'])
})
