import { dictGet, dictHas } from '../../../packages/core/src/base/python/index.ts'
import { type Reply, type ReplyCall, ReplyParser } from '../../../packages/core/src/internal/reply.ts'
import { outcomeOf, sameValue, show } from '../outcome.ts'
import { type Suite, trial } from '../suite.ts'
import { failed, unless } from '../verdict.ts'
import { chunkingsOf } from './chunkings.ts'
import { plainVector } from './parse-vector.ts'

type Vector = { input: string; chunks: string[]; expected: { content: string; calls: unknown[] } }

/** Document 004: how an InternLM2 reply is parsed, for any chunking. */
export const internlm2ParseRecommended: Suite = {
  name: 'chat',
  recognises: (vector) => dictHas(vector, 'chunks') && dictHas(vector, 'expected') && isExpected(dictGet(vector, 'expected')),
  examine(vector) {
    const { input, chunks, expected } = plainVector(vector) as Vector
    const wanted = { shown: expected, texts: expected.content }
    return trial(
      outcomeOf(() => [chunks, ...chunkingsOf(input)].map(read)),
      (ours) => {
        if ('error' in ours) return failed(show(ours))
        const wrong = (ours.value as unknown[]).find((result) => !sameValue(result, wanted))
        const isWhole = (ours.value as unknown[]).length === chunkingsOf(input).length + 1
        return unless(wrong === undefined && isWhole ? undefined : `${show({ value: wrong })}, expected ${show({ value: wanted })}`)
      },
    )
  },
}

function isExpected(value: unknown): boolean {
  const plain = plainVector(value as never) as Record<string, unknown> | null
  return typeof plain === 'object' && plain !== null && 'content' in plain && Array.isArray(plain.calls)
}

/** Parses the chunks as a stream; texts are concatenated from its events. */
function read(pieces: readonly string[]): { shown: Vector['expected']; texts: string } {
  const parser = new ReplyParser('internlm2')
  const events = [...pieces.flatMap((piece) => parser.push(piece)), ...parser.end()]
  return { shown: asRecommended(parser.reply), texts: events.map((event) => (event.type === 'text' ? event.text : '')).join('') }
}

/** A reply in the vectors' shape. */
export function asRecommended({ text, calls }: Reply): Vector['expected'] {
  return { content: text, calls: calls.map(asCall) }
}

function asCall(call: ReplyCall): unknown {
  const ended = call.unterminated ? { unterminated: true } : {}
  switch (call.kind) {
    case 'call':
      return { kind: 'plugin', name: call.name, arguments: plainVector(call.arguments), ...ended }
    case 'code':
      return { kind: 'interpreter', code: call.code, ...ended }
    case 'malformed':
      return { kind: 'plugin', error: call.error, raw: call.raw }
    default:
      return call satisfies never
  }
}
