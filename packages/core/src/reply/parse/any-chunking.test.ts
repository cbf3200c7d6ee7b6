import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { propertyRuns } from '../../../../../proof/testing/sampling.ts'
import { type FamilyName, replySyntaxes } from '../families/reply-syntaxes.ts'
import type { Reply, ReplyEvent } from '../reply.ts'
import { type Block, marksOf, type ReplySyntax } from '../syntax.ts'
import { type ParseOptions, ReplyParser } from './reply-parser.ts'

// The result does not depend on the chunking, and the events add up to the reply.

const names = Object.keys(replySyntaxes) as FamilyName[]
/** For each syntax; 10,000 replies of InternLM2's, which the issue asks for, and as many again of the others together. */
const runs = (name: FamilyName) => (name === 'internlm2' ? 10_000 : 200)

describe('any chunking of a reply parses alike', () => {
  for (const name of names) {
    test(name, () => {
      const reply = replyOf(replySyntaxes[name])
      fc.assert(
        fc.property(reply, fc.array(fc.nat(12), { minLength: 1, maxLength: 12 }), (text, lengths) => {
          const { reply: whole } = read(name, [text])
          checkReply(text, whole)
          for (const pieces of [Array.from({ length: text.length }, (_, at) => text[at]!), cut(text, lengths)]) {
            const { reply: parsed, events } = read(name, pieces)
            same(parsed, whole)
            checkEvents(events, parsed)
          }
        }),
        { numRuns: propertyRuns(runs(name)) },
      )
    }, 30_000)
  }
})

describe('any chunking of ids parses alike', () => {
  for (const name of names) {
    test(name, () => {
      const { tokens, textOf, idsOf } = byteTokens(replySyntaxes[name])
      const reply = fc.array(fc.tuple(replyOf(replySyntaxes[name]), fc.boolean()), { maxLength: 3 })
      fc.assert(
        fc.property(reply, fc.array(fc.nat(12), { minLength: 1, maxLength: 12 }), (parts, lengths) => {
          const ids = parts.flatMap(([text, hasTokens]) => idsOf(text, hasTokens))
          const { reply: whole } = read(name, [ids], { tokens })
          checkReply(textOf(ids), whole)
          for (const pieces of [ids.map((id) => [id]), cut(ids, lengths)]) {
            const { reply: parsed, events } = read(name, pieces, { tokens })
            same(parsed, whole)
            checkEvents(events, parsed)
          }
        }),
        { numRuns: propertyRuns(100) },
      )
    }, 30_000)
  }
})

/** A tokenizer of bytes, with the syntax's marks as tokens. In a reply they stand as such, or typed as text. */
function byteTokens(syntax: ReplySyntax) {
  const marks = [...new Set(marksOf(syntax))].sort((a, b) => b.length - a.length)
  const textOf = (ids: readonly number[]): string => {
    const chunks: string[] = []
    let bytes: number[] = []
    for (const id of [...ids, Number.NaN]) {
      if (id < 256) bytes.push(id)
      else {
        chunks.push(new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(bytes)), marks[id - 256] ?? '')
        bytes = []
      }
    }
    return chunks.join('')
  }
  const bytesOf = (text: string): number[] => [...new TextEncoder().encode(text)]
  const idsOf = (text: string, hasTokens: boolean): number[] => {
    if (!hasTokens) return bytesOf(text)
    const ids: number[] = []
    for (let at = 0; at < text.length; ) {
      const mark = marks.findIndex((one) => text.startsWith(one, at))
      const next = mark < 0 ? String.fromCodePoint(text.codePointAt(at)!) : marks[mark]!
      ids.push(...(mark < 0 ? bytesOf(next) : [256 + mark]))
      at += next.length
    }
    return ids
  }
  const idOf = (token: string) => (marks.includes(token) ? 256 + marks.indexOf(token) : undefined)
  return { tokens: { idOf, decode: textOf }, textOf, idsOf }
}

/** The matcher is slow, so it runs only when something differs. */
function same(given: unknown, expected: unknown): void {
  if (given !== expected && show(given) !== show(expected)) expect(given).toEqual(expected)
}

function show(value: unknown): string {
  return JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? `${inner}n` : inner))
}

type Pieces = readonly (string | readonly number[])[]

function read(name: FamilyName, pieces: Pieces, options: ParseOptions = {}): { reply: Reply; events: ReplyEvent[] } {
  const parser = new ReplyParser(name, options)
  const events: ReplyEvent[] = []
  for (const piece of pieces) events.push(...parser.push(piece))
  events.push(...parser.end())
  return { reply: parser.reply, events }
}

function cut<Whole extends string | readonly number[]>(text: Whole, lengths: readonly number[]): Whole[] {
  const pieces: Whole[] = []
  for (let at = 0, next = 0; at < text.length; next++) {
    const length = lengths[next % lengths.length]! || (next < 100 ? 0 : 1)
    pieces.push(text.slice(at, at + length) as Whole)
    at += length
  }
  return pieces
}

/** Parts are in order at their stated positions, and their text is the text there. */
function checkReply(text: string, { parts }: Reply): void {
  let end = 0
  for (const part of parts) {
    if (part.at[0] < end || part.at[1] > text.length) expect({ text, parts }).toBe('parts in order, inside the reply')
    ;[, end] = part.at
    if (part.kind === 'text' || part.kind === 'reasoning') {
      if (text.slice(...part.at) !== part.text) expect(text.slice(...part.at)).toBe(part.text)
    } else if (part.kind === 'malformed' && !text.slice(...part.at).includes(part.raw)) expect(text.slice(...part.at)).toContain(part.raw)
  }
}

function checkEvents(events: readonly ReplyEvent[], reply: Reply): void {
  const told = { text: '', reasoning: '', names: [] as (string | undefined)[], slices: [] as string[], calls: [] as unknown[] }
  for (const event of events) {
    if (event.type === 'text' || event.type === 'reasoning') told[event.type] += event.text
    else if (event.type === 'call-name') told.names[event.index] = event.name
    else if (event.type === 'reset') told.slices[event.index] = ''
    else if (event.type === 'arguments' || event.type === 'code') told.slices[event.index] = (told.slices[event.index] ?? '') + event.text
    else if (event.type === 'call-end') told.calls[event.index] = event.call
  }
  same(told.text, reply.text)
  same(told.reasoning, reply.reasoning)
  same(told.calls, reply.calls)
  reply.calls.forEach((call, index) => {
    if (call.kind === 'call') {
      same(told.names[index], call.name)
      same(told.slices[index], call.argumentsText)
    } else if (call.kind === 'code') same(told.slices[index] ?? '', call.code)
  })
}

/** Valid, nearly valid and random replies, made of the syntax's marks and the text around and inside them. */
function replyOf(syntax: ReplySyntax): fc.Arbitrary<string> {
  const { blocks, reasoning = [], messages } = syntax
  const separators = blocks.flatMap(({ named }) => (named ? [named.separator, ...(named.id ? [named.id] : [])] : []))
  const marks = [...marksOf(syntax), ...separators, ...blocks.map(({ open }) => open.join(''))]
  const mark = fc.constantFrom('', ...marks)
  const brokenMark = fc.tuple(mark, fc.nat(8)).map(([text, length]) => text.slice(0, length))
  const scrap = fc.constantFrom(
    ...'{ } [ ] " \\ : , ; ` ``` ```python\n ```json\n \n \t \u00e9 \u{1f600} < <| [T name true 1.0 a'.split(' '),
    ' ',
    '\n',
    "'",
  )
  const text = fc.oneof(
    fc.constantFrom('Hello. ', '上海', ' ', '\n', '{', 'a < b', '```\nx\n```\n', '{"a": 1}'),
    scrap,
    fc.string({ maxLength: 6 }),
    brokenMark,
  )
  const inString = fc.oneof(fc.constantFrom('Shanghai', 'a } b { c', '\\"', '\\\\', '\\u00e9', '', '\n'), mark, brokenMark)
  const string = fc.array(inString, { maxLength: 3 }).map((parts) => `"${parts.join('')}"`)
  const value = fc.oneof(
    string,
    fc.constantFrom(
      '1',
      'null',
      '{}',
      '[1, [2]]',
      '1.0',
      'True',
      '12345678901234567890',
      '-0',
      '[1e5, 0.10]',
      '{"10": 1, "9": 2, "b": {"__proto__": 1}}',
      '{"\\u0031": 0, "0": 1}',
      '{"a": "}"}',
      "{'a': 1}",
      '{"a": 1,}',
    ),
  )
  const entry = fc.tuple(fc.constantFrom('name', 'name', 'parameters', 'arguments', 'parameters', 'id', 'x', 'type', 'n\\u0061me'), value)
  const spaced = (parts: string[]) => parts.join('')
  const json = fc
    .tuple(fc.array(entry, { maxLength: 3 }), fc.constantFrom(', ', ',', ' ,\n'), fc.constantFrom(': ', ':', ' : '))
    .map(([entries, comma, colon]) => `{${entries.map(([key, one]) => `"${key}"${colon}${one}`).join(comma)}}`)
  const call = fc.tuple(fc.constantFrom('f', 'get_weather'), value).map(([name, one]) => `{"name": "${name}", "parameters": ${one}}`)
  const list = fc.array(fc.oneof(json, call), { maxLength: 3 }).map((calls) => `[${calls.join(', ')}]`)
  const header = fc.constantFrom(
    '',
    'get_weather',
    'function',
    ...separators.map((one) => `f${one}`),
    ...separators.map((one) => `function${one}f\n\`\`\`json\n`),
  )
  const named = fc.tuple(header, json, fc.constantFrom('', '\n```')).map(spaced)
  const code = fc
    .tuple(
      fc.constantFrom('```python\n', '```\n', '', 'x\n```py\n'),
      fc.array(text, { maxLength: 4 }).map(spaced),
      fc.constantFrom('\n```', '```', '\n``` \n', ''),
    )
    .map(spaced)
  const body = fc
    .tuple(fc.constantFrom('', '\n', ' '), fc.oneof(json, call, call, list, named, code, text), fc.constantFrom('', '', '\n', ' x'))
    .map(spaced)
  const bodyOf = (block: Block) => {
    const inner = [...taggedOf(block, text), ...pythonOf(block, inString), ...quotedOf(block, inString)]
    return inner.length === 0 ? body : fc.oneof(body, ...inner, ...inner, ...inner)
  }
  const closed = blocks.map((block) =>
    fc
      .tuple(bodyOf(block), fc.constantFrom(block.close ?? '', block.close ?? '', block.close ?? '', ''))
      .map(([inside, end]) => block.open.join('') + inside + end),
  )
  const { start = '', channel = '', body: bodyMark = '', ends: messageEnds = [''] } = messages ?? {}
  const message = fc
    .tuple(
      fc.constantFrom('', start, `${start}assistant`, 'assistant'),
      fc.constantFrom('', ' to=f', ' to=functions.f', ' to=user', 'all', 'f', ' to=self'),
      fc.constantFrom('', `${channel}analysis`, `${channel}final`, `${channel}commentary json`),
      fc.constantFrom(bodyMark, bodyMark, ''),
      fc.oneof(json, text, ...closed),
      fc.constantFrom('', ...messageEnds),
    )
    .map(spaced)
  const thought = reasoning.map(({ open, close }) =>
    fc.tuple(text, fc.constantFrom(close, close, '')).map(([inside, end]) => open + inside + end),
  )
  const part = fc.oneof(text, mark, brokenMark, ...closed, ...closed, ...thought, ...(messages ? [message, message, message] : []))
  const whole = fc.array(part, { maxLength: 6 }).map(spaced)
  // Some are cut short.
  return fc
    .tuple(whole, fc.option(fc.nat(200), { freq: 3 }))
    .map(([written, length]) => (length === null ? written : written.slice(0, length)))
}

/** A call with tagged arguments, or nearly one. */
function taggedOf({ tagged }: Block, text: fc.Arbitrary<string>): fc.Arbitrary<string>[] {
  if (tagged === undefined) return []
  const { prefix = '', nameEnd = '', headEnd = '', parameter, elements } = tagged
  const value = fc.array(text, { maxLength: 3 }).map((parts) => parts.join(''))
  const one = fc
    .tuple(fc.constantFrom('city', 'n', ''), value, fc.constantFrom('', ' string="true"', ' type="number"'), fc.nat(9))
    .map(([key, inside, attributes, luck]) => {
      if (elements) return `${elements.open}${key}>${inside}${luck > 1 ? `${elements.close}${key}>` : ''}`
      const { open, keyEnd, valueOpen = '', close } = parameter!
      return `${open}${key}${keyEnd}${attributes}${valueOpen}${inside}${luck > 0 ? close : ''}`
    })
  const head = fc.constantFrom(`${prefix}f${nameEnd}${headEnd}`, `${prefix}get_weather${nameEnd} x="1"${headEnd}`, 'f', '')
  return [fc.tuple(head, fc.array(fc.oneof(one, fc.constantFrom('\n', ' ')), { maxLength: 4 })).map(([name, all]) => name + all.join(''))]
}

/** Calls as Python writes them, or nearly so. */
function pythonOf({ python }: Block, inString: fc.Arbitrary<string>): fc.Arbitrary<string>[] {
  if (python === undefined) return []
  const string = fc
    .tuple(fc.array(inString, { maxLength: 2 }), fc.constantFrom("'", '"', "'''", ''))
    .map(([parts, quote]) => quote + parts.join('') + quote)
  const value = fc.oneof(string, fc.constantFrom('1', 'True', "{'a': [1, None]}", '[', '-1.5', 'x'))
  const call = fc
    .tuple(fc.constantFrom('f', 'a.b', ''), fc.array(value, { maxLength: 2 }))
    .map(([name, all]) => `${name}(${all.map((one, index) => `k${index}=${one}`).join(', ')})`)
  return [
    fc
      .tuple(fc.constantFrom('[', ''), fc.array(call, { maxLength: 3 }), fc.constantFrom(', ', '\n'), fc.constantFrom(']', ''))
      .map(([open, calls, between, close]) => open + calls.join(between) + close),
  ]
}

/** A call whose texts are enclosed in marks, or nearly one. */
function quotedOf({ quoted }: Block, inString: fc.Arbitrary<string>): fc.Arbitrary<string>[] {
  if (quoted === undefined) return []
  const { prefix, quote } = quoted
  const value = fc.oneof(
    fc.array(inString, { maxLength: 2 }).map((parts) => quote + parts.join('') + quote),
    fc.constantFrom('1', '[1,{a:2}]', '{}', '', '}'),
  )
  return [
    fc
      .tuple(fc.constantFrom(`${prefix}f`, 'f', ''), fc.array(value, { maxLength: 3 }))
      .map(([name, all]) => `${name}{${all.map((one, index) => `k${index}:${one}`).join(',')}}`),
  ]
}
