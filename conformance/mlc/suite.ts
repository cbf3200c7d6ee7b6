import { dictGet } from '../../src/base/python/index.ts'
import type { Verdict } from '../judge.ts'
import { outcomeOf, sameValue } from '../outcome.ts'
import type { Suite } from '../suite.ts'
import { chatConfigSubject } from './chat-config.ts'
import { newPromptSubject } from './new-prompt.ts'
import { oldPromptSubject } from './old-prompt.ts'
import { explains, rulesOf } from './rules.ts'
import { sampleSubject } from './sampling.ts'
import { stopSubject } from './stopping.ts'
import { toolCallsSubject } from './tool-calls.ts'
import { asVector, type MlcSubject, type MlcVector } from './vector.ts'
import { judgeWebLlm } from './web-llm.ts'
import { windowSubject } from './window.ts'

const sources: readonly unknown[] = ['mlc-old', 'mlc-new', 'web-llm']

/** Document 003: how MLC-LLM (old and new) and WebLLM render a conversation template. */
export const mlc: Suite = {
  name: 'mlc',
  recognises: (vector) => sources.includes(dictGet(vector, 'source')),
  judge(json) {
    const vector = asVector(json)
    if (vector.mode === 'tool-call-parse') return judgeSubject(toolCallsSubject(vector))
    if (vector.source === 'web-llm') return judgeWebLlm(vector)
    const subject = subjectOf(vector)
    return subject ? judgeSubject(subject) : { kind: 'later' }
  },
}

function subjectOf(vector: MlcVector): MlcSubject | undefined {
  const { source, mode } = vector
  if (source === 'mlc-new') return mode === 'full' || mode === 'request' ? newPromptSubject(vector) : undefined
  if (mode === 'full' || mode === 'last_round') return oldPromptSubject(vector)
  if (mode === 'chat-config') return chatConfigSubject(vector)
  if (mode === 'sample') return sampleSubject(vector)
  if (mode === 'stop') return stopSubject(vector)
  return mode === 'window' ? windowSubject(vector) : undefined
}

/** Our result must equal the reference's, or be an error where it fails; otherwise a rule that tests the input must say why. */
function judgeSubject({ vector, expected, produce }: MlcSubject): Verdict {
  const ours = outcomeOf(produce)
  const agrees = 'error' in ours ? expected === undefined : expected !== undefined && sameValue(ours.value, expected)
  if (agrees) return { kind: 'passed' }
  const rule = rulesOf(vector).find((one) => explains(one, ours, vector))
  if (rule) return { kind: 'deviation', rule: rule.name }
  const shown = 'error' in ours ? `${ours.error.code} (${ours.error.message})` : JSON.stringify(ours.value)
  return {
    kind: 'failed',
    why: `ours ${shown}, expected ${expected === undefined ? `an error (${vector.error})` : JSON.stringify(expected)}`,
  }
}
