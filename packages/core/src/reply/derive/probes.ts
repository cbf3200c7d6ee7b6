import type { PyValue } from '../../base/python/index.ts'

/** A message that a template is shown, and that must come back when what it wrote is read. */
export type Probe = {
  /** For people: what is tried. */
  name: string
  content: string
  reasoning?: string
  calls: readonly ProbeCall[]
}

export type ProbeCall = { name: string; arguments: Readonly<Record<string, PyValue>> }

// Words that no template contains: their positions show what a template writes around them.
export const words = {
  question: 'qzQuestion',
  text: 'qzText',
  thought: 'qzThought',
  tools: ['qzAlpha', 'qzBeta'],
  keys: ['qzKeyOne', 'qzKeyTwo'],
  values: ['qzValOne', 'qzValTwo'],
} as const

const [alpha, beta] = words.tools
const plainCall: ProbeCall = { name: alpha, arguments: { [words.keys[0]]: words.values[0], [words.keys[1]]: words.values[1] } }
const otherCall: ProbeCall = { name: beta, arguments: { [words.keys[0]]: 'qzValTri', [words.keys[1]]: 'qzValFor' } }

/** The tools of the calls; the schema has the types of values that are written without any. */
const property = {
  [words.keys[0]]: { type: 'string' },
  [words.keys[1]]: { type: 'string' },
  count: { type: 'integer' },
  share: { type: 'number' },
  flag: { type: 'boolean' },
  items: { type: 'array', items: {} },
  more: { type: 'object', properties: {} },
}
export const probeTools = words.tools.map((name) => ({
  type: 'function',
  function: { name, description: 'qz', parameters: { type: 'object', properties: property, required: [] } },
}))

export const textProbe: Probe = { name: 'text', content: words.text, calls: [] }
export const thoughtProbe: Probe = { name: 'a thought and text', content: words.text, reasoning: words.thought, calls: [] }
export const thoughtCallProbe: Probe = { name: 'a thought and a call', content: '', reasoning: words.thought, calls: [plainCall] }
export const textCallProbe: Probe = { name: 'text and a call', content: words.text, calls: [plainCall] }
export const callProbe: Probe = { name: 'a call', content: '', calls: [plainCall] }
export const callsProbe: Probe = { name: 'two calls', content: '', calls: [plainCall, otherCall] }

function valueProbe(name: string, given: Readonly<Record<string, PyValue>>): Probe {
  return { name, content: '', calls: [{ name: alpha, arguments: given }] }
}

const text = (value: string) => ({ [words.keys[0]]: value, [words.keys[1]]: 'qz' })

export const numbersProbe = valueProbe('numbers and truth values', { [words.keys[0]]: 'qz', count: 42, share: 2.5, flag: true })

export const quotesProbe = valueProbe('quotes', text('say "hi" and \'ho\' \\ done'))

/** Tried where quotes do not come back: which of them it is. */
export const quoteProbes: readonly Probe[] = [
  valueProbe('texts with a double quote', text('say "hi" done')),
  valueProbe('texts with a single quote', text("it's done")),
  valueProbe('texts with a backslash', text('C:\\new \\ two')),
]

export const markupProbe = valueProbe('marks of others', text('x <b>y</b> <|im_sep|> [INST] z'))

/** Values of every kind, a call each. */
export const valueProbes: readonly Probe[] = [
  numbersProbe,
  valueProbe('lists and objects', { items: [1, 'two', [3]], more: { inner: { deep: 'qz' }, list: ['a'] } }),
  valueProbe('empty lists and objects', { [words.keys[0]]: 'qz', items: [], more: {} }),
  { name: 'a call without arguments', content: '', calls: [{ name: alpha, arguments: {} }] },
  quotesProbe,
  valueProbe('line breaks', text('one\ntwo\n\nthree')),
  valueProbe('other scripts', text('天气 é 🎉')),
  valueProbe('texts that look like numbers', text('007')),
  valueProbe('brackets', text('a[0] = {b: (c)}; ]}) end')),
  markupProbe,
]

/** The value probes: if nothing else is lost, a syntax is proven except for these. */
export const valueNames: ReadonlySet<string> = new Set([...valueProbes, ...quoteProbes].map(({ name }) => name))

/** All values in one message: if a template takes it, one rendering replaces ten. */
export const allValuesProbe: Probe = { name: 'values', content: '', calls: valueProbes.flatMap(({ calls }) => calls) }

/** What else is tried once a syntax has been derived. */
export const proofs: readonly Probe[] = [textProbe, callProbe, callsProbe, thoughtProbe, thoughtCallProbe, textCallProbe]
