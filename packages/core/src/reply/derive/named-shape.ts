import { between, type CallShape, counted, framed } from './call-frame.ts'
import type { Core } from './json-shape.ts'
import { numbersProbe, words } from './probes.ts'
import { endOfObject, marksIn } from './template-marks.ts'
import type { ProbeWriter } from './write-probe.ts'

const [alpha, beta] = words.tools
const [keyOne] = words.keys
const [valueOne, valueTwo] = words.values

/** The object of the arguments, after the name. */
function argumentsAfter(text: string, name: string): Core | undefined {
  const at = text.indexOf(name)
  const from = text.indexOf('{', at)
  const to = at < 0 || from < 0 ? undefined : endOfObject(text, from)
  if (to === undefined) return undefined
  try {
    const value = JSON.parse(text.slice(from, to)) as Record<string, unknown>
    return value[keyOne] === undefined ? undefined : { from, to }
  } catch {
    return undefined
  }
}

/** The name as text, then its arguments as JSON. */
export function readNamed(writer: ProbeWriter, one: string, two: string | undefined): CallShape | undefined {
  const core = argumentsAfter(one, alpha)
  if (core === undefined) return undefined
  const id = writer.callId(alpha, 0)
  const nameAt = one.indexOf(alpha)
  const gap = one.slice(nameAt + alpha.length, core.from)
  const before = one.slice(0, nameAt)
  const after = one.slice(core.to)
  const first = two === undefined ? undefined : argumentsAfter(two, alpha)
  const middle = two === undefined || first === undefined ? undefined : two.slice(first.to, two.indexOf(beta))
  if (/^:\d+/u.test(gap)) {
    const separator = gap.replace(/^:\d+/u, '').trim()
    const frame = (text: string | undefined) => text?.replace(/functions\.$/u, '')
    return between(frame(before)!, frame(middle), after, { named: { separator, indexed: true } })
  }
  const idAt = before.lastIndexOf(id)
  if (idAt >= 0) {
    const nameAfter = before.slice(idAt + id.length).trim()
    const cut = middle === undefined ? undefined : middle.slice(0, middle.lastIndexOf(writer.callId(beta, 1)))
    return between(before.slice(0, idAt), cut, after, { named: { separator: gap.trim() || '\n', nameAfter } })
  }
  const idInGap = gap.indexOf(id)
  if (idInGap >= 0) {
    const named = { separator: gap.slice(idInGap + id.length).trim(), id: gap.slice(0, idInGap).trim() }
    return between(before, middle, after, { named })
  }
  const separator = gap.trim() || '\n'
  const count = counted(before, middle)
  if (count) return between(count.before, count.middle, after, { named: { separator, nameAfter: count.nameAfter } })
  return between(before, middle, after, { named: { separator } })
}

/** `name(key=value)`, alone or in a list. */
export function readPython(writer: ProbeWriter, one: string): CallShape | undefined {
  const nameAt = one.indexOf(alpha)
  if (!new RegExp(`^${alpha}\\(\\s*${keyOne}\\s*=`, 'u').test(one.slice(nameAt))) return undefined
  const before = one.slice(0, nameAt).trimEnd()
  const close = one.indexOf(')', one.indexOf(valueTwo))
  const isList = before.endsWith('[')
  const after = isList ? one.slice(one.indexOf(']', close) + 1) : one.slice(close + 1)
  const open = isList ? before.slice(0, -1).trim() : before.trim()
  if (open === '' && !isList) return undefined
  const writesTexts = /\bcount\s*=\s*(["'])42\1/.test(writer.write(numbersProbe)?.reply ?? '')
  return framed(open, after, { python: { list: isList, ...(writesTexts ? { texts: true } : {}) } })
}

/** `call:name{key:<|"|>value<|"|>}`. */
export function readQuoted(one: string, two: string | undefined): CallShape | undefined {
  const nameAt = one.indexOf(alpha)
  const quote = new RegExp(`^${alpha}\\{${keyOne}:(\\S+?)${valueOne}\\1[,}]`, 'u').exec(one.slice(nameAt))?.[1]
  if (quote === undefined) return undefined
  const before = one.slice(0, nameAt)
  const last = marksIn(before).at(-1)
  const prefix = last ? before.slice(last.at + last.text.length).trim() : ''
  const end = one.indexOf('}', one.indexOf(valueTwo)) + 1
  const middle = two?.slice(two.indexOf('}', two.indexOf(valueTwo)) + 1, two.indexOf(beta))
  const cut = (text: string) => text.slice(0, text.lastIndexOf(prefix))
  const frame = prefix === '' ? before : cut(before)
  return between(frame, middle === undefined || prefix === '' ? middle : cut(middle), one.slice(end), { quoted: { prefix, quote } })
}
