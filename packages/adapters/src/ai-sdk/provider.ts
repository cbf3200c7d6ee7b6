import { countTokens, type ParsedReply } from '@rolecall/core'
import { check } from '@rolecall/core/internal/errors'
import { callBlock } from '@rolecall/core/internal/reply'
import * as z from '@rolecall/core/internal/schema'
import type { InferenceEngine } from 'rolecall'
import { isLoss, type OpenTurn, openTurn } from '../turn/open-turn.ts'
import { type DoneTurn, runTurn } from '../turn/run-turn.ts'
import { readSettings } from './read-settings.ts'
import type { AiSdkModel, CallOptions, GenerateResult, SdkFinish, SdkMetadata, SdkUsage, SdkWarning, StreamPart } from './specification.ts'
import { contentOf, PartWriter } from './write-parts.ts'

/** What holds for every call of a model. */
export type RolecallSettings = {
  /** Variables of the chat template, such as `{ enable_thinking: false }`; those of one call are in `providerOptions.rolecall.variables`. */
  variables?: Readonly<Record<string, unknown>>
  /** Ids of calls whose syntax has none; random by default. */
  generateId?: () => string
}

const settingsSchema = z.strictObject({
  variables: z.optional(z.record(z.string(), z.unknown())),
  generateId: z.optional(z.custom<() => string>((value) => typeof value === 'function', 'expected a function')),
} satisfies { readonly [Key in keyof Required<RolecallSettings>]: z.FieldSchemas[string] })

const engineSchema = z.looseObject({ model: z.looseObject({ format: z.looseObject({}) }) })

/**
 * A model for the AI SDK that is sent exact prompts and whose replies are read as its own template writes them: text, reasoning, tool calls
 * and JSON, without a parser on the server.
 *
 * @example
 * const model = defineModel('chatml')
 * const fetch = async () => new Response('{"choices": [{"text": "Hi!", "finish_reason": "stop"}]}', { headers: { 'content-type': 'application/json' } })
 * const { content } = await rolecall(openServer(model, { baseURL: 'http://127.0.0.1:8000/v1', fetch })).doGenerate({
 *   prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
 * })
 * content // => [{ type: 'text', text: 'Hi!' }]
 */
export function rolecall(engine: InferenceEngine, settings: RolecallSettings = {}): AiSdkModel {
  check(engineSchema, engine, 'rolecall › what openServer or openLocalModel returns › ')
  check(settingsSchema, settings, 'rolecall › settings › ')
  const { variables, generateId = randomId } = settings
  const open = (options: CallOptions): { turn: OpenTurn; warnings: SdkWarning[] } => {
    const { request, warnings } = readSettings(options, variables)
    const turn = openTurn(engine, request)
    return { turn, warnings: [...warnings, ...turn.warnings.map((message): SdkWarning => ({ type: 'other', message }))] }
  }
  return {
    specificationVersion: 'v3',
    provider: 'rolecall',
    modelId: engine.name,
    // Servers with vision get images as data.
    supportedUrls: {},
    async doGenerate(options): Promise<GenerateResult> {
      const { turn, warnings } = open(options)
      const done = await lastOf(runTurn(turn))
      const lost = done.written.notes.map(({ text }): SdkWarning => ({ type: 'other', message: text }))
      return {
        content: contentOf(done.reply, generateId),
        ...outcome(done, engine),
        warnings: [...warnings, ...lost],
        request: requestOf(turn),
      }
    },
    async doStream(options) {
      const { turn, warnings } = open(options)
      const writer = new PartWriter(generateId, callBlock(turn.syntax)?.json !== undefined)
      return { stream: streamOf(parts(turn, warnings, writer, engine)), request: requestOf(turn) }
    },
  }
}

async function* parts(turn: OpenTurn, warnings: SdkWarning[], writer: PartWriter, engine: InferenceEngine): AsyncGenerator<StreamPart> {
  yield { type: 'stream-start', warnings }
  const events = runTurn(turn)
  try {
    let next = await events.next()
    for (; !next.done; next = await events.next()) yield* writer.write(next.value)
    yield* writer.end()
    yield { type: 'finish', ...outcome(next.value, engine) }
  } finally {
    await events.return(undefined as never)
  }
}

/** What a reply cost and why it ended. Notes about it come too late for warnings of a stream. */
function outcome(done: DoneTurn, engine: InferenceEngine): { finishReason: SdkFinish; usage: SdkUsage; providerMetadata: SdkMetadata } {
  const { written, reply, notes } = done
  const hasCalls = reply.calls.some((call) => call.kind === 'call' || (call.kind === 'malformed' && call.name !== undefined))
  const unified = written.finish === 'length' ? 'length' : hasCalls ? 'tool-calls' : 'stop'
  const told = [...notes.filter((note) => isLoss(note)), ...written.notes].map(({ code, text }) => ({ code, text }))
  return {
    finishReason: { unified, raw: written.finish },
    usage: usageOf(done, engine),
    providerMetadata: { rolecall: { notes: told, problems: reply.problems.map(({ problem }) => problem), rest: reply.rest } },
  }
}

function usageOf({ written: { tokens }, reply }: DoneTurn, { model }: InferenceEngine): SdkUsage {
  const { prompt, reused, reply: generated, unreported } = tokens
  if (unreported)
    return {
      inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: undefined, text: undefined, reasoning: undefined },
    }
  return {
    inputTokens: { total: prompt, noCache: prompt - reused, cacheRead: reused, cacheWrite: undefined },
    outputTokens: { total: generated, text: undefined, reasoning: thoughtTokens(reply, model) },
  }
}

function thoughtTokens({ reasoning }: ParsedReply, model: InferenceEngine['model']): number | undefined {
  if (reasoning === '') return 0
  return model.tokenizer === undefined ? undefined : countTokens(model, reasoning)
}

/** For the SDK's logs: the exact prompt. */
function requestOf({ prompt }: OpenTurn): { body: unknown } {
  return { body: prompt.kind === 'chat' ? prompt.messages : prompt.pieces.map((piece) => ('text' in piece ? piece.text : '')).join('') }
}

async function lastOf<Result>(events: AsyncGenerator<unknown, Result, undefined>): Promise<Result> {
  let next = await events.next()
  while (!next.done) next = await events.next()
  return next.value
}

/** A stream that stops its source when its reader leaves; an error is its last part, as the SDK expects. */
function streamOf(source: AsyncGenerator<StreamPart>): ReadableStream<StreamPart> {
  return new ReadableStream<StreamPart>({
    async pull(controller) {
      try {
        const { value, done } = await source.next()
        if (done) controller.close()
        else controller.enqueue(value)
      } catch (error) {
        controller.enqueue({ type: 'error', error })
        controller.close()
      }
    },
    cancel: async () => void (await source.return(undefined)),
  })
}

function randomId(): string {
  return `call_${crypto.randomUUID().replaceAll('-', '').slice(0, 24)}`
}
