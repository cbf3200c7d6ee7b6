import { dictGet, isDict, isList, type PyValue } from '../../base/python/index.ts'
import type { Format } from '../../prompt/format/format.ts'
import { deriveSyntax } from '../derive/derive-syntax.ts'
import { type Probe, probeTools, proofs, valueProbes, words } from '../derive/probes.ts'
import { isReadable, promptOfProbe, sameValue } from '../derive/prove-syntax.ts'
import type { ProbeWriter, WrittenProbe } from '../derive/write-probe.ts'
import { findSyntax } from '../find-syntax.ts'
import { parseExactReply } from '../parse/reply-parser.ts'
import type { ReplySyntax } from '../syntax.ts'
import { parseExactResponse } from './response-parser.ts'
import { escapedMark, NotExpressible, responseTemplates, type WrittenTemplate } from './write-response-template.ts'

/** A reply that the chat template wrote, and what each reading makes of it. */
export type ResponseTrial = { probe: string; prompt: string; reply: string; isSame: boolean; difference?: string }

export type DerivedResponse =
  | { kind: 'written'; template: WrittenTemplate; trials: readonly ResponseTrial[]; syntax: ReplySyntax; notes: readonly string[] }
  | { kind: 'refused'; construct: string; trials: readonly ResponseTrial[]; syntax?: ReplySyntax }

/**
 * The `response_template` of a format: derived from what its chat template writes, and proven by reading every probe back as our own parser
 * does. Refused with the construct if it cannot be expressed.
 */
export function deriveResponseTemplate(format: Format): DerivedResponse {
  const found = findSyntax(format)
  const writer = deriveSyntax(format)?.writer
  if (writer === undefined) return { kind: 'refused', construct: 'the template cannot be probed', trials: [] }
  const anchor = anchorOf(writer, found.syntax)
  if (anchor === undefined)
    return { kind: 'refused', construct: 'its prompts have no text of their own before a reply', trials: [], syntax: found.syntax }
  try {
    let best: { template: WrittenTemplate; trials: ResponseTrial[] } | undefined
    for (const template of responseTemplates(found.syntax, anchor)) {
      const trials = tryResponseTemplate(writer, found.syntax, template)
      const failed = trials.filter(({ isSame }) => !isSame).length
      if (best === undefined || failed < best.trials.filter(({ isSame }) => !isSame).length) best = { template, trials }
      if (failed === 0) return { kind: 'written', template, trials, syntax: found.syntax, notes: found.notes }
    }
    const failures = best!.trials.filter(({ isSame }) => !isSame)
    return {
      kind: 'refused',
      construct: `not read back: ${failures.map(({ probe }) => probe).join(', ')}`,
      trials: best!.trials,
      syntax: found.syntax,
    }
  } catch (error) {
    if (error instanceof NotExpressible) return { kind: 'refused', construct: error.message, trials: [], syntax: found.syntax }
    throw error
  }
}

/** Somebody else's `response_template`, tried on every reply that a format's chat template writes. */
export function checkResponseTemplate(format: Format, template: object): DerivedResponse {
  const { syntax, notes } = findSyntax(format)
  const writer = deriveSyntax(format)?.writer
  if (writer === undefined) return { kind: 'refused', construct: 'the template cannot be probed', trials: [] }
  return { kind: 'written', template: template as WrittenTemplate, trials: tryResponseTemplate(writer, syntax, template), syntax, notes }
}

/** What precedes a reply in a prompt, up to a thought that the prompt opens. */
function anchorOf(writer: ProbeWriter, { turns, reasoning = [] }: ReplySyntax): string | undefined {
  const anchors = new Set<string>()
  for (const hasTools of [false, true]) {
    const asked = writer.asked(hasTools)
    if (asked === undefined || !asked.includes(words.question)) continue
    let tail = asked.slice(asked.lastIndexOf(words.question) + words.question.length)
    const turn = Math.max(-1, ...turns.map((mark) => tail.lastIndexOf(mark)))
    if (turn > 0) tail = tail.slice(turn)
    const opened = reasoning.flatMap(({ open, close }) => [tail.indexOf(open), tail.indexOf(close)]).filter((at) => at > 0)
    const anchor = opened.length > 0 ? tail.slice(0, Math.min(...opened)) : tail
    if (anchor.trim() !== '') anchors.add(anchorPattern(anchor.trim()))
  }
  return anchors.size === 0 ? undefined : [...anchors].join('|')
}

/** White space around the mark belongs to it: prompts do not agree on it. */
function anchorPattern(text: string): string {
  return String.raw`${text.split(/\s+/u).map(escapedMark).join(String.raw`\s+`)}\s*`
}

/** Reads what the chat template writes for each probe with a response template, and with our own parser. */
export function tryResponseTemplate(writer: ProbeWriter, syntax: ReplySyntax, template: object): ResponseTrial[] {
  return [...proofs, ...valueProbes].flatMap((probe) => {
    const written = writer.write(probe)
    // What our own parser cannot read either proves nothing.
    if (written === undefined || !isReadable(written, probe, syntax)) return []
    return [trialOf(written, probe, syntax, template)]
  })
}

function trialOf(written: WrittenProbe, probe: Probe, syntax: ReplySyntax, template: object): ResponseTrial {
  const { reply } = written
  const prompt = promptOfProbe(written, probe.reasoning ?? '', syntax)
  const ours = parseExactReply(reply, syntax, { prompt, tools: probeTools })
  const { message, problems } = parseExactResponse(reply, template, { prefix: prompt, tools: probeTools as PyValue })
  const textOf = (name: string) => {
    const value = dictGet(message, name)
    return typeof value === 'string' ? value.trim() : ''
  }
  const calls = dictGet(message, 'tool_calls')
  const theirs = (isList(calls) ? calls : []).map((call) => (isDict(call) ? (dictGet(call, 'function') ?? null) : null))
  const differs = [
    ...(textOf('content') === ours.text.trim()
      ? []
      : [`text ${JSON.stringify(textOf('content'))} instead of ${JSON.stringify(ours.text.trim())}`]),
    ...(textOf('reasoning_content') === ours.reasoning.trim()
      ? []
      : [`reasoning ${JSON.stringify(textOf('reasoning_content'))} instead of ${JSON.stringify(ours.reasoning.trim())}`]),
    ...(isSameCalls(theirs, ours.calls) ? [] : ['other calls']),
    ...problems.map(({ problem }) => problem),
  ]
  const shown = { probe: probe.name, prompt, reply }
  return differs.length === 0 ? { ...shown, isSame: true } : { ...shown, isSame: false, difference: differs.join('; ') }
}

function isSameCalls(theirs: readonly PyValue[], ours: ReturnType<typeof parseExactReply>['calls']): boolean {
  if (theirs.length !== ours.length) return false
  return ours.every((call, index) => {
    const other = theirs[index]!
    if (call.kind !== 'call' || !isDict(other)) return false
    return dictGet(other, 'name') === call.name && sameValue(dictGet(other, 'arguments') ?? null, call.arguments)
  })
}
