import type { Note, ParsedEvent, ParsedReply } from '@rolecall/core'
import { plainEvent, plainReply } from '@rolecall/core/internal/model'
import { ReplyReader } from '@rolecall/core/internal/reply'
import { eventQueue } from '@rolecall/core/internal/text'
import type { ModelReply } from 'rolecall/models'
import type { OpenTurn } from './open-turn.ts'

/** A turn that has been generated and read. */
export type DoneTurn = { written: ModelReply; reply: ParsedReply; notes: readonly Note[] }

/** Where neither the request nor the model's context limits a reply. */
const defaultMaxTokens = 4096

/** Generates a turn and reads it while it comes. Aborted, it fails with the reason of its signal. */
export function runTurn(turn: OpenTurn): AsyncGenerator<ParsedEvent, DoneTurn, undefined> {
  const { engine, prompt, opening, syntax, tools, constraint, request } = turn
  const { stopTexts = [], sampling, maxTokens = engine.context ?? defaultMaxTokens, toolChoice, signal: given } = request
  const reader = new ReplyReader({
    syntax,
    opening,
    tools: tools.map((tool) => tool.function),
    tokenizer: engine.tokenizer,
    stop: prompt.stop,
    stopTexts: constraint ? [] : stopTexts,
  })
  // A chat server chooses and forces calls itself.
  const forwarded =
    prompt.kind === 'chat' && toolChoice !== undefined && toolChoice !== 'none' ? { tool_choice: wireChoice(toolChoice) } : undefined
  return eventQueue(async (emit, left) => {
    const signal = given ? AbortSignal.any([given, left]) : left
    given?.throwIfAborted()
    const pass = (events: Parameters<typeof plainEvent>[0][]) => {
      for (const event of events) void emit(plainEvent(event))
    }
    const answer = await engine.generate(prompt, {
      maxTokens,
      stopTexts,
      sampling,
      constraint,
      forwarded,
      signal,
      onToken: ({ id }) => pass(reader.token(id)),
      onText: (text) => pass(reader.text(text)),
    })
    // An aborted model returns a partial reply, which would look complete.
    signal.throwIfAborted()
    const written = closed(answer, turn)
    pass(reader.end(written))
    return { written, reply: plainReply(reader.reply), notes: [...prompt.notes, ...written.notes] }
  })
}

/** Appends the end of the call if a server, constrained to a JSON value, returned only the arguments. */
function closed(reply: ModelReply, { endOfArguments: end }: OpenTurn): ModelReply {
  if (end === undefined || reply.finish !== 'stop' || !isJson(reply.text)) return reply
  const { ids: _, ...rest } = reply
  return { ...rest, text: reply.text + end }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function wireChoice(choice: 'auto' | 'required' | { name: string }): unknown {
  return typeof choice === 'object' ? { type: 'function', function: choice } : choice
}
