import type { Row } from '@rolecall/core/internal/conversation'
import type { Prompt } from '@rolecall/core/internal/format'
import { stringifyJson } from '@rolecall/core/internal/python'
import type { RecordedCall } from '@rolecall/core/internal/reply'
import { exactIds, offeredSyntax, openingOf, type Reply, type ReplyCall, readReply, syntaxAfter } from '@rolecall/core/internal/reply'
import type { ModelReply } from '../../../model/language-model/language-model.ts'
import { replySyntaxOf } from '../../../model/model-types/reply-syntax-of.ts'
import type { RequestPlan } from './inferencer.ts'

/** The source of parsed calls: a server that parses them, the generated ids, or the text. */
export type CallSource = 'server' | 'ids' | 'text'

/** The code of the note on a tool call that is not scored. */
export const toolCallNote = 'tool-call'

/** The calls in a reply. */
export type ParsedCalls = { calls: readonly RecordedCall[]; by: CallSource }

type GivenReply = Pick<ModelReply, 'text' | 'ids' | 'calls' | 'reasoning'>

/** The row and prompt that a reply answers. */
export type CallContext = { row: Row; prompt?: Prompt | undefined }

/** Parses a reply as agents and the server do: by the syntax of the model's format or config, by ids if the model returns them. */
export function readTurn({ maker, model, tokenizer }: RequestPlan, { row, prompt }: CallContext, reply: GivenReply): Reply {
  const { tools = [], interpreter } = maker.tools?.of(row) ?? {}
  const offered = { functions: true, interpreter: interpreter !== undefined }
  return readReply(reply, {
    syntax: offeredSyntax(syntaxAfter(maker.format, prompt?.notes ?? [], replySyntaxOf(model)), offered),
    opening: prompt ? openingOf(prompt) : '',
    tools: tools.map(({ schema }) => schema),
    tokenizer,
    ...(prompt ? { stop: prompt.stop } : {}),
  })
}

/** The calls of a reply, in their recorded and scored form. */
export function readCalls(plan: RequestPlan, turn: CallContext, reply: GivenReply): ParsedCalls {
  const { calls } = readTurn(plan, turn, reply)
  const hasIds = plan.tokenizer !== undefined && reply.ids !== undefined && exactIds(reply, plan.tokenizer) !== undefined
  const by = reply.calls ? 'server' : hasIds ? 'ids' : 'text'
  return { calls: calls.map((call) => recordedCall(call, by)), by }
}

function recordedCall(call: ReplyCall, by: CallSource): RecordedCall {
  if (call.kind === 'call') {
    const { name, arguments: given, argumentsText: text } = call
    // Calls in text are recorded verbatim there; those from a server are recorded nowhere else.
    return by === 'server' && text !== stringifyJson(given, { ensureAscii: false })
      ? { name, arguments: given, arguments_text: text }
      : { name, arguments: given }
  }
  if (call.kind === 'code') return { code: call.code }
  return { ...(call.name === undefined ? {} : { name: call.name }), malformed: call.raw, problem: call.problem }
}
