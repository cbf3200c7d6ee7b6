import { dictEntries, isDict, type PyDict, type PyValue } from '../../../packages/core/src/base/python/index.ts'

/** A vector's message; `content: null` is an open reply header. */
export type VectorMessage = { role: string; content: string | null | readonly PyDict[]; [key: string]: PyValue }

/** A vector as stored in its file; the folder's README describes every field. */
export type MlcVector = {
  id: string
  source: 'mlc-old' | 'mlc-new' | 'web-llm'
  era?: '2023-06' | '2024-03'
  mode: string
  template: string | null
  config: PyDict
  messages: readonly VectorMessage[]
  expected?: PyValue
  error?: string
  error_kind?: string
  place?: 'begin' | 'middle' | 'end'
  drive?: 'prefill'
  add_bos?: boolean
  prefix_tokens?: readonly number[]
  tools?: readonly PyDict[]
  tool_choice?: PyValue
  use_function_calling?: boolean
  window?: { total_seq_len: number; max_window_size: number; mean_gen_len: number; shift_fill_factor: number }
  n_tokens?: number
  shifted?: boolean
  warning?: string
  partial?: boolean
  app_config?: PyDict
  logits?: readonly unknown[]
  appeared?: readonly number[]
  u?: readonly unknown[]
  vocab?: readonly string[]
  tokens?: readonly number[]
  stop?: readonly string[]
  backtracking?: boolean
  max_gen_len?: number
  max_window_size?: number
  override_system_message?: string
  function_string?: string
  empty_thinking?: string
  model_type?: string
  output?: string
}

/** A prepared vector: the reference's result, how to compute ours, and the rules that apply to its input. */
export type MlcSubject = {
  vector: MlcVector
  /** The reference's result; undefined if it fails. */
  expected: unknown
  produce: () => unknown
  /** Ours for another vector of the same kind. */
  again: (vector: MlcVector) => unknown
}

/** Keeps Python's number types in configs and messages, so that 2.0 and 2 remain distinct. */
export function asVector(json: PyValue): MlcVector {
  if (!isDict(json)) throw new Error('a vector is an object')
  return Object.fromEntries(dictEntries(json)) as unknown as MlcVector
}
