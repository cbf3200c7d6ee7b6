import { control, type Piece, plain, type Source } from '../../../base/text/index.ts'
import type { Block, ReplySyntax } from '../../../model/reply/index.ts'
import { openedInPrompt } from '../../../model/reply/index.ts'
import { holdsCalls } from '../../../model/reply/syntax.ts'
import type { Stop } from '../../../prompt/format/format.ts'
import type { Tokenizer } from '../../../prompt/tokenizer/tokenizer.ts'

const source: Source = { by: 'format', path: 'tool_choice' }

/**
 * The beginning of a call, put into the model's mouth: it can only go on with it. Without a name only the marks are
 * written, which is all that every syntax needs to make it call something. Undefined where the syntax cannot be begun so.
 * `example`: a call as the format writes it, which tells the marks that stand before one to the letter.
 */
export function forcedCall(
  syntax: ReplySyntax,
  opening: string,
  name: string | undefined,
  example?: string | undefined,
): Piece[] | undefined {
  const block = callBlock(syntax)
  if (!block) return undefined
  const before = [...closedThought(syntax, opening), marksIn(example, syntax, block) ?? marksOf(syntax, block)].join('')
  const { json } = block
  if (name === undefined) return before === '' ? undefined : [control(before, source)]
  if (!json) return namedStart(block, before, name)
  const bracket = json.list && block.close === undefined ? '[' : ''
  // The name is the key of the arguments.
  if (json.name === null) return undefined
  // Ends before a space: that belongs to the model's next token.
  return [
    control(`${before}${block.close === undefined ? '' : '\n'}${bracket}{"${json.name}": `, source),
    plain(JSON.stringify(name), { by: 'tool', path: 'tool_choice.function.name' }),
    control(`, "${json.arguments[0]}":`, source),
  ]
}

/** The marks before a call as a format writes them, wrappers included; undefined where it does not have these marks. */
function marksIn(example: string | undefined, { sections = [] }: ReplySyntax, { open }: Block): string | undefined {
  const at = open.length === 0 ? -1 : (example?.indexOf(open.join('')) ?? -1)
  if (example === undefined || at < 0) return undefined
  const wrappers = sections.map((section) => example.indexOf(section.open)).filter((place) => place >= 0 && place < at)
  return example.slice(Math.min(at, ...wrappers), at + open.join('').length)
}

/** Several wrappers are other spellings of one: the first is the usual one. Where values stand on lines of their own, so do marks. */
function marksOf({ sections = [] }: ReplySyntax, { open, tagged }: Block): string {
  return [...sections.slice(0, 1).map((section) => section.open), open.join('')].join(tagged?.parameter?.padding ?? '')
}

/** The beginning of a call whose name is not written as JSON; undefined where the syntax has more than one way to write it. */
function namedStart({ tagged, quoted, python }: Block, before: string, name: string): Piece[] | undefined {
  const written = (start: string, end: string): Piece[] => [
    control(before + start, source),
    plain(name, { by: 'tool', path: 'tool_choice.function.name' }),
    control(end, source),
  ]
  if (quoted) return written(quoted.prefix, '{')
  if (python) return written(python.list === true ? '[' : '', '(')
  // What may follow the name before it ends, such as attributes, is the model's to write.
  // Where an id comes first, the model is to write it.
  return tagged?.nameEnd === undefined || tagged.nameAfter !== undefined ? undefined : written(tagged.prefix ?? '', tagged.nameEnd)
}

/** Where the first call ends, for replies that may make only one; undefined where only the turn's end ends it. */
export function endOfCall(syntax: ReplySyntax, tokenizer: Pick<Tokenizer, 'idOf'> | undefined): Stop | undefined {
  const close = callBlock(syntax)?.close
  if (close === undefined) return undefined
  return tokenizer?.idOf(close) === undefined ? { text: close, source } : { token: close, source }
}

/** The block of ordinary calls: JSON without a mark goes before JSON behind one that also opens code. */
export function callBlock({ blocks }: ReplySyntax): Block | undefined {
  const calls = blocks.filter((block) => holdsCalls(block) && !block.tentative)
  return calls.find(({ open }) => open.length === 0) ?? calls[0]
}

/**
 * What follows the arguments of a call that was begun with its name, up to where the call is whole; undefined where arguments are not
 * written as one JSON object. What closes the block is left out: a reply that ends here is read as one that was stopped there.
 */
export function endOfArguments(syntax: ReplySyntax): string | undefined {
  const block = callBlock(syntax)
  const json = block?.json
  if (!json || json.name === null || json.inside !== undefined || json.asText) return undefined
  return json.list && block.close === undefined ? '}]' : '}'
}

/** A template that has opened the model's thoughts gets them closed: a call inside them would be one that was only thought of. */
export function closedThought(syntax: ReplySyntax, opening: string): string[] {
  const opened = openedInPrompt(opening, syntax)
  return (syntax.reasoning ?? []).flatMap(({ open, close }) =>
    opened.lastIndexOf(open) > opened.lastIndexOf(close) ? [`\n${close}\n\n`] : [],
  )
}
