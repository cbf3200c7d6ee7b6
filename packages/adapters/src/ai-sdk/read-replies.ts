import { type Model, type ParsedEvent, renderPrompt } from '@rolecall/core'
import { check } from '@rolecall/core/internal/errors'
import { plainEvent, plainReply, type ReplyWriter, syntaxWrittenBy } from '@rolecall/core/internal/model'
import { callBlock, offeredSyntax, openingOf, ReplyParser, type ReplySyntax } from '@rolecall/core/internal/reply'
import * as z from '@rolecall/core/internal/schema'
import { readPrompt } from './read-prompt.ts'
import type { AiSdkMiddleware, CallOptions, SdkContent, SdkFinish, StreamPart } from './specification.ts'
import { contentOf, PartWriter } from './write-parts.ts'

/** How `readReplies` reads. */
export type ReadRepliesOptions = {
  /** Ids of calls whose syntax has none; random by default. */
  generateId?: () => string
}

const optionsSchema = z.strictObject({
  generateId: z.optional(z.custom<() => string>((value) => typeof value === 'function', 'expected a function')),
} satisfies { readonly [Key in keyof Required<ReadRepliesOptions>]: z.FieldSchemas[string] })

/**
 * A middleware for models of other providers whose server leaves reasoning and tool calls in the text: it reads them, whole and streamed. Give
 * the model, whose template says where a reply begins, or only the name of its syntax. Without tools in the call, what looks like a call stays text.
 */
export function readReplies(writer: ReplyWriter, options: ReadRepliesOptions = {}): AiSdkMiddleware {
  check(optionsSchema, options, 'readReplies › options › ')
  const { generateId = () => `call_${crypto.randomUUID().replaceAll('-', '').slice(0, 24)}` } = options
  const syntax = syntaxWrittenBy(writer)
  const parserOf = (params: CallOptions) => {
    const tools = (params.tools ?? []).flatMap((tool) =>
      tool.type === 'function' ? [{ name: tool.name, parameters: tool.inputSchema }] : [],
    )
    const offered = offeredSyntax(syntax, { functions: tools.length > 0 && params.toolChoice?.type !== 'none', interpreter: false })
    return new ReplyParser(offered, { tools, prompt: openingFor(writer, params) })
  }
  return {
    specificationVersion: 'v3',
    async wrapGenerate({ doGenerate, params }) {
      const result = await doGenerate()
      const content = result.content.flatMap((part) => (isText(part) ? readText(part.text, parserOf(params), generateId) : [part]))
      return { ...result, content, finishReason: finishOf(result.finishReason, content) }
    },
    async wrapStream({ doStream, params }) {
      const result = await doStream()
      const stream = result.stream as ReadableStream<StreamPart>
      return { ...result, stream: stream.pipeThrough(readStream(parserOf(params), new PartWriter(generateId, streamsJson(syntax)))) }
    },
  }
}

function streamsJson(syntax: ReplySyntax): boolean {
  return callBlock(syntax)?.json !== undefined
}

/** What the template wrote before the reply: it may have opened a thought. */
function openingFor(writer: ReplyWriter, params: CallOptions): string | undefined {
  if (typeof writer === 'string' || !('format' in writer)) return undefined
  const opening = openingOf(renderPrompt(writer as Model, readPrompt(params.prompt)).rendered)
  return opening === '' ? undefined : opening
}

function readText(text: string, parser: ReplyParser, newId: () => string): SdkContent[] {
  parser.push(text)
  parser.end()
  return contentOf(plainReply(parser.reply), newId)
}

function isText(part: { type: string }): part is { type: 'text'; text: string } {
  return part.type === 'text'
}

function finishOf(finishReason: SdkFinish, content: readonly { type: string }[]): SdkFinish {
  const hasCalls = content.some(({ type }) => type === 'tool-call')
  return hasCalls && finishReason.unified === 'stop' ? { ...finishReason, unified: 'tool-calls' } : finishReason
}

/** Replaces the text of a stream by what it contains. */
function readStream(parser: ReplyParser, writer: PartWriter): TransformStream<StreamPart, StreamPart> {
  let isOver = false
  let hasCalls = false
  const write = (events: readonly Parameters<typeof plainEvent>[0][]): StreamPart[] => {
    const read: ParsedEvent[] = events.map((event) => plainEvent(event))
    hasCalls ||= read.some((event) => event.type === 'call-end' && event.call.kind === 'call')
    return read.flatMap((event) => writer.write(event))
  }
  const end = (): StreamPart[] => {
    if (isOver) return []
    isOver = true
    return [...write(parser.end()), ...writer.end()]
  }
  return new TransformStream({
    transform(part, controller) {
      const parts = ((): StreamPart[] => {
        if (part.type === 'text-delta') return write(parser.push(part.delta))
        if (part.type === 'text-start' || part.type === 'text-end') return []
        if (part.type !== 'finish') return [part]
        const last = end()
        const { finishReason } = part
        return [
          ...last,
          hasCalls && finishReason.unified === 'stop' ? { ...part, finishReason: { ...finishReason, unified: 'tool-calls' } } : part,
        ]
      })()
      for (const one of parts) controller.enqueue(one)
    },
    flush(controller) {
      for (const part of end()) controller.enqueue(part)
    },
  })
}
