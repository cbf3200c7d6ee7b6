import type { MarkPair, TaggedBody, TaggedParameter } from '../syntax.ts'
import { afterOf, between, type CallShape, counted } from './call-frame.ts'
import { markupProbe, numbersProbe, words } from './probes.ts'
import { marksIn, samePrefix, sameSuffix } from './template-marks.ts'
import type { ProbeWriter } from './write-probe.ts'

const [alpha, beta] = words.tools
const [keyOne, keyTwo] = words.keys
const [valueOne, valueTwo] = words.values

/** Each argument between separate marks. */
export function readTagged(writer: ProbeWriter, given: string, both: string | undefined): CallShape | undefined {
  const isJson = quotesTexts(writer)
  const unquoted = (text: string) => text.replace(/"(qzVal\w{3})"/gu, '$1')
  const [one, two] = isJson ? [unquoted(given), both && unquoted(both)] : [given, both]

  const at = [alpha, keyOne, valueOne, keyTwo, valueTwo].map((word) => one.indexOf(word))
  if (at.some((place, index) => place < 0 || (index > 0 && place < at[index - 1]!))) {
    // The name of an element is repeated where it closes.
    if (at.includes(-1)) return undefined
  }
  const [nameAt, firstKey, firstValue] = at as [number, number, number]
  const secondKey = one.indexOf(keyTwo, firstValue)
  const secondValue = one.indexOf(valueTwo, firstValue)
  const gapName = one.slice(nameAt + alpha.length, firstKey)
  const gapKey = one.slice(firstKey + keyOne.length, firstValue)
  const gapValue = one.slice(firstValue + valueOne.length, secondKey)
  const after = one.slice(secondValue + valueTwo.length)
  const apart = two?.slice(two.indexOf(valueTwo) + valueTwo.length, two.indexOf(beta))
  const { before, middle, nameAfter } = framesOf(one.slice(0, nameAt), apart, [writer.callId(alpha, 0), writer.callId(beta, 1)])
  if (gapValue.includes(keyOne)) {
    const close = gapValue.slice(0, gapValue.indexOf(keyOne)).trim()
    // An element opens as it closes, except for the slash.
    const counterpart = close.replace(/\/$/u, '')
    const open = gapName.trimEnd().endsWith(counterpart) ? counterpart : sameSuffix(gapName, gapValue).trim()
    const tagged: TaggedBody = {
      ...(nameAfter && { nameAfter }),
      ...headOf(gapName.slice(0, gapName.lastIndexOf(open))),
      elements: { open, close },
    }
    const closing = `${close}${keyTwo}>`
    return between(before, middle && afterOf(middle, closing), afterOf(after, closing), { tagged })
  }
  const parameter = parameterOf(gapName, gapKey, gapValue, after)
  if (parameter === undefined) return undefined
  const isCdata = writer.write(markupProbe)?.reply.includes('<![CDATA[') === true
  const typed = {
    ...parameter,
    ...(isJson && parameter.typeAttribute === undefined ? { json: true as const } : {}),
    ...(isCdata ? { cdata: true as const } : {}),
  }
  const tagged: TaggedBody = {
    ...(nameAfter && { nameAfter }),
    ...headOf(gapName.slice(0, gapName.lastIndexOf(parameter.open))),
    parameter: typed,
  }
  return between(before, middle && afterOf(middle, parameter.close), afterOf(after, parameter.close), { tagged })
}

/** The text before each call's id or number, and between that and the name; all of it if there is neither. */
function framesOf(before: string, middle: string | undefined, ids: readonly [string, string]) {
  const at = before.lastIndexOf(ids[0])
  const nameAfter = at < 0 ? '' : before.slice(at + ids[0].length).trim()
  if (nameAfter === '') return counted(before, middle) ?? { before, middle }
  return { before: before.slice(0, at), middle: middle?.slice(0, middle.lastIndexOf(ids[1])), nameAfter }
}

/** Whether values are JSON, with quotes around strings but not around numbers. */
function quotesTexts(writer: ProbeWriter): boolean {
  const written = writer.write(numbersProbe)?.reply ?? ''
  return /"qz"/u.test(written) && /[^"\d]42[^"\d]/u.test(written)
}

const attributes = /^((?:\s+[\w:-]+="[^"]*")*)\s*(.*)$/su

function headOf(gap: string): Pick<TaggedBody, 'nameEnd' | 'headEnd'> {
  const text = gap.trim()
  if (text === '') return {}
  if (!text.startsWith('"')) return { nameEnd: text }
  const headEnd = attributes.exec(text.slice(1))![2]!
  return { nameEnd: '"', ...(headEnd === '' ? {} : { headEnd }) }
}

function parameterOf(gapName: string, gapKey: string, gapValue: string, after: string): TaggedParameter | undefined {
  const { open, close } = parameterMarks(gapName, gapValue, after)
  if (open === '' || close === '') return undefined
  const padding = gapKey.endsWith('\n') && gapValue.startsWith('\n') ? { padding: '\n' } : {}
  const key = gapKey.trim()
  if (key.startsWith('"')) {
    const [, given, valueOpen] = attributes.exec(key.slice(1))!
    const typeAttribute = /([\w:-]+)="/u.exec(given!)?.[1]
    return {
      open,
      keyEnd: '"',
      ...(valueOpen === '' ? {} : { valueOpen: valueOpen! }),
      close,
      ...(typeAttribute ? { typeAttribute } : {}),
      ...padding,
    }
  }
  const marks = marksIn(key)
  const keyEnd = marks.length > 1 ? key.slice(0, marks[0]!.at + marks[0]!.text.length) : key
  const valueOpen = key.slice(keyEnd.length).trim()
  return { open, keyEnd, ...(valueOpen === '' ? {} : { valueOpen }), close, ...padding }
}

/** The marks of an argument: between two arguments are the end of the first and the start of the second. */
function parameterMarks(gapName: string, gapValue: string, after: string): MarkPair {
  // What follows every value closes it; what then opens the second argument must have opened the first.
  const closing = samePrefix(gapValue, after)
  const opening = gapValue.slice(closing.length).trim()
  if (closing.trim() !== '' && opening !== '' && gapName.trimEnd().endsWith(opening)) return { open: opening, close: closing.trim() }
  const same = lastGroup(sameSuffix(gapName, gapValue))
  // The end of the tag before belongs to that tag.
  const open = /^><./u.test(same) ? same.slice(1) : same
  return { open, close: gapValue.slice(0, gapValue.lastIndexOf(open)).trim() }
}

/** The last of several marks that white space keeps apart; a mark with attributes is one. */
function lastGroup(text: string): string {
  const trimmed = text.trim()
  const at = Math.max(trimmed.lastIndexOf('\n'), -1)
  return trimmed.slice(at + 1).trim()
}
