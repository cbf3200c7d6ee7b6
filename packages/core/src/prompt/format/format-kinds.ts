import { chatTemplateKind } from './chat-template/chat-template-kind.ts'
import type { FormatKind } from './format-kind.ts'
import { internlm2Kind } from './internlm2/internlm2-kind.ts'
import { metaTemplateKind } from './meta/meta-template-kind.ts'
import { mlcKind } from './mlc/mlc-kind.ts'
import { ollamaKind } from './ollama/ollama-kind.ts'

/** The kinds of conversation formats; the first that a model's settings choose compiles them. */
export const formatKinds = [
  ollamaKind,
  mlcKind,
  chatTemplateKind,
  internlm2Kind,
  metaTemplateKind,
] as const satisfies readonly FormatKind<never>[]
