import { dictGet, type PyValue } from '../../src/python/index.ts'
import type { Verdict } from '../judge.ts'
import type { Suite } from '../suites.ts'
import { judgeExtractCode } from './extract-code.ts'
import { judgeLenientJson } from './lenient-json.ts'

/** Small kinds of vectors that share a file: one line each. */
const judges: Record<string, (vector: PyValue) => Verdict> = {
  'internlm2-extract-code': judgeExtractCode,
  'internlm2-lenient-json': judgeLenientJson,
}

/** Kinds that stand in the same file and are judged elsewhere or later. */
const others = ['internlm2-token-id', 'internlm2-transcript']

export const misc: Suite = {
  name: 'chat',
  recognises: (vector) => [...Object.keys(judges), ...others].includes(String(dictGet(vector, 'group'))),
  judge: (vector) => judges[groupOf(vector)]?.(vector) ?? { kind: 'later' },
}

function groupOf(vector: PyValue): string {
  return String(dictGet(vector as { [key: string]: PyValue }, 'group'))
}
