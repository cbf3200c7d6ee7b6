import { PromptError } from '../../base/errors/prompt-error.ts'
import { type Block, type MarkPair, marksOf, type ReasoningSpan, type ReplySyntax, type TaggedBody } from '../syntax.ts'
import { type Marker, MarkerSet } from './marker-set.ts'

export type Meaning =
  | { kind: 'open'; block: Block }
  /** Text that differs from a mark by a space. */
  | { kind: 'near-miss'; of: string }
  | { kind: 'close' }
  /** Closes a block that was a wrapper around other blocks. */
  | { kind: 'wrapper-close' }
  | { kind: 'end' }
  | { kind: 'reasoning'; span: MarkPair }
  | { kind: 'reasoning-close'; span: MarkPair }
  | { kind: 'section'; isOpen: boolean }
  | { kind: 'ignored' }
  | { kind: 'heading' }
  /** The head of the next message begins. */
  | { kind: 'head' }
  | { kind: 'message-end' }

export type Markers = MarkerSet<Meaning>

/** The markers to look for at each place. */
export type Places = {
  text: Markers
  /** In messages to a reader, where no call counts. */
  said: Markers
  reasoning: ReadonlyMap<MarkPair, Markers>
  blocks: ReadonlyMap<Block, Markers>
  /** In the head of a message. */
  head: MarkerSet<{ kind: 'body' | 'channel' | 'other' }>
}

/** What can follow in a call with tagged arguments: `between` them, and in a value if its closing mark never came. */
export type TagMark = 'id-end' | 'name-end' | 'head-end' | 'parameter' | 'key-end' | 'value-open' | 'value-close' | 'close' | 'other'
export type TagMarkers = {
  name: MarkerSet<TagMark>
  head: MarkerSet<TagMark>
  between: MarkerSet<TagMark>
  key: MarkerSet<TagMark>
  attributes: MarkerSet<TagMark>
  value: MarkerSet<TagMark>
  openValue: MarkerSet<TagMark>
}

export type CompiledSyntax = {
  syntax: ReplySyntax
  /** A block without any mark. */
  bare: Block | undefined
  /** The span of thoughts in messages. */
  thought: MarkPair | undefined
  /** The block of a message to a tool. */
  message: Block | undefined
  tags: ReadonlyMap<Block, TagMarkers>
  /** What counts in text that the tokenizer did not mark; with text alone, everything. */
  inText: Places
  /** What counts where it is known to be a token. */
  asTokens: Places
}

/**
 * Prepares a syntax for parsing. Where token ids are read, `isToken` says which marks are tokens of the tokenizer: those
 * count only as such, since the same characters typed as text are not a mark.
 */
export function compileSyntax(syntax: ReplySyntax, isToken?: (mark: string) => boolean): CompiledSyntax {
  if (isToken === undefined) {
    const known = compiled.get(syntax)
    if (known !== undefined) return known
  }
  checkSyntax(syntax)
  const { messages, blocks } = syntax
  const thought = messages && { open: messages.body, close: messages.ends[0] ?? messages.start }
  const message: Block | undefined = messages?.calls === 'json' ? { open: [messages.body], named: { separator: messages.body } } : undefined
  const asTokens = placesOf(syntax, thought, message, () => true)
  const inText = isToken === undefined ? asTokens : placesOf(syntax, thought, message, (marks) => !marks.every(isToken))
  const tags = new Map(blocks.flatMap((block) => (block.tagged ? [[block, tagMarkersOf(syntax, block, block.tagged)] as const] : [])))
  const result = { syntax, bare: blocks.find(({ open }) => open.length === 0), thought, message, tags, inText, asTokens }
  if (isToken === undefined) compiled.set(syntax, result)
  return result
}

const compiled = new WeakMap<ReplySyntax, CompiledSyntax>()

function placesOf(
  syntax: ReplySyntax,
  thought: MarkPair | undefined,
  message: Block | undefined,
  counts: (marks: readonly string[]) => boolean,
): Places {
  const { blocks, reasoning = [], sections = [], ignored = [], headings = [], messages } = syntax
  const marker = (marks: readonly string[], meaning: Meaning): Marker<Meaning>[] =>
    marks.length > 0 && counts(marks) ? [{ text: marks.join(''), meaning }] : []
  const ends = syntax.ends.flatMap((end) => marker([end], { kind: 'end' }))
  const opens = blocks.flatMap((block) => marker(block.open, { kind: 'open', block }))
  // With a space between its tokens, an opening is text, as in all reference parsers, but probably meant as a call.
  const misses = blocks.flatMap(({ open }) => {
    const spaced = open.join(' ')
    const isMark = open.length < 2 || opens.some(({ text }) => text === spaced)
    return isMark || !counts(open) ? [] : [{ text: spaced, meaning: { kind: 'near-miss' as const, of: open.join('') } }]
  })
  // What also occurs in plain text opens nothing inside a call or a thought.
  const certain = opens.filter(({ meaning }) => !(meaning.kind === 'open' && meaning.block.tentative))
  const sectionMarks = sections.flatMap(({ open, close }) => [
    ...marker([open], { kind: 'section', isOpen: true }),
    ...marker([close], { kind: 'section', isOpen: false }),
  ])
  const spans = reasoning.flatMap((span) => [
    ...marker([span.open], { kind: 'reasoning', span }),
    // Where one mark ends thoughts and turns alike, it ends the turn outside of a thought.
    ...(syntax.ends.includes(span.close) ? [] : marker([span.close], { kind: 'reasoning-close', span })),
  ])
  const silent = [
    ...ignored.flatMap((mark) => marker([mark], { kind: 'ignored' })),
    ...headings.flatMap((mark) => marker([mark], { kind: 'heading' })),
  ]
  const starts = messages ? [messages.start, ...(messages.channel === undefined ? [] : [messages.channel])] : []
  const heads = [
    ...starts.flatMap((mark) => marker([mark], { kind: 'head' })),
    ...(messages?.ends ?? []).flatMap((mark) => marker([mark], { kind: 'message-end' })),
  ]
  const closeOf = ({ close }: Block) => (close === undefined ? [] : marker([close], { kind: 'close' }))
  const wrapped = blocks.flatMap(({ close }) => (close === undefined ? [] : marker([close], { kind: 'wrapper-close' })))
  const markersIn = (span: ReasoningSpan) =>
    new MarkerSet([
      ...marker([span.close], { kind: 'reasoning-close', span }),
      ...reasoning.flatMap((again) => marker([again.open], { kind: 'reasoning', span: again })),
      ...heads,
      ...(span.endsAtCalls ? [...certain, ...sectionMarks] : []),
      ...ends,
    ])
  const inBlocks = [...heads, ...ends, ...certain, ...sectionMarks]
  return {
    // A mark that only sometimes closes a thought means nothing elsewhere: what is ignored goes first.
    text: new MarkerSet([...silent, ...spans, ...opens, ...misses, ...sectionMarks, ...heads, ...ends, ...wrapped]),
    said: new MarkerSet([...silent, ...spans, ...heads, ...ends]),
    reasoning: new Map([
      ...reasoning.map((span) => [span, markersIn(span)] as const),
      ...(thought ? [[thought, new MarkerSet([...heads, ...ends])] as const] : []),
    ]),
    head: headMarkers(syntax),
    blocks: new Map([...blocks, ...(message ? [message] : [])].map((block) => [block, new MarkerSet([...closeOf(block), ...inBlocks])])),
  }
}

function headMarkers({ ends, messages }: ReplySyntax): MarkerSet<{ kind: 'body' | 'channel' | 'other' }> {
  if (messages === undefined) return new MarkerSet([])
  const others = [...ends, ...messages.ends, messages.start]
  return new MarkerSet<{ kind: 'body' | 'channel' | 'other' }>([
    { text: messages.body, meaning: { kind: 'body' } },
    ...(messages.channel === undefined ? [] : [{ text: messages.channel, meaning: { kind: 'channel' as const } }]),
    ...others.map((text) => ({ text, meaning: { kind: 'other' as const } })),
  ])
}

/** The marks at each position of a call with tagged arguments. They are matched as text even if they are tokens: they are many and short. */
function tagMarkersOf(
  { ends, blocks, sections = [] }: ReplySyntax,
  { close }: Block,
  { nameAfter, nameEnd, headEnd, parameter, elements }: TaggedBody,
): TagMarkers {
  const marker = (text: string | undefined, meaning: TagMark): Marker<TagMark>[] => (text === undefined ? [] : [{ text, meaning }])
  const others = [
    ...ends,
    ...blocks.filter(({ tentative }) => !tentative).map(({ open }) => open.join('')),
    ...sections.flatMap(({ open, close }) => [open, close]),
  ]
    .filter((mark) => mark !== '')
    .flatMap((mark) => marker(mark, 'other'))
  const closing = marker(close, 'close')
  // Where each value is on separate lines, an argument on the next line means that the previous one was not closed.
  const unclosed = parameter?.padding === undefined ? undefined : parameter.padding + parameter.open
  const next = [...marker(parameter?.open ?? elements?.open, 'parameter'), ...closing, ...others]
  return {
    name: new MarkerSet([...marker(nameAfter, 'id-end'), ...marker(nameEnd, 'name-end'), ...next]),
    head: new MarkerSet([...marker(headEnd, 'head-end'), ...next]),
    between: new MarkerSet(next),
    key: new MarkerSet([...marker(parameter?.keyEnd, 'key-end'), ...closing]),
    attributes: new MarkerSet([...marker(parameter?.valueOpen, 'value-open'), ...closing]),
    value: new MarkerSet(elements ? closing : [...marker(parameter?.close, 'value-close'), ...marker(unclosed, 'parameter')]),
    openValue: new MarkerSet([...marker(parameter?.close, 'value-close'), ...next]),
  }
}

function checkSyntax(syntax: ReplySyntax): void {
  const { name, blocks } = syntax
  const where = `syntax "${name}"`
  const refuse = (problem: string, fix: string): never => {
    throw new PromptError('bad-syntax', { where, problem, fix })
  }
  if (marksOf(syntax).includes(''))
    refuse('a mark is empty, so that it would stand everywhere', 'give the text of the mark, or leave it out')
  for (const { open, close, json, named, tagged, quoted, python, code } of blocks) {
    const block = open.length === 0 ? 'the block without a mark' : `the block ${open.join('')}`
    if ((json ?? named ?? tagged ?? quoted ?? python ?? code) === undefined)
      refuse(`${block} does not say what it holds`, 'give it json, named, tagged, quoted, python or code')
    if ([named, tagged, quoted, code].filter((body) => body !== undefined).length > 1)
      refuse(`${block} holds both a named call and code`, 'leave one of them out')
    if (tagged && (tagged.parameter === undefined) === (tagged.elements === undefined))
      refuse(`${block} must have either parameters or elements`, 'give tagged.parameter or tagged.elements')
    if (tagged && close === undefined) refuse(`${block} has tagged arguments and no end`, 'give it a close')
    if (open.length === 0 && ((json ?? python) === undefined || (named ?? tagged ?? quoted ?? code) !== undefined))
      refuse(`${block} can only hold JSON or Python`, 'give it json or python and nothing else')
  }
  if (blocks.filter(({ open }) => open.length === 0).length > 1) refuse('two blocks have no mark', 'leave one of them out')
}
