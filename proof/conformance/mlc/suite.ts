import { dictGet } from '../../../packages/core/src/base/python/index.ts'
import { agrees, outcomeOf, show } from '../outcome.ts'
import { type Suite, type Trial, trial } from '../suite.ts'
import { failed, identical } from '../verdict.ts'
import { chatConfigSubject } from './chat-config.ts'
import { newPromptSubject } from './new-prompt.ts'
import { oldPromptSubject } from './old-prompt.ts'
import { keepsPromise, rulesOf } from './rules.ts'
import { sampleSubject } from './sampling.ts'
import { stopSubject } from './stopping.ts'
import { toolCallsSubject } from './tool-calls.ts'
import { asVector, type MlcSubject, type MlcVector } from './vector.ts'
import { examineWebLlm } from './web-llm.ts'
import { windowSubject } from './window.ts'

const sources: readonly unknown[] = ['mlc-old', 'mlc-new', 'web-llm']

/** Document 003: how MLC-LLM (old and new) and WebLLM render a conversation template. */
export const mlc: Suite = {
  name: 'mlc',
  recognises: (vector) => sources.includes(dictGet(vector, 'source')),
  examine(json) {
    const vector = asVector(json)
    if (vector.source === 'web-llm' && vector.mode !== 'tool-call-parse') return examineWebLlm(vector)
    const prepare = preparation(vector)
    return prepare ? examineSubject(vector, prepare) : { kind: 'unsupported', why: `${vector.source} ${vector.mode}` }
  },
}

type Prepare = (vector: MlcVector) => Omit<MlcSubject, 'again'>

function preparation({ source, mode }: MlcVector): Prepare | undefined {
  if (mode === 'tool-call-parse') return toolCallsSubject
  if (source === 'mlc-new') return mode === 'full' || mode === 'request' ? newPromptSubject : undefined
  if (mode === 'full' || mode === 'last_round') return oldPromptSubject
  if (mode === 'chat-config') return chatConfigSubject
  if (mode === 'sample') return sampleSubject
  if (mode === 'stop') return stopSubject
  return mode === 'window' ? windowSubject : undefined
}

/** Our result must equal the reference's, or be an error where it fails; otherwise a rule that tests the input must promise it. */
function examineSubject(vector: MlcVector, prepare: Prepare): Trial {
  const subject: MlcSubject = { ...prepare(vector), again: (other) => prepare(other).produce() }
  const expected = subject.expected === undefined ? undefined : { value: subject.expected }
  return trial(outcomeOf(subject.produce), (ours) => {
    if (agrees(ours, expected)) return identical
    const rules = rulesOf(vector)
    const rule = rules.find((name) => keepsPromise(name, ours, subject))
    if (rule) return { kind: 'rule', rule }
    return failed(
      `ours ${show(ours)}, expected ${expected ? show(expected) : `an error (${vector.error})`}; rules: ${rules.join(', ') || 'none'}`,
    )
  })
}
