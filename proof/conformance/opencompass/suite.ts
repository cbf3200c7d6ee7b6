import { dictEntries, dictGet, dictHas, isDict, PyFloat } from '../../../packages/core/src/base/python/index.ts'
import type { Suite } from '../suite.ts'
import { type DocumentedVector, examineDocumented } from './documented.ts'
import { examineSubject } from './judge.ts'
import { openiclVector } from './openicl.ts'
import { pipelineSubject } from './pipeline.ts'
import { type UnitVector, unitSubject } from './unit.ts'
import type { PipelineVector } from './vector.ts'

/** Documents 000-002: what OpenCompass and AISBench send for a row. */
export const opencompass: Suite = {
  name: 'opencompass',
  recognises: (vector) => dictHas(vector, 'promptTemplate') || (dictGet(vector, 'group') === 'unit' && dictHas(vector, 'op')),
  examine(vector) {
    if (at(vector, 'documented') !== undefined) return examineDocumented(withPlainConfigs(vector) as DocumentedVector)
    const subject = subjectOf(vector)
    return subject ? examineSubject(subject) : { kind: 'unsupported', why: `the operation ${String(at(vector, 'op'))}` }
  },
}

function subjectOf(json: unknown) {
  // Rows keep values that only Python's JSON supports; configs are plain objects.
  if (at(json, 'op') !== undefined) return unitSubject(withPlainConfigs(json) as UnitVector)
  const vector = withPlainConfigs(json) as PipelineVector
  return pipelineSubject(vector.group === 'openicl' ? openiclVector(vector) : vector)
}

const rowKeys = new Set(['entry', 'iceEntries', 'train', 'test'])

export function withPlainConfigs(value: unknown, key = ''): unknown {
  if (rowKeys.has(key)) return value
  if (value instanceof PyFloat) return value.value
  if (Array.isArray(value)) return value.map((entry) => withPlainConfigs(entry))
  if (!isDict(value)) return value
  return Object.fromEntries(dictEntries(value).map(([name, entry]) => [name, withPlainConfigs(entry, name)]))
}

function at(value: unknown, key: string): unknown {
  return isDict(value) ? dictGet(value, key) : undefined
}
