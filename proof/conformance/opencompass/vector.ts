import type { PyDict } from '../../../packages/core/src/base/python/index.ts'

/** A vector of the prompt pipeline, as `shared/conformance/opencompass/README.md` defines it. */
export type PipelineVector = {
  id: string
  /** Which program was run: `openicl` is OpenCompass's ancestor. */
  group?: string
  iceTemplate: TemplateJson | null
  promptTemplate: TemplateJson | null
  metaTemplate: unknown
  model: 'lm' | 'api'
  mode: 'gen' | 'ppl'
  entry: PyDict
  iceEntries: PyDict[]
  retriever?: 'fix' | 'zero'
  iceSeparator: string
  iceEosToken: string
  outputColumn: string | null
  label?: string | number | null
  genFieldReplaceToken?: string | null
  remainSep?: boolean
  /** For whole runs of PPLInferencer. */
  comparesLabels?: true
  normalizingStr?: string | null
  maxSeqLen?: number | null
  intermediate?: unknown
  expected?: unknown
  error?: string
}

export type TemplateJson = {
  template?: unknown
  messages?: unknown
  ice_token?: string | null
  sep_token?: string | null
  column_token_map?: Record<string, string>
  format_variables?: boolean
}

export type TurnJson = {
  role?: string
  fallback_role?: string
  prompt?: string
  begin?: unknown
  end?: unknown
  generate?: unknown
  [key: string]: unknown
}
