import { control, type Piece, plain, type Source } from '../base/text/index.ts'
import type { Stop } from '../prompt/format/format.ts'
import type { Tokenizer } from '../prompt/tokenizer/tokenizer.ts'
import { openedInPrompt } from './parse/reply-parser.ts'
import { type Block, holdsCalls, type ReplySyntax } from './syntax.ts'

const source: Source = { by: 'format', path: 'tool_choice' }

/**
 * The beginning of a call, appended to the prompt so that the model must continue it. Without a name only the markers are written, which is
 * enough to force some call. Undefined if the syntax does not allow it. `example`: a call in the format, from which the exact markers are
 * taken.
 */
export function forcedCall(
  syntax: ReplySyntax,
  opening: string,
  name: string | undefined,
  example?: string | undefined,
): Piece[] | undefined {
  const block = callBlock(syntax)
  if (!block) return undefined
  const before = [...closedThought(syntax, opening), exampleMarkers(example, syntax, block) ?? syntaxMarkers(syntax, block)].join('')
  const { json } = block
  if (name === undefined) return before === '' ? undefined : [control(before, source)]
  if (!json) return namedCall(block, before, name)
  const bracket = json.list && block.close === undefined ? '[' : ''
  // The name is the key of the arguments.
  if (json.name === null) return undefined
  // No trailing space: it belongs to the model's next token.
  return [
    control(`${before}${block.close === undefined ? '' : '\n'}${bracket}{"${json.name}": `, source),
    plain(JSON.stringify(name), { by: 'tool', path: 'tool_choice.function.name' }),
    control(`, "${json.arguments[0]}":`, source),
  ]
}

/** The markers before the call in the example, including wrappers; undefined if it has none. */
function exampleMarkers(example: string | undefined, { sections = [] }: ReplySyntax, { open }: Block): string | undefined {
  const at = open.length === 0 ? -1 : (example?.indexOf(open.join('')) ?? -1)
  if (example === undefined || at < 0) return undefined
  const wrappers = sections.map((section) => example.indexOf(section.open)).filter((offset) => offset >= 0 && offset < at)
  return example.slice(Math.min(at, ...wrappers), at + open.join('').length)
}

/** The first wrapper is the usual one. If values are on separate lines, so are markers. */
function syntaxMarkers({ sections = [] }: ReplySyntax, { open, tagged }: Block): string {
  return [...sections.slice(0, 1).map((section) => section.open), open.join('')].join(tagged?.parameter?.padding ?? '')
}

/** The beginning of a call whose name is not JSON; undefined if the syntax has more than one way to write it. */
function namedCall({ tagged, quoted, python }: Block, before: string, name: string): Piece[] | undefined {
  const written = (start: string, end: string): Piece[] => [
    control(before + start, source),
    plain(name, { by: 'tool', path: 'tool_choice.function.name' }),
    control(end, source),
  ]
  if (quoted) return written(quoted.prefix, '{')
  if (python) return written(python.list === true ? '[' : '', '(')
  // Attributes after the name, or an id before it, are left to the model.
  return tagged?.nameEnd === undefined || tagged.nameAfter !== undefined ? undefined : written(tagged.prefix ?? '', tagged.nameEnd)
}

/** The stop after the first call, for replies with a single call; undefined if only the end of the turn closes it. */
export function endOfCall(syntax: ReplySyntax, tokenizer: Pick<Tokenizer, 'idOf'> | undefined): Stop | undefined {
  const { close, json } = callBlock(syntax) ?? {}
  // A response template needs the mark to know that a call is complete, unless the call is JSON.
  if (close === undefined || (syntax.reader && !json)) return undefined
  return tokenizer?.idOf(close) === undefined ? { text: close, source } : { token: close, source }
}

/** The block of ordinary calls: JSON without a marker takes precedence over JSON after a marker that also opens code. */
export function callBlock({ blocks }: ReplySyntax): Block | undefined {
  const calls = blocks.filter((block) => holdsCalls(block) && !block.tentative)
  return calls.find(({ open }) => open.length === 0) ?? calls[0]
}

/**
 * The text that closes a forced call after its arguments; undefined if arguments are not a JSON object. The end of the block is omitted: the
 * parser treats such a reply as stopped there.
 */
export function endOfArguments(syntax: ReplySyntax): string | undefined {
  const block = callBlock(syntax)
  const json = block?.json
  if (!json || json.name === null || json.inside !== undefined || json.asText) return undefined
  return json.list && block.close === undefined ? '}]' : '}'
}

/** Closes a thought opened by the template: a call inside a thought would not count. */
export function closedThought(syntax: ReplySyntax, opening: string): string[] {
  const opened = openedInPrompt(opening, syntax)
  return (syntax.reasoning ?? []).flatMap(({ open, close }) =>
    opened.lastIndexOf(open) > opened.lastIndexOf(close) ? [`\n${close}\n\n`] : [],
  )
}
