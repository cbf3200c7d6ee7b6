import { dictGet, isDict, type PyDict, type PyValue } from '../../src/base/python/index.ts'
import { type Reply, ReplyParser, type ReplySyntax } from '../../src/index.ts'
import { plainVector } from '../chat/parse-vector.ts'
import type { Verdict } from '../judge.ts'
import type { Suite } from '../suite.ts'
import { chunkings } from './chunkings.ts'
import { difference } from './compare.ts'
import { deviationOf } from './rules.ts'
import { syntaxFor } from './syntax-for.ts'
import { isDisputed, isReplyVector, type ReplyVector } from './vector.ts'

/** Replies of many families: reasoning, text and calls, parsed whole and in chunks. */
export const replies: Suite = {
  name: 'replies',
  recognises: isReplyVector,
  judge(given, folder): Verdict {
    const vector = plainVector(given) as ReplyVector
    const syntax = syntaxFor(vector, folder)
    if (syntax === undefined)
      return { kind: 'failed', why: `no syntax is known for ${vector.family} (${vector.form}), and no template of it is there` }
    const tools = dictGet(given as PyDict, 'tools')
    const whole = read([vector.input], vector, syntax, tools)
    const problem = difference(vector, whole.reply)
    const cut = differsWhenCut(vector, syntax, tools, whole.reply)
    if (cut !== undefined) return { kind: 'failed', why: cut }
    if (problem === undefined) return { kind: 'passed' }
    const rule = deviationOf({ vector, syntax, reply: whole.reply }, problem)
    return rule === undefined
      ? { kind: 'failed', why: `${JSON.stringify(vector.input).slice(0, 900)}\n  ${problem.problem}` }
      : { kind: 'deviation', rule }
  },
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

/** Replies that references read differently must only parse, and with the same result for every chunking. */
export const disputedReplies: Suite = {
  name: 'replies',
  recognises: isDisputed,
  judge(given, folder): Verdict {
    const vector = plainVector(given) as ReplyVector
    const syntax = syntaxFor(vector, folder)
    if (syntax === undefined) return { kind: 'later', why: `no syntax is known for ${vector.family}` }
    const tools = dictGet(given as PyDict, 'tools')
    const cut = differsWhenCut(vector, syntax, tools, read([vector.input], vector, syntax, tools).reply)
    return cut === undefined ? { kind: 'passed' } : { kind: 'failed', why: cut }
  },
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
