import { PromptError } from '../../base/errors/prompt-error.ts'
import type { Format } from '../../prompt/format/format.ts'
import { deriveSyntax } from '../derive/derive-syntax.ts'
import { findSyntax } from '../find-syntax.ts'
import { NotExpressible } from '../response-template/write-response-template.ts'
import { holdsCalls, type ReplySyntax } from '../syntax.ts'
import { type CallText, type CallWriting, readCallWriting } from './call-writing.ts'
import { inRow, nothing, type StructuralTag, type Tag, type TagFormat } from './tag-format.ts'

/** What a model is asked for. */
export type StructuralTagRequest = {
  /** As in OpenAI's API, `{ type: 'function', function: { name, parameters } }`, or bare. */
  tools: readonly unknown[]
  /** `auto`: text, calls, or both; `required`: at least one call; a name: a call of this tool. */
  choice?: 'none' | 'auto' | 'required' | { name: string }
  /** Several calls may follow one another; true by default. */
  parallel?: boolean
  /** The reply begins with a thought. `opened`: the prompt has written its mark. */
  reasoning?: boolean | 'opened'
}

/**
 * What a model's reply may be, for servers that generate under a grammar of xgrammar: the calls of these tools, written to the character as
 * the format's chat template writes them, with arguments of their schemas. Throws `not-expressible` with the construct that is in the way.
 *
 * @example
 * const template = "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% for c in m.tool_calls or [] %}<call>{{ c.function | tojson }}</call>{% endfor %}<|end|>{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}"
 * const { format } = structuralTag(compileChat({ chat_template: template }).format, { tools: [{ name: 'now' }], choice: 'required', parallel: false })
 * format.type === 'sequence' && format.elements.map(({ type }) => type) // => ['regex', 'tag']
 */
export function structuralTag(format: Format, request: StructuralTagRequest): StructuralTag {
  try {
    return { type: 'structural_tag', format: formatOf(format, request) }
  } catch (error) {
    if (!(error instanceof NotExpressible)) throw error
    throw new PromptError('not-expressible', {
      where: format.name,
      problem: `a structural tag cannot express its replies: ${error.message}`,
      fix: 'constrain the arguments alone, with a JSON schema and a named tool',
    })
  }
}

function formatOf(format: Format, { tools, choice = 'auto', parallel = true, reasoning = false }: StructuralTagRequest): TagFormat {
  const { syntax } = findSyntax(format)
  const thought = reasoning === false ? [] : [thoughtFormat(syntax, reasoning === 'opened')]
  if (choice === 'none' || tools.length === 0) return inRow([...thought, { type: 'any_text' }])
  const writer = deriveSyntax(format)?.writer
  if (writer === undefined) throw new NotExpressible('the template cannot be probed')
  const writing = readCallWriting(writer, syntax)
  const wanted = functionsIn(tools).filter(({ name }) => typeof choice === 'string' || name === choice.name)
  if (wanted.length === 0)
    throw new PromptError('unknown-tool', {
      where: 'structuralTag › choice',
      problem: `"${typeof choice === 'string' ? '' : choice.name}" is not among the tools`,
      fix: 'name one of the tools',
    })
  const tags = wanted.map((tool) => tagOf(tool, writing))
  const isSingle = !parallel || typeof choice === 'object'
  if (choice === 'auto') return inRow([...thought, freely(tags, writing, syntax, isSingle)])
  return inRow([...thought, blanks, section(tags, writing, isSingle)])
}

/** Templates and prompts do not agree on the white space before a call. */
const blanks: TagFormat = { type: 'regex', pattern: '[ \\n]{0,4}' }

function literal(value: string): TagFormat {
  return { type: 'const_string', value }
}

/** Calls one after the other as the template separates them, between the marks of their section. */
function section(tags: readonly Tag[], { lead, between, tail }: CallWriting, isSingle: boolean): TagFormat {
  if (isSingle || between === undefined) return around(lead, tags.length === 1 ? tags[0]! : { type: 'or', elements: tags }, tail)
  if (between !== '') return around(lead, series(tags, between), tail)
  // xgrammar takes no empty separator: what all calls end or begin with becomes one.
  const last = tags[0]!.end.at(-1)
  if (last !== undefined && tags.every(({ end }) => end.at(-1) === last)) {
    const shorter = tags.map((tag) => ({ ...tag, end: tag.end.slice(0, -1) }))
    return around(lead, series(shorter, last), last + tail)
  }
  const first = tags[0]!.begin[0]
  if (first === undefined || !tags.every(({ begin }) => begin[0] === first)) throw new NotExpressible('nothing separates its calls')
  const shorter = tags.map((tag) => ({ ...tag, begin: tag.begin.slice(1) }))
  return around(lead + first, series(shorter, first), tail)
}

/** In xgrammar, calls whose number is open end a row, or stand alone in a tag. */
function around(before: string, content: TagFormat, after: string): TagFormat {
  const isOpen = content.type === 'tags_with_separator'
  if (isOpen && after !== '') return { type: 'tag', begin: before, content, end: after }
  return inRow([literal(before), content, literal(after)])
}

function series(tags: readonly Tag[], separator: string): TagFormat {
  return { type: 'tags_with_separator', tags, separator, at_least_one: true, stop_after_first: false }
}

/** Text in which a mark begins calls. */
function freely(tags: readonly Tag[], writing: CallWriting, syntax: ReplySyntax, isSingle: boolean): TagFormat {
  const block = syntax.blocks.find((one) => holdsCalls(one))
  if (syntax.messages === undefined && (block === undefined || block.open.length === 0 || block.tentative))
    throw new NotExpressible('its calls have no mark, so that nothing distinguishes them from text')
  const { lead, tail } = writing
  if (lead !== '') {
    const calls = section(tags, writing, isSingle)
    const all: Tag =
      calls.type === 'tag' && calls.begin.startsWith(lead)
        ? calls
        : { type: 'tag', begin: lead, content: section(tags, { ...writing, lead: '', tail: '' }, isSingle), end: tail }
    return { type: 'triggered_tags', triggers: [lead.trimEnd()], tags: [all], at_least_one: false, stop_after_first: true }
  }
  const begin = fixedStart(writing.begin)
  const mark = block?.open.join('') ?? ''
  const trigger = mark !== '' && begin.startsWith(mark) ? mark : begin
  if (trigger === '') throw new NotExpressible('its calls begin with what varies')
  const closed = tail === '' ? tags : tags.map((tag): Tag => ({ ...tag, end: tag.end + tail }))
  return { type: 'triggered_tags', triggers: [trigger], tags: closed, at_least_one: false, stop_after_first: isSingle }
}

function fixedStart([first]: CallText): string {
  return first && 'text' in first ? first.text : ''
}

function thoughtFormat({ reasoning = [] }: ReplySyntax, isOpened: boolean): TagFormat {
  const [span] = reasoning
  if (span === undefined || span.close === '') throw new NotExpressible('its replies have no marks of reasoning')
  return { type: 'tag', begin: isOpened ? '' : span.open, content: { type: 'any_text' }, end: span.close }
}

type FunctionTool = { name: string; parameters: Readonly<Record<string, unknown>> }

function functionsIn(tools: readonly unknown[]): FunctionTool[] {
  return tools.map((tool, index) => {
    const given = (typeof tool === 'object' && tool !== null ? tool : {}) as Record<string, unknown>
    const inner = (typeof given.function === 'object' && given.function !== null ? given.function : given) as Record<string, unknown>
    const { name, parameters = inner.input_schema } = inner
    if (typeof name !== 'string' || !/^[\w.:/-]{1,256}$/u.test(name))
      throw new PromptError('bad-tool', {
        where: `tools[${index}].function.name`,
        problem: `${JSON.stringify(name) ?? 'nothing'} is no name of a tool`,
        fix: 'use letters, digits, "_", "-", "." and ":"',
      })
    return { name, parameters: typeof parameters === 'object' && parameters !== null ? (parameters as Record<string, unknown>) : {} }
  })
}

function tagOf({ name, parameters }: FunctionTool, { begin, end, arguments: given }: CallWriting): Tag {
  const schema: Readonly<Record<string, unknown>> = { type: 'object', ...parameters }
  const [before, ...rest] = named(begin, name)
  const after = named(end, name)
  const last = after.at(-1)
  const isFixed = before?.type === 'const_string'
  const middle = [
    ...(isFixed ? rest : named(begin, name)),
    given.kind === 'json' ? ({ type: 'json_schema', json_schema: schema } as const) : taggedArguments(schema, given),
    ...(last?.type === 'const_string' ? after.slice(0, -1) : after),
  ]
  return {
    type: 'tag',
    begin: isFixed ? before.value : '',
    content: inRow(middle),
    end: last?.type === 'const_string' ? last.value : '',
  }
}

/** A text with a tool's name, in which ids stay open. */
function named(text: CallText, name: string): TagFormat[] {
  const elements: TagFormat[] = []
  for (const part of text) {
    const value = 'text' in part ? part.text : part.varies === 'name' ? name : undefined
    const last = elements.at(-1)
    if (value === undefined) elements.push({ type: 'regex', pattern: (part as { pattern: string }).pattern })
    else if (last?.type === 'const_string') elements[elements.length - 1] = { type: 'const_string', value: last.value + value }
    else elements.push({ type: 'const_string', value })
  }
  return elements
}

/** The parameters in the order of the schema; those that are not required may be left out. */
function taggedArguments(
  { properties = {}, required = [] }: { properties?: unknown; required?: unknown },
  { separator, textOf, parameter, truths }: Extract<CallWriting['arguments'], { kind: 'tagged' }>,
): TagFormat {
  const isRequired = new Set(Array.isArray(required) ? (required as unknown[]) : [])
  const elements = Object.entries(properties as Record<string, unknown>).map(([key, schema], index): [boolean, TagFormat] => {
    const isText = parameter.json !== true && hasType(schema, 'string')
    const { open, keyEnd, close } = textOf(isText)
    const tag: Tag = {
      type: 'tag',
      begin: `${index === 0 ? '' : separator}${open}${key}${keyEnd}`,
      content: isText
        ? textFormat(schema)
        : parameter.json !== true && hasType(schema, 'boolean')
          ? choice(truths)
          : { type: 'json_schema', json_schema: schema },
      end: close,
    }
    return [isRequired.has(key), tag]
  })
  const [first] = elements
  if (first && !first[0] && separator !== '' && elements.length > 1)
    throw new NotExpressible('white space separates its parameters, and the first may be missing')
  return inRow(elements.map(([isNeeded, tag]) => (isNeeded ? tag : { type: 'or', elements: [tag, nothing] })))
}

function hasType(schema: unknown, type: string): boolean {
  return typeof schema === 'object' && schema !== null && (schema as { type?: unknown }).type === type
}

function textFormat(schema: unknown): TagFormat {
  const { enum: choices } = schema as { enum?: unknown }
  return Array.isArray(choices) && choices.length > 0 ? choice(choices.map(String)) : { type: 'any_text' }
}

function choice(texts: readonly string[]): TagFormat {
  return texts.length === 1 ? literal(texts[0]!) : { type: 'or', elements: texts.map(literal) }
}
