import type { Block, MessageHeads, ReplySyntax, TaggedParameter } from '../syntax.ts'

/** A `response_template` as JSON. */
export type WrittenTemplate = {
  version: 1
  defaults: { role: 'assistant' }
  start_anchor_pattern: string
  fields: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** A response template cannot express a syntax. */
export class NotExpressible extends Error {}

const everything = { repeats: true, join: '', content_args: { strip: false } }

/**
 * The `response_template`s that a syntax may be written as: where it allows several forms of calls, the response template has the one that the
 * model's chat template writes, which the probes decide. All are independent of cuts in transformers: no mark has an optional end.
 * Throws a `NotExpressible` that names the construct.
 */
export function responseTemplates(syntax: ReplySyntax, anchor: string): WrittenTemplate[] {
  if (syntax.messages) return [written(anchor, messageFields(syntax.messages))]
  const calls = syntax.blocks.flatMap((block) => formsOf(block, syntax))
  const refusals = syntax.blocks.flatMap((block) => refusalOf(block) ?? [])
  const isWithoutCalls = syntax.blocks.every(
    ({ code, json, named, tagged, quoted, python }) => code && !(json ?? named ?? tagged ?? quoted ?? python),
  )
  if (calls.length === 0 && !isWithoutCalls)
    throw new NotExpressible(refusals[0] ?? 'its calls have a form that response templates do not know')
  const forms: (CallForm | undefined)[] = calls.length === 0 ? [undefined] : calls
  return forms.map((form) => written(anchor, fieldsOf(syntax, form)))
}

function written(start_anchor_pattern: string, fields: WrittenTemplate['fields']): WrittenTemplate {
  return { version: 1, defaults: { role: 'assistant' }, start_anchor_pattern, fields }
}

/** A field of calls, and where a call begins, for thoughts that end there. */
type CallForm = { field: Readonly<Record<string, unknown>>; begins: string }

function fieldsOf(
  { reasoning = [], sections = [], ignored = [], headings = [], ends }: ReplySyntax,
  form: CallForm | undefined,
): WrittenTemplate['fields'] {
  if (headings.length > 0) throw new NotExpressible('its messages have headings that a mark elsewhere ends')
  const ending = ends.length === 0 ? [] : [String.raw`\s*(?:${either(ends)}).*`]
  const opens = new Set(reasoning.map(({ open }) => open))
  // A thought that the prompt opened and closed, or that is empty, may leave its closing mark to the reply.
  const skipped = [...reasoning.map(({ close }) => close), ...sections.flatMap(({ open, close }) => [open, close]), ...ignored].filter(
    (mark) => mark !== '' && !opens.has(mark),
  )
  const skips = skipped.length === 0 ? [] : [String.raw`\s*(?:${either(skipped)})\s*`]
  const closes = [...skips, ...ending]
  const endsAtCalls = reasoning.some((span) => span.endsAtCalls) && form
  const begins = endsAtCalls ? [...sections.map(({ open }) => escapedMark(open)), form.begins] : []
  const thoughts: WrittenTemplate['fields'] =
    reasoning.length === 0
      ? {}
      : {
          reasoning_content: {
            open_pattern: String.raw`\s*(?:${either(reasoning.map(({ open }) => open))})\s*`,
            close_pattern: [
              String.raw`\s*(?:${either([...new Set(reasoning.map(({ close }) => close))])})\s*`,
              ...begins.map((begin) => String.raw`\s*(?=${begin})`),
              ...endLooks(ends),
            ].join('|'),
            repeats: true,
            join: '',
          },
        }
  return {
    ...thoughts,
    ...(form ? { tool_calls: form.field } : {}),
    content: { ...(closes.length > 0 ? { close_pattern: closes.join('|') } : {}), ...everything },
  }
}

/** A thought or a call that is not closed ends with the turn, whose mark is not part of it. */
function endLooks(ends: readonly string[]): string[] {
  return ends.length === 0 ? [] : [String.raw`\s*(?=${either(ends)})`]
}

function formsOf({ open, close, json, named, tagged, quoted, tentative }: Block, { ends }: ReplySyntax): CallForm[] {
  const mark = open.map(escapedMark).join(String.raw`\s*`)
  if (mark === '' || tentative) return json && mark === '' ? bareForms(json.name, json.arguments, ends) : []
  const start = String.raw`\s*${mark}`
  const closing =
    close === undefined ? [String.raw`\s*(?=${mark})`, ...endLooks(ends)] : [String.raw`\s*${escapedMark(close)}\s*`, ...endLooks(ends)]
  const close_pattern = closing.join('|')
  const form = (open_pattern: string, rest: Readonly<Record<string, unknown>>): CallForm => ({
    field: { open_pattern, close_pattern, ...rest },
    begins: mark,
  })
  const forms: CallForm[] = []
  if (named) {
    const id = named.id === undefined ? '' : String.raw`(?:${escapedMark(named.id)}(?P<id>[\w.-]+))?`
    const before = named.nameAfter === undefined ? '' : String.raw`(?P<id>[^<>\s]*)${escapedMark(named.nameAfter)}`
    const separator = escapedMark(named.separator)
    const json = { repeats: true, content: 'json', transform: callOf('{name}', '{content}') }
    const name = String.raw`(?P<name>[^\s<>\[\]{}"]+)`
    const indexed = named.indexed ? [String.raw`${start}\s*(?:functions\.)?(?P<name>[^\s<>\[\]{}":]+):\d+\s*${separator}\s*`] : []
    for (const pattern of [...indexed, String.raw`${start}\s*${before}${name}${id}\s*${separator}\s*`]) forms.push(form(pattern, json))
    if (named.fenced)
      forms.push({
        field: {
          open_pattern: String.raw`${start}\s*function${separator}${name}\s*${'```'}json\s*`,
          close_pattern: String.raw`\s*${'```'}\s*${close === undefined ? '' : escapedMark(close)}\s*`,
          ...json,
        },
        begins: mark,
      })
  }
  if (tagged?.parameter && !tagged.parameter.cdata) {
    const head = `${tagged.nameEnd === undefined ? '' : escapedMark(tagged.nameEnd)}${tagged.headEnd === undefined || tagged.headEnd === tagged.nameEnd ? '' : `[^<>]*${escapedMark(tagged.headEnd)}`}`
    const prefix = tagged.prefix === undefined ? '' : escapedMark(tagged.prefix)
    const before = tagged.nameAfter === undefined ? '' : `(?P<id>[^"<>]*)${escapedMark(tagged.nameAfter)}`
    const pattern = String.raw`${start}\s*${prefix}${before}(?P<name>[^\s<>"\[\]{}]+)${head === '' ? '' : String.raw`\s*${head}`}`
    for (const content_args of valueArguments(tagged.parameter)) {
      const content = { content: 'xml-inline', content_args, repeats: true, transform: callOf('{name}', '{content}') }
      forms.push(form(pattern, content))
    }
  }
  if (quoted) {
    const content_args = { unquoted_keys: true, string_delims: [[quoted.quote, quoted.quote]] }
    forms.push(
      form(String.raw`${start}${escapedMark(quoted.prefix)}(?P<name>[\w.-]+)`, {
        repeats: true,
        content: 'json',
        content_args,
        transform: callOf('{name}', '{content}'),
      }),
    )
  }
  if (json && json.name !== null && json.asText === undefined) {
    const path = json.inside === undefined ? '' : `${json.inside}.`
    for (const key of json.arguments) {
      const each = { content: 'json', transform_each: true, transform: callOf(`{${path}${json.name}}`, `{${path}${key}}`) }
      const one = { repeats: true, content: 'json', transform: callOf(`{content.${path}${json.name}}`, `{content.${path}${key}}`) }
      forms.push(form(String.raw`${start}\s*`, one))
      if (json.list) forms.push(form(String.raw`${start}\s*`, each))
      if (json.several) {
        // One call a line: the next begins behind the end of the last.
        const next = String.raw`\{\s*"${escapedMark(json.inside ?? json.name)}"`
        const field = {
          ...one,
          open_pattern: String.raw`${start}\s*|(?<=\})\n(?=${next})`,
          close_pattern: [String.raw`(?=\n${next})`, close_pattern].join('|'),
        }
        forms.push({ field, begins: mark })
      }
    }
  }
  return forms
}

/** The whole reply is a call: it begins where the reply does. */
function bareForms(name: string | null, keys: readonly string[], ends: readonly string[]): CallForm[] {
  if (name === null) return []
  return keys.flatMap((key) =>
    ['\\{', '\\['].map((bracket) => {
      const item = bracket === '\\['
      const begins = String.raw`\A\s*(?=${bracket}\s*(?:\{\s*)?"${escapedMark(name)}")`
      const close = ends.length === 0 ? {} : { close_pattern: String.raw`\s*(?=${either(ends)})` }
      const content = item
        ? { content: 'json', transform_each: true, transform: callOf(`{${name}}`, `{${key}}`) }
        : { repeats: true, content: 'json', transform: callOf(`{content.${name}}`, `{content.${key}}`) }
      return { field: { open_pattern: begins, ...close, ...content }, begins }
    }),
  )
}

/** How values are read: as text, whose types tools tell, or as JSON. */
function valueArguments({ open, keyEnd, valueOpen, close, padding, json }: TaggedParameter): Record<string, unknown>[] {
  const pad = padding === undefined ? '' : `(?:${escapedMark(padding)})?`
  const middle =
    valueOpen === undefined
      ? ''
      : valueOpen === '>' || valueOpen.startsWith('<|sep')
        ? `[^<>]*?${escapedMark(valueOpen)}`
        : String.raw`\s*${escapedMark(valueOpen)}`
  const tag_pattern = `${escapedMark(open)}(?P<key>.*?)${escapedMark(keyEnd)}${middle}${pad}(?P<value>.*?)${pad}${escapedMark(close)}`
  const asJson = { tag_pattern, value_parser: { name: 'json', args: { allow_non_json: true, strip: false } } }
  return json ? [asJson] : [{ tag_pattern }, asJson]
}

function messageFields({
  start,
  channel,
  body,
  ends,
  recipient,
  prefix,
  thoughts,
  readers,
  calls,
}: MessageHeads): WrittenTemplate['fields'] {
  if (calls !== 'json' || channel === undefined || recipient === undefined || prefix === undefined || ends.length === 0)
    throw new NotExpressible('its messages have heads that name recipients in a way that needs more than one pattern')
  const [s, c, b] = [escapedMark(start), escapedMark(channel), escapedMark(body)]
  const head = String.raw`\s*(?:${s}\w+)?`
  const to = String.raw`${escapedMark(recipient)}${escapedMark(prefix)}(?P<name>[^\s<>]+)`
  const close_pattern = either(ends)
  const said = String.raw`(?!${either(thoughts)})\w+(?:\s*${escapedMark(recipient)}(?:${either(readers)}))?`
  return {
    reasoning_content: { open_pattern: String.raw`${head}\s*${c}(?:${either(thoughts)})[^<]*${b}`, close_pattern, repeats: true, join: '' },
    content: { open_pattern: String.raw`${head}\s*${c}${said}\s*(?:<\|constrain\|>\w+)?${b}`, close_pattern, ...everything },
    tool_calls: {
      open_pattern: String.raw`${head}(?:\s*${to}\s*${c}\w+|\s*${c}\w+\s+${to})\s*(?:(?:<\|constrain\|>)?\w+)?${b}`,
      close_pattern,
      repeats: true,
      content: 'json',
      transform: callOf('{name}', '{content}'),
    },
  }
}

function refusalOf({ open, json, tagged, python, tentative }: Block): string | undefined {
  if (python) return 'its calls are written as in Python, whose values no content of a response template reads'
  if (tagged?.elements) return 'its arguments are nested elements'
  if (tagged?.parameter?.cdata) return 'its texts are in CDATA sections'
  if (json?.name === null) return "the tool's name is a key"
  if (json?.asText) return 'its arguments are JSON inside a text'
  if (tentative) return `its calls have no mark (${JSON.stringify(open.join(''))} is also text)`
  return undefined
}

function callOf(name: string, given: string): unknown {
  return { type: 'function', function: { name, arguments: given } }
}

/** Literals, the longest first, as alternatives. */
function either(texts: readonly string[]): string {
  return [...new Set(texts)]
    .sort((one, other) => other.length - one.length)
    .map(escapedMark)
    .join('|')
}

/** A mark as a pattern. */
export function escapedMark(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|#&~-]/gu, String.raw`\$&`).replaceAll('\n', '\\n')
}
