import type { PyDict, PyValue } from '../../../packages/core/src/base/python/index.ts'
import { dictHas } from '../../../packages/core/src/base/python/index.ts'

/** A model reply and its expected parse, as described in `shared/conformance/replies/README.md`. */
export type ReplyVector = {
  id: string
  family: string
  /** Absent for disputed replies. */
  form?: string
  tools: PyValue[]
  prompt_tail: string
  input: string
  end_mark?: string | null
  expected: { reasoning?: string | null; content?: string | null; calls?: ExpectedCall[] | null }
  malformed?: boolean
  complete_calls?: ExpectedCall[]
  content_loose?: boolean
}

export type ExpectedCall = { name: string; arguments: unknown }

export function isReplyVector(vector: PyDict): boolean {
  return ['form', 'input', 'prompt_tail', 'expected'].every((key) => dictHas(vector, key))
}

/** Replies that references read differently: they must only parse. */
export function isDisputed(vector: PyDict): boolean {
  return ['family', 'input', 'prompt_tail', 'got'].every((key) => dictHas(vector, key))
}
