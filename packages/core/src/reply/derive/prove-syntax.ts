import { dictEntries, isDict, isList, PyFloat, type PyValue } from '../../base/python/index.ts'
import { parseExactReply } from '../parse/reply-parser.ts'
import type { ReplySyntax } from '../syntax.ts'
import { allValuesProbe, callsProbe, type Probe, probeTools, proofs, quoteProbes, quotesProbe, valueProbes, words } from './probes.ts'
import type { ProbeWriter, WrittenProbe } from './write-probe.ts'

export type SyntaxProof = {
  /** Probes that came back as they were. */
  read: string[]
  /** Probes that did not. */
  unread: string[]
}

/** Writes each probe and reads it back, except for what a template leaves out. */
export function prove(writer: ProbeWriter, syntax: ReplySyntax): SyntaxProof {
  const proof: SyntaxProof = { read: [], unread: [] }
  const look = (probe: Probe): void => {
    const written = writer.write(probe)
    if (written === undefined || !isOneReply(written, probe, syntax)) return
    ;(comesBack(written, probe, syntax) ? proof.read : proof.unread).push(probe.name)
  }
  for (const probe of proofs) look(probe)
  if (proof.read.includes(callsProbe.name)) {
    const all = writer.write(allValuesProbe)
    if (all !== undefined && comesBack(all, allValuesProbe, syntax)) {
      proof.read.push(...valueProbes.map(({ name }) => name))
      return proof
    }
  }
  for (const probe of valueProbes) look(probe)
  return { ...proof, unread: nameQuotes(proof, look) }
}

/** Whether a template writes a probe, and our own parser reads it back. */
export function isReadable(written: WrittenProbe, probe: Probe, syntax: ReplySyntax): boolean {
  return isOneReply(written, probe, syntax) && comesBack(written, probe, syntax)
}

function isOneReply(written: WrittenProbe, probe: Probe, syntax: ReplySyntax): boolean {
  return isWritten(written, probe) && !isTwoTurns(written, probe, syntax)
}

/** The unread probes, naming the kinds of quotes concerned. */
function nameQuotes({ unread }: SyntaxProof, look: (probe: Probe) => void): string[] {
  const before = unread.length
  if (!unread.includes(quotesProbe.name)) return unread
  for (const probe of quoteProbes) look(probe)
  const isNamed = unread.length > before && unread.length < before + quoteProbes.length
  return isNamed ? unread.filter((name) => name !== quotesProbe.name) : unread.slice(0, before)
}

/** Words and a call that a template writes as two turns are not one reply. */
function isTwoTurns({ reply }: WrittenProbe, { content, calls }: Probe, { turns }: ReplySyntax): boolean {
  const again = turns[0] === undefined ? -1 : reply.indexOf(turns[0])
  return content !== '' && calls.length > 0 && again >= 0 && again < reply.indexOf(calls[0]!.name)
}

/** Whether the template writes the probe's content at all. */
function isWritten({ complete }: WrittenProbe, { calls, content, reasoning }: Probe): boolean {
  const isCallShown = calls.every(({ name }) => complete.lastIndexOf(name) > complete.indexOf(words.question))
  return calls.length > 0 ? isCallShown : complete.includes(content) || (reasoning !== undefined && complete.includes(reasoning))
}

export function comesBack(written: WrittenProbe, { content, reasoning = '', calls }: Probe, syntax: ReplySyntax): boolean {
  const { reply, complete } = written
  const read = parseExactReply(reply, syntax, { prompt: promptOfProbe(written, reasoning, syntax), tools: probeTools })
  if (read.calls.length !== calls.length) return false
  const isSame = calls.every(({ name, arguments: given }, index) => {
    const call = read.calls[index]!
    return call.kind === 'call' && call.name === name && sameValue(call.arguments, given as PyValue)
  })
  // What a template leaves out, or writes after the end of the turn, is not part of the reply.
  const kept = (text: string) => (complete.includes(text) && !read.rest.includes(text) ? text : '')
  // A problem means that a mark was unknown; after the end, a template may write more marks.
  const hasProblem = read.problems.some(({ at }) => at[0] < reply.length - read.rest.length)
  const [said, thought] = [read.text.trim(), read.reasoning.trim()]
  // Beside a call, some templates write words as thoughts.
  const isThought = calls.length > 0 && reasoning === '' && said === '' && thought === kept(content)
  return isSame && !hasProblem && ((said === kept(content) && thought === kept(reasoning)) || isThought)
}

/** A thought that only the prompt opens, while the template writes the message without that mark, begins in the prompt. */
export function promptOfProbe(
  { prompt, complete, asked }: WrittenProbe,
  reasoning: string,
  { reasoning: spans = [] }: ReplySyntax,
): string {
  const behind = (text: string) => text.slice(text.indexOf(words.question))
  const isOpenedOnlyThere = spans.some(({ open }) => behind(asked).includes(open) && !behind(complete).includes(open))
  return reasoning !== '' && complete.includes(reasoning) && isOpenedOnlyThere ? asked : prompt
}

export function sameValue(a: PyValue, b: PyValue): boolean {
  if (isList(a) && isList(b)) return a.length === b.length && a.every((item, index) => sameValue(item, b[index]!))
  if (isDict(a) && isDict(b)) {
    const [left, right] = [dictEntries(a), new Map(dictEntries(b))]
    return left.length === right.size && left.every(([key, value]) => right.has(key) && sameValue(value, right.get(key)!))
  }
  return plain(a) === plain(b)
}

function plain(value: PyValue): unknown {
  return value instanceof PyFloat ? value.value : typeof value === 'bigint' ? Number(value) : value
}
