import type { ChatMessage } from '@rolecall/core/internal/conversation'
import type { NoteTable } from '@rolecall/core/internal/errors'
import { coreNotes } from '@rolecall/core/internal/errors'
import type { Prompt } from '@rolecall/core/internal/format'
import {
  exactIds,
  openingOf,
  type Reply,
  type ReplyEvent,
  ReplyReader,
  type ReplySyntax,
  type UsableCall,
} from '@rolecall/core/internal/reply'
import { eventQueue } from '@rolecall/core/internal/text'
import { replySeed } from '../language-model/draw-seed.ts'
import type { GenerateOptions, LanguageModel, ModelReply } from '../language-model/language-model.ts'
import type { AgentCall, AgentEvent, AgentResult, EndReason } from './agent-event.ts'
import type { AgentOptions } from './agent-options.ts'
import { replyMessage } from './reply-message.ts'
import { agentCall, type CallResult, codeOf, runCalls } from './run-calls.ts'
import { setUpAgent } from './set-up-agent.ts'
import { saveMessages, savePrompt, saveReply, type TranscriptStep } from './transcript.ts'

/** What a chat loses is reported; adaptations are not, every turn has them. */
const rows: NoteTable = coreNotes

/**
 * Runs a model with tools: sends the conversation, runs the calls and code of the reply, and sends the results back, until the model
 * answers in words. Yields events; the last one is `done`. Generated text goes back as the very ids the model generated.
 *
 * @example
 * const model = { name: 'parrot', generate: async () => ({ text: 'Hi', finish: 'stop', tokens: { prompt: 1, reused: 0, reply: 1 }, notes: [] }) }
 * const types: string[] = []
 * for await (const { type } of runAgent({ model, format: 'internlm2', messages: [{ role: 'user', content: 'Hello' }] })) types.push(type)
 * types // => ['prompt', 'text', 'message', 'done']
 */
export function runAgent(options: AgentOptions): AsyncGenerator<AgentEvent, AgentResult, undefined> {
  const { signal } = options
  return eventQueue((emit, left) => work(options, signal ? AbortSignal.any([signal, left]) : left, emit))
}

/**
 * As `runAgent`, without events: resolves with the result.
 *
 * @example
 * const model = { name: 'parrot', generate: async () => ({ text: 'Hi', finish: 'stop', tokens: { prompt: 1, reused: 0, reply: 1 }, notes: [] }) }
 * const { text, reason } = await askAgent({ model, format: 'internlm2', messages: [{ role: 'user', content: 'Hello' }] })
 * text // => 'Hi'
 * reason // => 'answer'
 */
export async function askAgent(options: AgentOptions): Promise<AgentResult> {
  return work(options, options.signal ?? new AbortController().signal, () => undefined)
}

async function work(options: AgentOptions, signal: AbortSignal, emit: (event: AgentEvent) => void): Promise<AgentResult> {
  const agent = setUpAgent(options)
  const { model, format, schemas, codeTool, maxTurns } = agent
  const messages: ChatMessage[] = [...options.messages]
  const steps: TranscriptStep[] = []
  const tokens = { prompt: 0, reused: 0, reply: 0 }
  let dropped = options.history?.dropped ?? 0
  let text = ''
  let last: string | undefined
  let callCount = messages.reduce((sum, { tool_calls: calls }) => sum + (calls?.length ?? 0), 0)

  const add = (message: ChatMessage) => {
    messages.push(message)
    emit({ type: 'message', message })
  }
  const end = (reason: EndReason, pending: readonly AgentCall[] = []): AgentResult => {
    const transcript = {
      version: 1 as const,
      model: model.name,
      format: format.name,
      tools: schemas,
      interpreter: options.interpreter !== undefined,
      messages: saveMessages(messages),
      steps,
    }
    const result = { reason, text, messages, pending, dropped, turns: steps.length, tokens, transcript }
    emit({ type: 'done', result })
    return result
  }

  while (!signal.aborted) {
    const fitted = agent.fit(messages, dropped)
    dropped = fitted.dropped
    // Rounds that were dropped are in the notes of every later prompt, too: `fitted` reports them once.
    const losses = fitted.prompt.notes.filter(({ code }) => rows[code]?.isLoss && code !== 'history-dropped')
    for (const note of [...fitted.notes, ...losses]) emit({ type: 'note', note })
    const saved = savePrompt(fitted.prompt)
    const exact = JSON.stringify(saved)
    if (exact === last) {
      const problem = 'the format leaves out the result, so the next prompt would be the same'
      emit({ type: 'problem', problem, sentToModel: false })
      return end('stuck')
    }
    last = exact
    emit({ type: 'prompt', turn: steps.length, prompt: fitted.prompt })
    const syntax = agent.syntaxAfter(fitted.prompt)
    const { written, reply } = await takeTurn(fitted.prompt, {
      model,
      syntax,
      tools: schemas,
      generation: { ...agent.generation, sampling: samplingOfTurn(agent.generation.sampling, messages.length), signal },
      emit,
    })
    steps.push({ prompt: saved, reply: saveReply(written) })
    for (const note of written.notes) emit({ type: 'note', note })
    tokens.prompt += written.tokens.prompt
    tokens.reused += written.tokens.reused
    tokens.reply += written.tokens.reply
    text = reply.text
    const ids = reply.calls.map((call) => (call.kind === 'call' && call.id) || `call_${callCount++}`)
    add(agent.heard(replyMessage({ reply, model: written, callIds: ids, syntax, format })))
    if (reply.calls.length === 0) return end(written.finish === 'stop' ? 'answer' : written.finish)
    tellCalls({ written, reply }, ids, codeTool, emit)
    const limit = signal.aborted || written.finish === 'aborted' ? 'aborted' : steps.length >= maxTurns ? 'max-turns' : undefined
    const why = limit === 'aborted' ? 'the user stopped this' : `the limit of ${maxTurns} turns was reached`
    const results = limit
      ? reply.calls.map((call, index) => notRun(nameOf(call), ids[index]!, codeOf(call, codeTool) !== undefined, why))
      : await runCalls(reply.calls, ids, { tools: agent.tools, interpreter: options.interpreter, codeTool, signal, emit })
    for (const result of results) if (result.content !== undefined) add(agent.resultMessage(result, messages))
    if (limit) return end(limit)
    const waiting = results.flatMap(({ content }, index) => {
      const call = reply.calls[index]!
      return content === undefined && call.kind === 'call' ? [agentCall(call, ids[index]!)] : []
    })
    if (waiting.length > 0) return end('calls', waiting)
  }
  return end('aborted')
}

function tellCalls({ reply }: AgentTurn, ids: readonly string[], codeTool: string | undefined, emit: (event: AgentEvent) => void): void {
  for (const [index, call] of reply.calls.entries()) {
    const id = ids[index]!
    const code = codeOf(call, codeTool)
    if (code !== undefined)
      emit({ type: 'code', id, code, ...(call.kind === 'code' && call.language !== undefined ? { language: call.language } : {}) })
    else if (call.kind === 'call') emit({ type: 'call', ...agentCall(call, id) })
  }
}

function nameOf(call: { kind: string; name?: string }): string {
  return (call as Partial<UsableCall>).name ?? ''
}

function notRun(name: string, id: string, isCode: boolean, why: string): CallResult {
  return { id, name, isCode, ok: false, content: `{"error": "not run: ${why}"}` }
}

/** With a seed, every turn of a chat uses different random numbers, and the same ones when the chat is repeated. */
function samplingOfTurn(sampling: GenerateOptions['sampling'], turn: number): GenerateOptions['sampling'] {
  return sampling?.seed === undefined ? sampling : { ...sampling, seed: replySeed(sampling.seed, turn) }
}

type TurnOptions = {
  model: LanguageModel
  syntax: ReplySyntax
  tools: readonly unknown[]
  generation: GenerateOptions
  emit: (event: AgentEvent) => void
}

/** The model's reply, raw and parsed. */
type AgentTurn = { written: ModelReply; reply: Reply }

/** Sends a prompt and reads the reply: emits text while it is written, and calls when they are certain. */
async function takeTurn(prompt: Prompt, { model, syntax, tools, generation, emit }: TurnOptions): Promise<AgentTurn> {
  const { tokenizer } = model
  const { stopTexts } = generation
  const reader = new ReplyReader({ syntax, opening: openingOf(prompt), tools, tokenizer, stop: prompt.stop, stopTexts })
  const tell = (events: readonly ReplyEvent[]) => {
    for (const event of events) if (event.type === 'text' || event.type === 'reasoning') emit(event)
  }
  const answer = await model.generate(prompt, {
    ...generation,
    onToken: ({ id }) => tell(reader.token(id)),
    onText: (text) => tell(reader.text(text)),
  })
  tell(reader.end(answer))
  return { written: withExactIds(answer, exactIds(answer, tokenizer)), reply: reader.reply }
}

function withExactIds(answer: ModelReply, exact: readonly number[] | undefined): ModelReply {
  if (answer.ids === exact) return answer
  const { ids: _, logProbabilities: __, ...rest } = answer
  return rest
}
