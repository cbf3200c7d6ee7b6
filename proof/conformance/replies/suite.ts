import { dictGet, isDict, type PyDict, type PyValue } from '../../../packages/core/src/base/python/index.ts'
import { type Reply, ReplyParser } from '../../../packages/core/src/internal/reply.ts'
import type { ReplySyntax } from '../../../packages/rolecall/src/index.ts'
import { plainVector } from '../chat/parse-vector.ts'
import { type Suite, trial } from '../suite.ts'
import { failed, identical, type Verdict } from '../verdict.ts'
import { chunkings } from './chunkings.ts'
import { comparedReply, difference, type ShownReply, shownReply } from './compare.ts'
import { deviationOf } from './rules.ts'
import { syntaxFor } from './syntax-for.ts'
import { isDisputed, isReplyVector, type ReplyVector } from './vector.ts'

/** Replies of many families: reasoning, text and calls, parsed whole and in chunks. */
export const replies: Suite = {
  name: 'replies',
  recognises: isReplyVector,
  examine(given, folder) {
    const parsed = parse(given, folder)
    if (!('reply' in parsed)) return parsed
    const { vector, syntax, reply } = parsed
    if (vector.malformed && !vector.complete_calls?.length)
      return { kind: 'consistent', why: 'broken replies: every chunking is parsed alike' }
    return trial({ value: comparedReply(vector, shownReply(reply)) }, (ours) => {
      if ('error' in ours) return failed('a reply is never refused')
      const result = { ...nothingRead, ...(ours.value as Partial<ShownReply>) }
      const problem = difference(vector, result)
      if (problem === undefined) return identical
      const rule = deviationOf(result, vector, syntax, problem)
      return rule === undefined ? failed(`${JSON.stringify(vector.input).slice(0, 900)}\n  ${problem.problem}`) : { kind: 'rule', rule }
    })
  },
}

const nothingRead: ShownReply = { reasoning: '', text: '', calls: [] }

/** Replies that references read differently must only parse, and with the same result for every chunking. */
export const disputedReplies: Suite = {
  name: 'replies',
  recognises: isDisputed,
  examine(given, folder) {
    const parsed = parse(given, folder)
    return 'reply' in parsed
      ? { kind: 'consistent', why: 'replies that references read differently: every chunking is parsed alike' }
      : parsed
  },
}

type Parsed = { vector: ReplyVector; syntax: ReplySyntax; reply: Reply }

/** The whole reply, or a verdict if its chunks are parsed differently. */
function parse(given: PyValue, folder: string): Parsed | Verdict {
  const vector = plainVector(given) as ReplyVector
  const syntax = syntaxFor(vector, folder)
  if (syntax === undefined) return { kind: 'unsupported', why: `no syntax is known for ${vector.family} (${vector.form})` }
  const tools = dictGet(given as PyDict, 'tools')
  const { reply } = read([vector.input], vector, syntax, tools)
  const cut = differsWhenCut(vector, syntax, tools, reply)
  return cut === undefined ? { vector, syntax, reply } : failed(cut)
}

/** Differences between the chunked and the whole parse. */
function differsWhenCut(vector: ReplyVector, syntax: ReplySyntax, tools: PyValue | undefined, whole: Reply): string | undefined {
  for (const pieces of chunkings(vector.input, vector.id)) {
    const { reply, texts } = read(pieces, vector, syntax, tools)
    if (shown(reply) !== shown(whole)) return `cut as ${JSON.stringify(pieces)}: ${shown(reply)}, whole ${shown(whole)}`
    if (texts !== reply.text) return `streamed text is ${JSON.stringify(texts)}, whole ${JSON.stringify(reply.text)}`
  }
  return undefined
}

function read(
  pieces: readonly string[],
  { prompt_tail, end_mark }: ReplyVector,
  syntax: ReplySyntax,
  tools: PyValue | undefined,
): { reply: Reply; texts: string } {
  const ended = end_mark && !syntax.ends.includes(end_mark) ? withEnd(syntax, end_mark) : syntax
  const parser = new ReplyParser(ended, {
    ...(prompt_tail ? { prompt: prompt_tail } : {}),
    ...(Array.isArray(tools) && tools.length > 0 ? { tools: tools.filter(isDict) } : {}),
  })
  const events = [...pieces.flatMap((piece) => parser.push(piece)), ...parser.end()]
  return { reply: parser.reply, texts: events.map((event) => (event.type === 'text' ? event.text : '')).join('') }
}

/** Syntax → end mark → variant. Compiled parsers are cached per syntax object, so each variant is built once. */
const ended = new WeakMap<ReplySyntax, Map<string, ReplySyntax>>()
function withEnd(syntax: ReplySyntax, end: string): ReplySyntax {
  const known = ended.get(syntax) ?? new Map<string, ReplySyntax>()
  ended.set(syntax, known)
  const found = known.get(end) ?? { ...syntax, ends: [...syntax.ends, end] }
  known.set(end, found)
  return found
}

function shown({ text, reasoning, calls }: Reply): string {
  return JSON.stringify({ text, reasoning, calls }, (_, value) => (typeof value === 'bigint' ? String(value) : value))
}
