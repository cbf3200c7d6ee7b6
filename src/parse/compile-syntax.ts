import { PromptError } from '../prompt-error.ts'
import { type Marker, MarkerSet } from './marker-set.ts'
import type { Block, ReplySyntax, Span } from './syntax.ts'

export type Meaning =
  | { kind: 'open'; block: Block }
  | { kind: 'close' }
  | { kind: 'end' }
  | { kind: 'reasoning'; span: Span }
  | { kind: 'reasoning-close'; span: Span }
  | { kind: 'section'; isOpen: boolean }

export type Markers = MarkerSet<Meaning>

/** The markers to look for at each place. */
export type Places = {
  text: Markers
  reasoning: ReadonlyMap<Span, Markers>
  blocks: ReadonlyMap<Block, Markers>
}

export type CompiledSyntax = {
  syntax: ReplySyntax
  /** A block without any mark. */
  bare: Block | undefined
  /** What counts in text that the tokenizer did not mark; with text alone, everything. */
  inText: Places
  /** What counts where it is known to be a token. */
  asTokens: Places
}

/**
 * Prepares a syntax for parsing. Where token ids are read, `isToken` tells which marks the tokenizer has as tokens: those
 * count only as such, since the same characters typed as text are no mark.
 */
export function compileSyntax(syntax: ReplySyntax, isToken?: (mark: string) => boolean): CompiledSyntax {
  if (isToken === undefined) {
    const known = compiled.get(syntax)
    if (known !== undefined) return known
  }
  checkSyntax(syntax)
  const asTokens = placesOf(syntax, () => true)
  const inText = isToken === undefined ? asTokens : placesOf(syntax, (marks) => !marks.every(isToken))
  const result = { syntax, bare: syntax.blocks.find(({ open }) => open.length === 0), inText, asTokens }
  if (isToken === undefined) compiled.set(syntax, result)
  return result
}

const compiled = new WeakMap<ReplySyntax, CompiledSyntax>()

function placesOf(syntax: ReplySyntax, counts: (marks: readonly string[]) => boolean): Places {
  const { blocks, reasoning = [], sections = [] } = syntax
  const marker = (marks: readonly string[], meaning: Meaning): Marker<Meaning>[] =>
    marks.length > 0 && counts(marks) ? [{ text: marks.join(''), meaning }] : []
  const ends = syntax.ends.flatMap((end) => marker([end], { kind: 'end' }))
  const opens = blocks.flatMap((block) => marker(block.open, { kind: 'open', block }))
  const sectionMarks = sections.flatMap(({ open, close }) => [
    ...marker([open], { kind: 'section', isOpen: true }),
    ...marker([close], { kind: 'section', isOpen: false }),
  ])
  const spans = reasoning.flatMap((span) => [
    ...marker([span.open], { kind: 'reasoning', span }),
    ...marker([span.close], { kind: 'reasoning-close', span }),
  ])
  const closeOf = ({ close }: Block) => (close === undefined ? [] : marker([close], { kind: 'close' }))
  return {
    text: new MarkerSet([...opens, ...sectionMarks, ...spans, ...ends]),
    reasoning: new Map(
      reasoning.map((span) => [span, new MarkerSet([...marker([span.close], { kind: 'reasoning-close', span }), ...ends])]),
    ),
    blocks: new Map(blocks.map((block) => [block, new MarkerSet([...closeOf(block), ...ends, ...opens, ...sectionMarks])])),
  }
}

function checkSyntax({ name, blocks, ends, reasoning = [], sections = [] }: ReplySyntax): void {
  const where = `syntax "${name}"`
  const refuse = (problem: string, fix: string): never => {
    throw new PromptError('bad-syntax', { where, problem, fix })
  }
  const marks = [...ends, ...blocks.flatMap(({ open, close }) => [...open, ...(close === undefined ? [] : [close])])]
  if ([...marks, ...[...reasoning, ...sections].flatMap(({ open, close }) => [open, close])].includes(''))
    refuse('a mark is empty, so that it would stand everywhere', 'give the text of the mark, or leave it out')
  for (const { open, json, named, code } of blocks) {
    const block = open.length === 0 ? 'the block without a mark' : `the block ${open.join('')}`
    if (json === undefined && named === undefined && code === undefined)
      refuse(`${block} does not say what it holds`, 'give it json, named or code')
    if (named !== undefined && code !== undefined) refuse(`${block} holds both a named call and code`, 'leave one of them out')
    if (open.length === 0 && (json === undefined || named !== undefined || code !== undefined))
      refuse(`${block} can only hold JSON`, 'give it json and nothing else')
  }
  if (blocks.filter(({ open }) => open.length === 0).length > 1) refuse('two blocks have no mark', 'leave one of them out')
}
