import { parseReply } from '../../parse/parse-reply.ts'
import type { ReplySyntax } from '../../parse/syntax.ts'
import { dictEntries, isDict, isList, PyFloat, type PyValue } from '../../python/index.ts'
import { type Probe, probeTools, proofs, words } from './probes.ts'
import type { ProbeWriter, Written } from './write-probe.ts'

export type Proof = {
  /** Probes that came back as they were. */
  read: string[]
  /** Probes that did not. */
  unread: string[]
}

/** Writes each probe and reads it back. What a template leaves out cannot come back, and is not asked for. */
export function prove(writer: ProbeWriter, syntax: ReplySyntax): Proof {
  const proof: Proof = { read: [], unread: [] }
  for (const probe of proofs) {
    const written = writer.write(probe)
    if (written === undefined || !isWritten(written, probe)) continue
    ;(comesBack(written, probe, syntax) ? proof.read : proof.unread).push(probe.name)
  }
  return proof
}

/** A template that writes nothing of a message tells nothing about it. */
function isWritten({ complete }: Written, { calls, content, reasoning }: Probe): boolean {
  const isCallShown = calls.every(({ name }) => complete.lastIndexOf(name) > complete.indexOf(words.question))
  return calls.length > 0 ? isCallShown : complete.includes(content) || (reasoning !== undefined && complete.includes(reasoning))
}

export function comesBack(written: Written, { content, reasoning = '', calls }: Probe, syntax: ReplySyntax): boolean {
  const { prompt, reply, complete } = written
  const read = parseReply(reply, syntax, { prompt, tools: probeTools })
  if (read.calls.length !== calls.length) return false
  const isSame = calls.every(({ name, arguments: given }, index) => {
    const call = read.calls[index]!
    return call.kind === 'call' && call.name === name && sameValue(call.arguments, given as PyValue)
  })
  // What a template leaves out, or writes behind the end of the turn, is no part of the reply.
  const end = Math.min(...syntax.ends.map((mark) => (reply.includes(mark) ? reply.indexOf(mark) : Number.POSITIVE_INFINITY)))
  const kept = (text: string) => (complete.includes(text) && !(reply.indexOf(text) > end) ? text : '')
  const [said, thought] = [read.text.trim(), read.reasoning.trim()]
  // Beside a call, some templates write words as thoughts.
  const isThought = calls.length > 0 && reasoning === '' && said === '' && thought === kept(content)
  return isSame && ((said === kept(content) && thought === kept(reasoning)) || isThought)
}

function sameValue(a: PyValue, b: PyValue): boolean {
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
