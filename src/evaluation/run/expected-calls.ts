import { PromptError } from '../../base/errors/prompt-error.ts'
import type { PyValue } from '../../base/python/index.ts'
import type { PromptMaker } from '../../prompt/compile/prompt-maker.ts'
import { type Conversation, isTurn, type ToolCall, type Turn } from '../../prompt/conversation/conversation.ts'
import type { Row } from '../../prompt/conversation/row.ts'
import type { DatasetConfig } from '../config/config-schema.ts'

/** The calls in a chat's assistant turns: the reference if no column has it. */
export function expectedCalls({ infer_cfg: { inferencer } }: DatasetConfig, maker: PromptMaker, row: Row): PyValue | undefined {
  const conversation = conversationOf(maker, row)
  if (conversation === undefined) return undefined
  const turns = conversation.kind === 'text' ? [] : conversation.sections.flatMap(({ items }) => items.filter(isTurn))
  const written = turns.filter(({ role }) => role === 'assistant').map(callsIn)
  const mode = inferencer?.infer_mode ?? 'last'
  return mode === 'last' ? (written.at(-1) ?? []) : written
}

/** An unreadable row is reported when it is sent. */
function conversationOf(maker: PromptMaker, row: Row): Conversation | undefined {
  try {
    return maker.conversation({ row, examples: [], mode: 'ppl' })
  } catch (error) {
    if (error instanceof PromptError) return undefined
    throw error
  }
}

function callsIn({ calls = [] }: Turn): PyValue {
  return calls.map(({ name, arguments: given, code }: ToolCall): PyValue => (code === undefined ? { name, arguments: given } : { code }))
}
