import { callProbe, callsProbe, numbersProbe, probeTools, words } from '../derive/probes.ts'
import type { ProbeWriter, WrittenProbe } from '../derive/write-probe.ts'
import { parseExactReply } from '../parse/reply-parser.ts'
import { NotExpressible } from '../response-template/write-response-template.ts'
import type { ReplySyntax, TaggedParameter } from '../syntax.ts'

/** A text in which names of tools, ids and numbers of calls vary. */
export type CallText = readonly ({ text: string } | { varies: 'name' } | { varies: 'id' | 'number'; pattern: string })[]

/** How a chat template writes calls, to the character. */
export type CallWriting = {
  /** What precedes the first call: the mark of a section. */
  lead: string
  /** Up to the arguments. */
  begin: CallText
  arguments:
    | { kind: 'json' }
    | { kind: 'tagged'; separator: string; parameter: TaggedParameter; textOf(isText: boolean): ParameterText; truths: readonly string[] }
  /** Behind the arguments. */
  end: CallText
  /** Between two calls; undefined if only one is written. */
  between?: string
  /** What follows the last call before the turn ends: the end of a section. */
  tail: string
}

export type ParameterText = { open: string; keyEnd: string; close: string }

const [alpha, beta] = words.tools
const [keyOne, keyTwo] = words.keys
const [valueOne, valueTwo] = words.values

/** Reads how calls are written from what the template writes for probes. Throws a `NotExpressible` that names the construct. */
export function readCallWriting(writer: ProbeWriter, syntax: ReplySyntax): CallWriting {
  const one = writer.write(callProbe)
  if (one === undefined) throw new NotExpressible('the template writes no calls')
  const [call] = placesOf(one, syntax)
  if (call === undefined) throw new NotExpressible('its calls are not read back')
  const reply = one.reply
  const text = reply.slice(...call)
  const two = writer.write(callsProbe)
  const places = two === undefined ? [] : placesOf(two, syntax)
  const between = two !== undefined && places.length === 2 ? two.reply.slice(places[0]![1], places[1]![0]) : undefined
  return {
    lead: reply.slice(0, call[0]).trimStart(),
    ...withNumbers(argumentsOf(text, writer, syntax), secondBegin(two, places, writer, syntax)),
    ...(between === undefined || between.includes(words.keys[0]) || hasTurn(between, syntax) ? {} : { between }),
    tail: beforeEnd(reply.slice(call[1]), syntax),
  }
}

function placesOf({ reply, prompt }: WrittenProbe, syntax: ReplySyntax): (readonly [number, number])[] {
  const { calls } = parseExactReply(reply, syntax, { prompt, tools: probeTools })
  return calls.flatMap((call) => (call.kind === 'call' ? [call.at] : []))
}

function hasTurn(between: string, { turns, ends }: ReplySyntax): boolean {
  return [...turns, ...ends].some((mark) => between.includes(mark))
}

/** What a reply has before the mark that ends its turn. */
function beforeEnd(rest: string, { ends }: ReplySyntax): string {
  const at = Math.min(...ends.map((end) => rest.indexOf(end)).filter((found) => found >= 0), rest.length)
  return rest.slice(0, at).trimEnd()
}

/** Up to the arguments of the second of two calls. */
function secondBegin(
  two: WrittenProbe | undefined,
  places: readonly (readonly [number, number])[],
  writer: ProbeWriter,
  syntax: ReplySyntax,
): CallText | undefined {
  const second = two === undefined || places.length !== 2 ? undefined : two.reply.slice(...places[1]!)
  if (second === undefined) return undefined
  const asFirst = second.replaceAll('qzValTri', valueOne).replaceAll('qzValFor', valueTwo)
  return argumentsOf(asFirst, writer, syntax).begin
}

/** Numbers that are others in the second call count the calls. */
function withNumbers(writing: Pick<CallWriting, 'begin' | 'end' | 'arguments'>, second: CallText | undefined): typeof writing {
  if (second?.length !== writing.begin.length) return writing
  const begin = writing.begin.flatMap((part, index): CallText => {
    const other = second[index]!
    if (!('text' in part && 'text' in other) || part.text === other.text) return [part]
    const [ours, theirs] = [part.text, other.text].map((text) => text.split(/(\d+)/u))
    if (ours!.length !== theirs!.length) return [part]
    return ours!.flatMap((text, at): CallText => {
      if (text === theirs![at]) return text === '' ? [] : [{ text }]
      return at % 2 === 1 ? [{ varies: 'number', pattern: numberPattern }] : [{ text }]
    })
  })
  return { ...writing, begin }
}

const numberPattern = '[0-9]{1,4}'

/** Splits a call around its arguments. */
function argumentsOf(text: string, writer: ProbeWriter, syntax: ReplySyntax): Pick<CallWriting, 'begin' | 'end' | 'arguments'> {
  const json = jsonArguments(text)
  if (json) return { begin: varying(text.slice(0, json[0])), end: varying(text.slice(json[1])), arguments: { kind: 'json' } }
  const block = syntax.blocks.find(({ tagged, open }) => tagged?.parameter !== undefined && text.includes(open.join('').trim()))
  const parameter = block?.tagged?.parameter
  if (parameter === undefined) throw new NotExpressible('its arguments are neither a JSON object nor parameters between marks')
  if (parameter.cdata) throw new NotExpressible('its texts are in CDATA sections')
  const first = text.lastIndexOf(parameter.open, text.indexOf(keyOne))
  const inText = openOf(text, parameter, first, keyOne, valueOne)
  const firstEnd = text.indexOf(parameter.close, text.indexOf(valueOne)) + parameter.close.length
  const second = text.lastIndexOf(parameter.open, text.indexOf(keyTwo))
  const secondEnd = text.indexOf(parameter.close, text.indexOf(valueTwo)) + parameter.close.length
  if (first < 0 || second < firstEnd || secondEnd <= second) throw new NotExpressible('its parameters are not between the same marks')
  const numbers = writer.write(numbersProbe)?.reply ?? ''
  const counted = numbers.lastIndexOf(parameter.open, numbers.indexOf('count'))
  const inNumber = counted < 0 ? inText : openOf(numbers, parameter, counted, 'count', '42')
  const [separator, rest] = [text.slice(firstEnd, second), text.slice(secondEnd)]
  // What separates parameters usually follows the last one as well, so that each can be left out.
  const isBehindEach = rest.startsWith(separator)
  const textOf = (isText: boolean) => {
    const { close, ...before } = isText ? inText : inNumber
    return { ...before, close: isBehindEach ? close + separator : close }
  }
  return {
    begin: varying(text.slice(0, first)),
    end: varying(isBehindEach ? rest.slice(separator.length) : rest),
    arguments: {
      kind: 'tagged',
      separator: isBehindEach ? '' : separator,
      parameter,
      textOf,
      // Templates that write Python's values write `True`.
      truths: /flag[^T]*True/u.test(numbers) ? ['True', 'False', 'true', 'false'] : ['true', 'false'],
    },
  }
}

function openOf(text: string, { close }: TaggedParameter, from: number, key: string, value: string): ParameterText {
  const at = text.indexOf(key, from)
  const valueAt = text.indexOf(value, at + key.length)
  const closeAt = text.indexOf(close, valueAt + value.length)
  if (at < 0 || valueAt < 0 || closeAt < 0) throw new NotExpressible('its parameters are not between the same marks')
  return {
    open: text.slice(from, at),
    keyEnd: text.slice(at + key.length, valueAt),
    close: text.slice(valueAt + value.length, closeAt + close.length),
  }
}

/** The range of a JSON object with the arguments of the probe. */
function jsonArguments(text: string): readonly [number, number] | undefined {
  const key = text.indexOf(JSON.stringify(keyOne))
  const from = key < 0 ? -1 : text.lastIndexOf('{', key)
  const last = text.indexOf(JSON.stringify(valueTwo), key)
  const to = last < 0 ? -1 : text.indexOf('}', last)
  if (from < 0 || to < 0) return undefined
  try {
    const read = JSON.parse(text.slice(from, to + 1)) as Record<string, unknown>
    return read[keyOne] === valueOne && read[keyTwo] === valueTwo ? [from, to + 1] : undefined
  } catch {
    return undefined
  }
}

const variable = new RegExp(`${alpha}|${beta}|qzcallid\\d|(?<=(?:${alpha}|${beta}):)\\d+`, 'gu')

/** The parts of a text around what varies. */
function varying(text: string): CallText {
  const parts: CallText[number][] = []
  let from = 0
  for (const { 0: found, index } of text.matchAll(variable)) {
    if (index > from) parts.push({ text: text.slice(from, index) })
    if (found.startsWith('qzcallid')) parts.push({ varies: 'id', pattern: '[A-Za-z0-9_.-]{1,64}' })
    else if (/^\d/u.test(found)) parts.push({ varies: 'number', pattern: numberPattern })
    else parts.push({ varies: 'name' })
    from = index + found.length
  }
  if (from < text.length) parts.push({ text: text.slice(from) })
  return parts
}
