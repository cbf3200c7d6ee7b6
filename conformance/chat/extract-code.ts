import type { PyValue } from '../../src/base/python/index.ts'
import { parseReply } from '../../src/index.ts'
import type { Verdict } from '../judge.ts'
import { codeRules } from './code-rules.ts'
import { plainVector } from './parse-vector.ts'

/** lagent's `extract_code`: which part of an interpreter block is the code. */
export function judgeExtractCode(vector: PyValue): Verdict {
  const { input, expected } = plainVector(vector) as { input: string; expected: string }
  const [call] = parseReply(`<|action_start|><|interpreter|>\n${input}<|action_end|>`, 'internlm2').calls
  const code = call?.kind === 'code' ? call.code : undefined
  if (code === expected) return { kind: 'passed' }
  const rule = Object.entries(codeRules).find(([, { applies }]) => applies(input))?.[0]
  if (rule !== undefined) return { kind: 'deviation', rule }
  return { kind: 'failed', why: `${JSON.stringify(code)}, expected ${JSON.stringify(expected)}, and no rule says why` }
}
