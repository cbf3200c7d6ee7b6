import type { Layout, Opening, ToolsLayout, Trim } from './format-layout.ts'
import { endOfThought, startOf } from './write-layout.ts'

/**
 * Writes a layout as a Jinja chat template. All text is quoted and every tag trims whitespace, so the output does not depend on
 * `trim_blocks` and `lstrip_blocks`. Conversations that the layout rejects raise an exception.
 */
export function writeJinja(layout: Layout): string {
  const lines = [
    ...(layout.tools === 'refused' || layout.tools === 'written' ? raiseIf('tools', 'this format has no way to speak of tools') : []),
    ...(typeof layout.tools === 'object' ? toolList() : []),
    ...readSystem(layout),
    ...(layout.writes === 'last-words' ? writeLastWords(layout) : [...writeOpening(layout), ...writeTurns(layout), ...writeEnd(layout)]),
  ]
  return `${lines.join('\n')}\n`
}

/** A Jinja string literal, with Python's escapes. */
export function quote(text: string): string {
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll("'", "\\'")
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t')
  return `'${escaped}'`
}

function tag(code: string): string {
  return `{%- ${code} -%}`
}

/** An expression that concatenates texts; empty ones are omitted. */
function sum(...parts: readonly string[]): string {
  const said = parts.filter((part) => part !== "''")
  return said.length === 0 ? "''" : said.join(' + ')
}

function write(...parts: readonly string[]): string[] {
  const joined = sum(...parts)
  return joined === "''" ? [] : [`{{- ${joined} -}}`]
}

function raise(message: string): string {
  return `{{- raise_exception(${quote(message)}) -}}`
}

function raiseIf(condition: string, message: string): string[] {
  return [tag(`if ${condition}`), raise(message), tag('endif')]
}

/** Joins leading system messages; `turns` are the messages after them. */
function readSystem(layout: Layout): string[] {
  const { system, ends, writes, absent } = layout
  const isSlot = system?.place === 'start'
  const needs = [
    ...(isSlot ? ['system=none', 'rest=0'] : []),
    ...(asksForLastUser(layout) ? ['last_user=-1'] : []),
    ...(ends === undefined ? [] : ['place=0']),
    ...(writes === 'last-words' ? ['start=0'] : []),
    ...((isSlot && !(system.withRole && (system.empty?.withRole ?? true))) || !absent.withRole ? ['with_role=true'] : []),
  ]
  const start = needs.length === 0 ? [] : [tag(`set ns = namespace(${needs.join(', ')})`)]
  if (!isSlot) return [...start, tag('set turns = messages'), ...findLastUser(layout)]
  const again =
    system.joint === undefined && !system.onlyFirst
      ? [tag('if ns.system is not none'), raise('there are two system messages'), tag('endif')]
      : []
  const text = trimmed('message.content', undefined)
  const joined = system.joint === undefined ? text : `${text} if ns.system is none else ${sum('ns.system', quote(system.joint), text)}`
  return [
    ...start,
    tag('for message in messages'),
    tag(`if message.role == 'system' and ${system.onlyFirst ? 'loop.first' : 'loop.index0 == ns.rest'}`),
    ...again,
    tag(`set ns.system = ${joined}`),
    tag('set ns.rest = loop.index'),
    tag('endif'),
    tag('endfor'),
    tag('set turns = messages[ns.rest:]'),
    ...(system.alone ? [] : raiseIf('not turns', 'there is only a system message')),
    ...findLastUser(layout),
  ]
}

function asksForLastUser({ stripsReasoning, tools }: Layout): boolean {
  return stripsReasoning !== undefined || (typeof tools === 'object' && tools.place !== 'opening')
}

function findLastUser(layout: Layout): string[] {
  if (!asksForLastUser(layout)) return []
  return [tag('for message in turns'), tag("if message.role == 'user'"), tag('set ns.last_user = loop.index0'), tag('endif'), tag('endfor')]
}

function writeOpening(layout: Layout): string[] {
  const { system, absent, turns, tools } = layout
  const shown = typeof tools === 'object' && tools.place === 'opening' ? tools : undefined
  const opening = ({ text, withRole }: Opening) => [
    ...write(...openingParts(text, withRole, turns.user!.begin, shown)),
    ...(withRole ? [] : [tag('set ns.with_role = false')]),
  ]
  if (system === undefined) return opening(absent)
  if (system.place === 'anywhere') {
    const start = startOf(system.before, turns.system!.begin)
    if (start === absent.text) return opening(absent)
    return [tag("if messages[0].role == 'system'"), ...write(quote(start)), tag('else'), ...opening(absent), tag('endif')]
  }
  const text = trimmed('ns.system', layout.trims.system)
  const given = [
    ...write(quote(system.before), text, ...openingParts(system.after, system.withRole, turns.user!.begin, shown)),
    ...(system.withRole ? [] : [tag('set ns.with_role = false')]),
  ]
  const empty = system.empty === undefined ? [] : [tag(`elif ${text} == ''`), ...opening(system.empty)]
  return [tag('if ns.system is none'), ...opening(absent), ...empty, tag('else'), ...given, tag('endif')]
}

/** An opening with the list of tools inserted, located by the text after it. */
function openingParts(text: string, withRole: boolean, begin: string, tools: ToolsLayout | undefined): string[] {
  if (tools === undefined) return [quote(text)]
  const behind = withRole && tools.after.endsWith(begin) ? tools.after.slice(0, tools.after.length - begin.length) : tools.after
  if (!text.endsWith(behind)) return [quote(text)]
  return [quote(text.slice(0, text.length - behind.length)), listOfTools, quote(behind)]
}

/** The tools as MLC lists them: description, name and parameters, as written by Python's `json.dumps`. */
const listOfTools = "(tool_list if tools else '')"

function toolList(): string[] {
  return [
    tag('set tool_list'),
    "{{- '[' -}}",
    tag('for tool in tools or []'),
    tag('set function = tool.function if tool.function is defined else tool'),
    `{{- '{"description": ' + (function.description | tojson(ensure_ascii=true) if function.description else 'null') + ', "name": ' + (function.name | tojson(ensure_ascii=true)) + ', "parameters": ' + (function.parameters | tojson(ensure_ascii=true)) + '}' -}}`,
    "{{- ', ' if not loop.last -}}",
    tag('endfor'),
    "{{- ']' -}}",
    tag('endset'),
  ]
}

function writeTurns(layout: Layout): string[] {
  const { turns, neighbours, assistantFirst, calls, absent, system } = layout
  const firstHasRole = absent.withRole && (system?.withRole ?? true) && (system?.empty?.withRole ?? true)
  const roles = Object.entries(turns).flatMap(([role, { begin, end }], index) => [
    tag(`${index === 0 ? 'if' : 'elif'} message.role == ${quote(role)}`),
    ...writeTurn(layout, role, begin, end, firstHasRole),
  ])
  const isTaking = "message.role in ['user', 'assistant']"
  return [
    tag('for message in turns'),
    ...(calls === 'left-out' ? [] : raiseIf('message.tool_calls', 'this format has no way to write calls of tools')),
    ...(assistantFirst ? [] : raiseIf("loop.first and message.role == 'assistant'", 'the user has to speak first')),
    ...(neighbours === 'refused'
      ? raiseIf(`not loop.first and ${isTaking} and loop.previtem.role == message.role`, 'user and assistant have to take turns')
      : []),
    ...roles,
    tag('else'),
    `{{- raise_exception(${quote('this format has no place here for the role ')} + message.role) -}}`,
    tag('endif'),
    tag('endfor'),
  ]
}

function writeTurn(layout: Layout, role: string, begin: string, end: string, firstHasRole: boolean): string[] {
  const { neighbours, ends, stripsReasoning, trims } = layout
  const text = trimmed('message.content', trims[role])
  const isAnswer = role === 'assistant' && stripsReasoning !== undefined
  const spoken = isAnswer ? 'text' : text
  const answer = `message.content.split(${quote(endOfThought)})[-1]`
  const stripped = isAnswer
    ? [
        tag(
          `set text = (${stripsReasoning === 'newlines' ? `${answer}.lstrip('\\n')` : `${answer} | trim`}) if loop.index0 < ns.last_user and ${quote(endOfThought)} in message.content else ${text}`,
        ),
      ]
    : []
  const joins = typeof neighbours === 'object' && (role === 'user' || role === 'assistant')
  const parts = toolParts(layout, role, begin, end)
  const beginPart =
    firstHasRole || parts.begin.every((part) => part === "''")
      ? parts.begin
      : [`(${quote('')} if loop.first and not ns.with_role else ${sum(...parts.begin)})`]
  const endPart = ends === undefined ? parts.end : [`[${ends.map(quote).join(', ')}][ns.place % ${ends.length}]`]
  const next = ends === undefined ? [] : [tag('set ns.place = ns.place + 1')]
  if (!joins) return [...stripped, ...write(...beginPart, spoken, ...endPart), ...next]
  return [
    ...stripped,
    tag('if loop.first or loop.previtem.role != message.role'),
    ...write(...beginPart),
    tag('else'),
    ...write(quote((neighbours as { joint: string }).joint)),
    tag('endif'),
    ...write(spoken),
    tag('if loop.last or loop.nextitem.role != message.role'),
    ...write(...endPart),
    ...next,
    tag('endif'),
  ]
}

/** The text around a role's content, with the list of tools if it belongs to the last user turn. */
function toolParts({ tools }: Layout, role: string, begin: string, end: string): { begin: string[]; end: string[] } {
  const isIn = role === 'user' && typeof tools === 'object'
  const list = "(tool_list if tools and loop.index0 == ns.last_user else '')"
  if (isIn && tools.place === 'user-end' && end.startsWith(tools.before))
    return { begin: [quote(begin)], end: [quote(tools.before), list, quote(end.slice(tools.before.length))] }
  if (isIn && tools.place === 'user-begin' && begin.endsWith(tools.after))
    return { begin: [quote(begin.slice(0, begin.length - tools.after.length)), list, quote(tools.after)], end: [quote(end)] }
  return { begin: [quote(begin)], end: [quote(end)] }
}

function writeEnd({ reply, complete, noReplyAfterAnswer }: Layout): string[] {
  if (reply === complete && !noReplyAfterAnswer) return write(quote(reply))
  const asks = noReplyAfterAnswer ? [tag("if messages[-1].role != 'assistant'"), ...write(quote(reply)), tag('endif')] : write(quote(reply))
  return [tag('if add_generation_prompt'), ...asks, ...(complete === '' ? [] : [tag('else'), ...write(quote(complete))]), tag('endif')]
}

/** Only from the last user message on. */
function writeLastWords({ neighbours, turns, calls }: Layout): string[] {
  const joint = typeof neighbours === 'object' ? neighbours.joint : ''
  return [
    tag('for message in turns'),
    ...(calls === 'left-out' ? [] : raiseIf('message.tool_calls', 'this format has no way to write calls of tools')),
    tag(`if message.role not in [${Object.keys(turns).map(quote).join(', ')}]`),
    `{{- raise_exception(${quote('this format has no place here for the role ')} + message.role) -}}`,
    tag("elif message.role == 'user' and (loop.first or loop.previtem.role != 'user')"),
    tag('set ns.start = loop.index0'),
    tag('endif'),
    tag('endfor'),
    tag('for message in turns[ns.start:]'),
    ...(joint === '' ? [] : [tag('if not loop.first and loop.previtem.role == message.role'), ...write(quote(joint)), tag('endif')]),
    ...write('message.content'),
    tag('endfor'),
  ]
}

function trimmed(expression: string, trim: Trim = 'none'): string {
  if (trim === 'both') return `(${expression} | trim)`
  if (trim === 'start') return `${expression}.lstrip()`
  return trim === 'end' ? `${expression}.rstrip()` : expression
}
