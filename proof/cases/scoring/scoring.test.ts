import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { dictGet, type PyDict, parseJson } from '../../../packages/core/src/base/python/index.ts'
import { scoring } from '../../conformance/scoring/suite.ts'

/** The vectors of a file by what they compute. */
function readVectors(name: string): [operation: string, vectors: PyDict[]][] {
  const byOperation = new Map<string, PyDict[]>()
  for (const line of readFileSync(new URL(name, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')) {
    const vector = parseJson(line) as PyDict
    const operation = dictGet(vector, 'op') as string
    byOperation.set(operation, [...(byOperation.get(operation) ?? []), vector])
  }
  return [...byOperation]
}

async function judge(vector: PyDict) {
  const examined = await scoring.examine(vector, '')
  return 'ours' in examined ? examined.judge(examined.ours) : examined
}

describe.each(['evaluate.jsonl', 'postprocess.jsonl'])('%s: answers are read and judged as the reference does', (name) => {
  for (const [operation, vectors] of readVectors(name))
    test(operation, async () => {
      const judged = vectors.map(async (vector) => ({ id: dictGet(vector, 'id'), verdict: await judge(vector) }))
      const verdicts = await Promise.all(judged)
      expect(verdicts.filter(({ verdict }) => verdict.kind !== 'identical' && verdict.kind !== 'rule')).toEqual([])
    })
})
