import type { Note } from '../base/errors/note.ts'
import type { EarlierThoughts } from '../prompt/format/chat-template/earlier-thoughts.ts'
import type { Format } from '../prompt/format/format.ts'
import { type Derived, deriveSyntax } from './derive/derive-syntax.ts'
import { callProbe, valueNames, valueProbes, words } from './derive/probes.ts'
import { comesBack, prove, type SyntaxProof } from './derive/prove-syntax.ts'
import { plainReplies, unmarkedCalls } from './families/plain-replies.ts'
import { pythonMarks } from './families/python-calls.ts'
import { replySyntax, replySyntaxes, type SyntaxName } from './families/reply-syntaxes.ts'
import { openThinkSpan } from './families/spans.ts'
import { byShownMarks, mentionedSpan, quotedFamily, recognizeFamily, shownBy } from './recognize-family.ts'
import { marksOf, type ReasoningSpan, type ReplySyntax } from './syntax.ts'

/** The syntax of a format's replies, and how it was found. */
export type FoundSyntax = {
  syntax: ReplySyntax
  /**
   * - `told`: given in the config.
   * - `response-template`: the model's own response template; calls are forced as derived.
   * - `derived`: derived from what the format writes.
   * - `family`: a known family, recognized by what the format writes or by its marks.
   * - `text`: unknown, so that replies are text.
   */
  how: 'told' | 'response-template' | 'derived' | 'family' | 'text'
  /** Every probe that the format writes came back when it was read. */
  proven: boolean
  /** Names of the probes that did not come back. */
  unread: readonly string[]
  /** Assumptions, and what could not be determined. */
  notes: readonly string[]
  /** A call as the format writes it. */
  example?: string
  /** What the format does with the thoughts of earlier turns. */
  history?: EarlierThoughts['fate']
}

const known = new WeakMap<Format, FoundSyntax>()

/**
 * The syntax of a model's replies: given in its config (`reply_syntax`), or derived from how its format writes calls and thoughts. What
 * the format writes is read back; what comes back unchanged is proven.
 *
 * @example
 * syntaxOf(compileChat('internlm2').format).name // => 'internlm2'
 * syntaxOf(compileChat('chatml').format, 'hermes').name // => 'hermes'
 */
export function syntaxOf(format: Format, named?: SyntaxName | ReplySyntax): ReplySyntax {
  return findSyntax(format, named).syntax
}

/**
 * As `syntaxOf`, with how the syntax was found and whether it is proven.
 *
 * @example
 * const { how, proven } = findSyntax(compileChat('internlm2').format)
 * how // => 'derived'
 * proven // => true
 */
export function findSyntax(format: Format, named?: SyntaxName | ReplySyntax): FoundSyntax {
  if (named !== undefined) {
    const syntax = typeof named === 'string' ? replySyntax(named) : named
    if (syntax.reader) return byReader(format, syntax)
    return { syntax, how: 'told', proven: false, unread: [], notes: [] }
  }
  const found = known.get(format) ?? look(format)
  known.set(format, found)
  return found
}

/** Replies are read by `reader`; what it does not say (turns, stops, how a call begins) is that of the format. */
function byReader(format: Format, { name, reader }: ReplySyntax): FoundSyntax {
  const found = findSyntax(format)
  return { ...found, syntax: { ...found.syntax, name, ...(reader && { reader }) }, how: 'response-template', proven: false, unread: [] }
}

const changesLists = 'the template changes a list in place, which sandboxes refuse: it was looked at without those statements'

/** Of calls that `roles` writes as text, with the marks of turns and reasoning that the format has. */
function foldedSyntax(derived: Derived | undefined): FoundSyntax {
  const { hermes } = replySyntaxes
  const syntax = derived === undefined ? hermes : merged(hermes, derived)
  return { syntax, how: 'family', proven: true, unread: [], notes: [foldedTools], example: foldedCall }
}

/**
 * The syntax of the reply to one prompt: where `roles` had to write the tools of a conversation as text, that of the text;
 * else undefined: that of the format.
 *
 * @example
 * const { format, render } = compileChat('internlm2')
 * syntaxOfReply(format, render({ messages: [{ role: 'user', content: 'Hi' }] }).notes) // => undefined
 */
export function syntaxOfReply(format: Format, notes: readonly Note[]): FoundSyntax | undefined {
  if (!notes.some(({ code }) => code === 'tools-folded') || format.foldsTools) return undefined
  return foldedSyntax(deriveSyntax(format))
}

/** How the reply to this prompt writes calls: as its config names it, as `roles` wrote tools in it, or as its format does. */
export function syntaxAfter(format: Format, notes: readonly Note[], named?: SyntaxName | ReplySyntax): ReplySyntax {
  const isTold = named !== undefined && (typeof named === 'string' || named.reader === undefined)
  return (isTold ? undefined : syntaxOfReply(format, notes)?.syntax) ?? syntaxOf(format, named)
}

const foldedTools = 'the template does not write tools: roles writes them as text, and calls are read back from it'
const foldedCall = '<tool_call>\n{"name": "qzTool", "arguments": {}}\n</tool_call>'

function look(format: Format): FoundSyntax {
  if (format.kind === 'chat')
    return { syntax: plainReplies, how: 'text', proven: false, unread: [], notes: ['a server reads replies itself'] }
  const derived = deriveSyntax(format)
  if (format.foldsTools) return foldedSyntax(derived)
  if (derived === undefined) return byMarks(format, undefined)
  const example = derived.writer.write(callProbe)?.reply
  const shown = example === undefined || !derived.writesCalls ? {} : { example }
  const history = derived.syntax.reasoning === undefined ? undefined : format.earlierThoughts?.fate
  const more = { ...shown, ...(history === undefined ? {} : { history }) }
  const family = bestFamily(derived, shownBy(format, derived))
  const assumed = derived.writer.leavesOutChanges ? [changesLists] : []
  if (family && family.proof.unread.length === 0) {
    const isDerived = derived.writesCalls && derived.unread.length === 0
    return { syntax: family.syntax, how: isDerived ? 'derived' : 'family', proven: true, unread: [], notes: assumed, ...more }
  }
  if (family && (!derived.writesCalls || family.proof.unread.length <= derived.unread.length)) {
    const { unread } = family.proof
    return { syntax: family.syntax, how: 'family', proven: false, unread, notes: [...assumed, unproven(unread)], ...more }
  }
  // A syntax that cannot read back one plain call would take words for calls; Python's calls are recognized by the names of tools.
  const isUsable = !derived.unread.includes(callProbe.name) || derived.syntax.blocks.some(({ python }) => python)
  if (!derived.writesCalls || !isUsable) return { ...byMarks(format, derived), ...more }
  const { unread } = derived
  const syntax = withPythonMarks(derived.syntax)
  // The prompt asks the model for the calls that it quotes, however the template writes them afterwards.
  const asked = areOnlyValues(unread) ? undefined : quotedFamily(derived.writer.asked(true) ?? '')
  if (asked) {
    const why = `${unproven(unread)}; its prompt asks for the calls of ${asked.name}`
    return { syntax: merged(asked, derived), how: 'family', proven: false, unread, notes: [...assumed, why], ...more }
  }
  const notes = [...assumed, ...(unread.length === 0 ? [] : [unproven(unread)])]
  const found = { how: 'derived' as const, proven: unread.length === 0, unread, ...more }
  if (syntax.reasoning !== undefined) return { ...found, syntax, notes }
  return { ...found, syntax: { ...syntax, reasoning: [openThinkSpan] }, notes: [...notes, assumesThoughts] }
}

/** Models that write Python's calls without marks may put them between those of Llama 4, which no template shows. */
function withPythonMarks(syntax: ReplySyntax): ReplySyntax {
  const bare = syntax.blocks.find(({ open, python }) => python !== undefined && open.length === 0)
  return bare === undefined ? syntax : { ...syntax, blocks: [...syntax.blocks, { ...bare, ...pythonMarks }] }
}

/** Models of a family may reason even if this template does not write reasoning. */
const assumesThoughts = `the template writes no reasoning; text between ${openThinkSpan.open} and ${openThinkSpan.close} is read as reasoning`

/** Whether nothing but some values is lost, which no parser could read. */
function areOnlyValues(unread: readonly string[]): boolean {
  return unread.every((name) => valueNames.has(name)) && unread.length < valueProbes.length
}

function unproven(unread: readonly string[]): string {
  return areOnlyValues(unread)
    ? `proven except for what does not come back as written: ${unread.join(', ')}`
    : `not read back as written: ${unread.join(', ')}`
}

/** The known family that reads most of what the format writes; it must read calls. Of several, the one with the most marks in the format. */
function bestFamily(derived: Derived, shown: string): { syntax: ReplySyntax; proof: SyntaxProof } | undefined {
  const { writer } = derived
  const example = writer.write(callProbe)?.reply ?? ''
  const mayRead = ({ blocks, messages }: ReplySyntax) =>
    (messages !== undefined && example.includes(messages.body)) || blocks.some(({ open }) => example.includes(open.join('')))
  const call = writer.write(callProbe)
  let best: { syntax: ReplySyntax; proof: SyntaxProof } | undefined
  const families = Object.values(replySyntaxes as Record<string, ReplySyntax>).filter((family) => call !== undefined && mayRead(family))
  for (const family of byShownMarks(families, shown)) {
    const syntax = merged(family, derived)
    if (!comesBack(call!, callProbe, syntax)) continue
    const proof = prove(writer, syntax)
    if (proof.unread.length === 0) return { syntax, proof }
    if (best === undefined || proof.unread.length < best.proof.unread.length) best = { syntax, proof }
  }
  return best
}

/** A family's syntax, which covers what probes do not show, with the turn and reasoning marks of this format. */
function merged(family: ReplySyntax, { syntax }: Derived): ReplySyntax {
  const all = (a: readonly string[], b: readonly string[]) => [...new Set([...a, ...b])]
  const spans = [...(family.reasoning ?? [])]
  const isNew = ({ open }: ReasoningSpan) => family.messages === undefined && !spans.some((span) => span.open === open)
  const reasoning = [...spans, ...(syntax.reasoning ?? []).filter(isNew)]
  const marks = marksOf({ ...family, ends: [] })
  const turns = family.messages ? family.turns : all(family.turns, syntax.turns)
  const ends = family.messages
    ? family.ends
    : all(
        family.ends,
        syntax.ends.filter((end) => !marks.some((mark) => mark.includes(end))),
      )
  return { ...family, ends, turns, ...(reasoning.length > 0 ? { reasoning } : {}) }
}

/** For a format that writes no calls: it may still quote those of a family; otherwise replies are text, possibly after reasoning. */
function byMarks(format: Format, derived: Derived | undefined): FoundSyntax {
  const shown = shownBy(format, derived)
  const found = recognizeFamily(shown)
  if (found) {
    const { family, by } = found
    const why = by === 'quotes' ? `its marks are those of ${family.name}` : `its prompts are those of ${family.name}`
    const syntax = derived ? merged(family, derived) : family
    return { syntax, how: 'family', proven: false, unread: [], notes: [`${whyNoCalls(derived)}; ${why}`] }
  }
  const reasoning = derived?.syntax.reasoning
  if (derived && reasoning) {
    const isThink = reasoning.some(({ open }) => open === replySyntaxes.think.reasoning![0]!.open)
    const syntax = { ...derived.syntax, name: isThink ? 'think' : 'derived', blocks: [], sections: [] }
    return { syntax, how: 'derived', proven: derived.unread.length === 0, unread: derived.unread, notes: [whyNoCalls(derived)] }
  }
  const span = mentionedSpan(shown)
  if (span) {
    const syntax = derived ? merged(replySyntaxes.think, derived) : replySyntaxes.think
    const why = `it mentions ${span.close}: text between ${span.open} and ${span.close} is read as reasoning`
    return { syntax, how: 'family', proven: false, unread: [], notes: [`${whyNoCalls(derived)}; ${why}`] }
  }
  const text = format.traits.tools ? unmarkedCalls : plainReplies
  const ends = derived?.syntax.ends.filter((end) => format.markers.includes(end)) ?? []
  return {
    syntax: ends.length === 0 ? text : { ...text, ends },
    how: 'text',
    proven: false,
    unread: [],
    notes: [`${whyNoCalls(derived)}, and no thoughts: replies are read as text`],
  }
}

/** Why the syntax of calls is unknown: the format has none, refuses them, or writes them in an unknown way. */
function whyNoCalls(derived: Derived | undefined): string {
  const written = derived?.writer.write(callProbe)
  if (derived && written === undefined && derived.writer.refusal !== undefined)
    return `the format refuses messages with calls (${derived.writer.refusal})`
  const name = callProbe.calls[0]!.name
  const isShown = written?.complete.includes(name, written.complete.indexOf(words.question))
  return isShown ? 'the format writes calls in a way that could not be found out (reply_syntax can tell it)' : 'the format writes no calls'
}
