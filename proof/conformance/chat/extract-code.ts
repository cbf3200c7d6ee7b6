import type { PyValue } from '../../../packages/core/src/base/python/index.ts'
import { parseExactReply } from '../../../packages/core/src/internal/reply.ts'
import { outcomeOf, show } from '../outcome.ts'
import type { codeRules } from '../rules/replies.ts'
import { type Trial, trial } from '../suite.ts'
import { failed, identical } from '../verdict.ts'
import { plainVector } from './parse-vector.ts'
import { codeIn } from './promised-reply.ts'

const conditions: Record<keyof typeof codeRules, (input: string) => boolean> = {
  'code-ticks-in-line': (input) => /^```\w*\n[^\n]*\S[^\n]*```/.test(input),
  'code-newline-kept': (input) => /^```\w*\n[\s\S]*\n```/.test(input),
  'code-unclosed-fence': (input) => input.startsWith('```'),
  'code-inline-span': (input) => /`[^`]+`/.test(input),
  'code-json': (input) => input.startsWith('{'),
}

/** lagent's `extract_code`: which part of an interpreter block is the code. */
export function examineExtractCode(vector: PyValue): Trial {
  const { input, expected } = plainVector(vector) as { input: string; expected: string }
  return trial(
    outcomeOf(() => codeOf(input)),
    (ours) => {
      if ('value' in ours && ours.value === expected) return identical
      const rule = (Object.keys(conditions) as (keyof typeof codeRules)[]).find((name) => conditions[name](input))
      if (rule === undefined || !('value' in ours) || ours.value !== codeIn(input))
        return failed(`${show(ours)}, expected ${JSON.stringify(expected)}, promised ${JSON.stringify(codeIn(input))} (${rule})`)
      return { kind: 'rule', rule }
    },
  )
}

function codeOf(block: string): string | undefined {
  const [call] = parseExactReply(`<|action_start|><|interpreter|>\n${block}<|action_end|>`, 'internlm2').calls
  return call?.kind === 'code' ? call.code : undefined
}
