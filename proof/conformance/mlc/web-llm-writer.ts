import { dictEntries, dictGet, isDict, isList, type PyValue } from '../../../packages/core/src/base/python/index.ts'
import { mlcTemplate } from '../../../packages/core/src/prompt/format/mlc/summary.ts'
import type { webLlmRules } from '../rules/web-llm.ts'
import type { MlcVector, VectorMessage } from './vector.ts'

/** A prompt that cannot be rendered, as either implementation rejects it. */
export class NotWritten extends Error {}

/** Which of WebLLM's deviations are enabled. */
export type Ways = ReadonlySet<keyof typeof webLlmRules | 'system-without-slot'>

type Part = string | { image_url: string }
type Template = Record<string, unknown>

/**
 * A vector's prompt as ids, texts and images: MLC-LLM's rendering with no deviations enabled, WebLLM's with all. Implemented
 * independently of the library, so that it can prove which deviations alone separate Rolecall from WebLLM.
 */
export function writeAsWebLlm(vector: MlcVector, ways: Ways): unknown[] {
  const template = templateOf(vector)
  const [system, messages] = asked(vector, ways)
  if (system !== undefined) template.system_message = system
  // MLC-LLM also drops this text; Rolecall rejects it.
  const hasSlot = String(template.system_template ?? '{system_message}').includes('{system_message}')
  if (vector.mode === 'request' && system !== undefined && !hasSlot && !ways.has('system-without-slot'))
    throw new NotWritten('no place for the system')
  checkTemplate(template, ways)
  const first = ways.has('web-llm-last-round') && vector.mode === 'last_round' ? messages.length - 2 : 0
  const from = vector.mode === 'last_round' && first === 0 ? afterLastReply(messages) : first
  if (ways.has('web-llm-last-round') && vector.mode === 'last_round' && messages.length < 3) throw new NotWritten('the first round')
  const systemText = systemOf(template, ways)
  const written = messages.map((message, index) => writeMessage(template, { message, index, messages, systemText, vector }, ways))
  const parts: Part[] = []
  if (vector.mode !== 'last_round') parts.push(systemText)
  else if (!ways.has('web-llm-last-round') && messages[from - 1]?.role === 'assistant')
    parts.push(separator(template, from - 1, 'assistant', ways))
  parts.push(...written.slice(from).flat())
  if (parts.every((part) => part === '') && messages.length === 0 && !ways.has('web-llm-empty-prompt'))
    throw new NotWritten('nothing is said')
  const ids =
    vector.mode === 'request' && isList(template.system_prefix_token_ids as PyValue) ? (template.system_prefix_token_ids as unknown[]) : []
  return [...ids, ...joined(withFunctions(vector, template, parts, ways))]
}

/** The system text of a request, and the messages with the reply header. */
function asked({ messages: given, mode, override_system_message: own }: MlcVector, ways: Ways): [string | undefined, VectorMessage[]] {
  if (mode !== 'request') return [own, [...given]]
  const messages = given.map((message) =>
    message.role === 'developer' && !ways.has('web-llm-developer') ? { ...message, role: 'system' } : message,
  )
  const roles = messages.map(({ role }) => role)
  if (roles.lastIndexOf('system') > 0 || roles.some((role) => !['system', 'user', 'assistant', 'tool'].includes(role)))
    throw new NotWritten('roles')
  if (messages.some((message) => message.tool_calls !== undefined)) throw new NotWritten('calls')
  if (ways.has('web-llm-request')) {
    if (!['user', 'tool'].includes(roles.at(-1) ?? '')) throw new NotWritten('the user speaks last')
    if (messages.some(({ role, content }) => role === 'assistant' && typeof content !== 'string')) throw new NotWritten('a reply is text')
    if (messages.some(({ content }) => isList(content) && content.filter((part) => dictGet(part, 'type') === 'text').length > 1))
      throw new NotWritten('one text')
  }
  const [head, ...rest] = messages
  const said = head?.role === 'system' ? rest : [...messages]
  return [head?.role === 'system' ? String(head.content) : own, [...said, { role: 'assistant', content: null }]]
}

function templateOf({ template, config }: MlcVector): Template {
  const given = Object.fromEntries(dictEntries(config).map(([key, value]) => [key, plain(value)]))
  return template === null ? given : { ...(mlcTemplate(`new/${template}`).template as Template), ...given }
}

function plain(value: PyValue): unknown {
  return isDict(value) ? Object.fromEntries(dictEntries(value)) : value
}

function checkTemplate(
  { seps, roles, system_template: system, role_content_sep: colon, role_empty_sep: emptyColon }: Template,
  ways: Ways,
): void {
  if (!isList(seps as PyValue) || (seps as unknown[]).length === 0 || roles === undefined)
    throw new NotWritten('separators and roles are needed')
  if (!ways.has('web-llm-separators') && (seps as unknown[]).length > 2) throw new NotWritten('one or two separators')
  if (!ways.has('web-llm-colons') && (colon === null || emptyColon === null)) throw new NotWritten('a separator is text')
  if (ways.has('web-llm-no-system-text') && system === undefined) throw new NotWritten('a system template is needed')
}

function systemOf({ system_template: template = '{system_message}', system_message: text }: Template, ways: Ways): string {
  return fill(String(template), '{system_message}', text === undefined && !ways.has('web-llm-no-system-text') ? '' : String(text), ways)
}

type Writing = { message: VectorMessage; index: number; messages: readonly VectorMessage[]; systemText: string; vector: MlcVector }

function writeMessage(template: Template, { message, index, messages, systemText, vector }: Writing, ways: Ways): Part[] {
  const roles = template.roles as Record<string, string>
  if (!Object.hasOwn(roles, message.role)) throw new NotWritten('no such role')
  const name = ways.has('web-llm-names') && typeof message.name === 'string' && message.name !== '' ? message.name : roles[message.role]!
  const colon = ways.has('web-llm-colons') ? ': ' : ''
  if (message.content === null) {
    if (ways.has('web-llm-open-reply') && index < messages.length - 1) throw new NotWritten('an open reply')
    const thinking = vector.empty_thinking
    return [
      thinking === undefined ? `${name}${template.role_empty_sep ?? colon}` : `${name}${template.role_content_sep ?? colon}${thinking}`,
    ]
  }
  const isBare = index === 0 && systemText !== '' && template.add_role_after_system_message === false
  const prefix = isBare ? '' : `${name}${template.role_content_sep ?? colon}`
  return [prefix, ...contentOf(template, message, vector, ways), separator(template, index, message.role, ways)]
}

function contentOf(template: Template, { role, content }: VectorMessage, vector: MlcVector, ways: Ways): Part[] {
  const write = (text: string) => said(template, role, text, vector, ways)
  if (typeof content === 'string') return [write(content)]
  const parts = (content ?? []).map(
    (part): Part => (dictGet(part, 'type') === 'text' ? write(String(dictGet(part, 'text'))) : imageOf(part)),
  )
  if (!ways.has('web-llm-images-first')) return parts.flatMap((part) => (typeof part === 'string' ? [part] : [part, '\n']))
  const newline = vector.model_type === 'phi3_v' ? ['\n'] : []
  const images = parts.filter((part) => typeof part !== 'string')
  return [...images.flatMap((part) => [part, ...newline]), ...parts.filter((part) => typeof part === 'string')]
}

function imageOf(part: PyValue): Part {
  const url = dictGet(part as never, 'image_url')
  return { image_url: isDict(url) ? String(dictGet(url, 'url')) : String(url) }
}

function said(template: Template, role: string, text: string, vector: MlcVector, ways: Ways): string {
  const own = template.role_templates as Record<string, string> | undefined
  const found = own && Object.hasOwn(own, role) ? own[role]! : undefined
  if (!ways.has('web-llm-functions')) return fill(found ?? `{${role}_message}`, `{${role}_message}`, text, ways, shield)
  if (found === undefined) return text
  const filled = fill(found, `{${role}_message}`, text, ways)
  const tools = vector.use_function_calling === true ? (vector.function_string ?? '') : ''
  return (tools === '' ? filled : put(filled, '{function_string}', tools, ways)).replace('{function_string}', '')
}

/** MLC-LLM searches the whole prompt for the tools placeholder; Rolecall leaves data that looks like the placeholder unchanged. */
const shield = (text: string) => text.replaceAll('{function_string}', '{\u0000function_string}')

function withFunctions(
  { function_string: given }: MlcVector,
  { function_string: own = '' }: Template,
  parts: readonly Part[],
  ways: Ways,
): Part[] {
  if (ways.has('web-llm-functions')) return [...parts]
  let left = String(given ?? own)
  return parts
    .toReversed()
    .map((part) => {
      if (typeof part !== 'string') return part
      const pieces = part.split('{function_string}')
      const last = pieces.length > 1 ? left : ''
      if (pieces.length > 1) left = ''
      const filled = pieces.length === 1 ? part : pieces.slice(0, -1).join('') + last + pieces.at(-1)
      return filled.replaceAll('{\u0000function_string}', '{function_string}')
    })
    .toReversed()
}

function fill(template: string, place: string, text: string, ways: Ways, guard = (given: string) => given): string {
  if (ways.has('web-llm-first-placeholder')) return put(template, place, guard(text), ways)
  return template.split(place).join(ways.has('web-llm-dollar-signs') ? put(place, place, guard(text), ways) : guard(text))
}

function put(template: string, place: string, text: string, ways: Ways): string {
  return ways.has('web-llm-dollar-signs') ? template.replace(place, text) : template.replace(place, () => text)
}

function separator({ seps }: Template, index: number, role: string, ways: Ways): string {
  const all = seps as string[]
  return ways.has('web-llm-separators') ? all[index % all.length]! : role === 'assistant' ? all.at(-1)! : all[0]!
}

function afterLastReply(messages: readonly VectorMessage[]): number {
  const start = messages.findLastIndex(({ role, content }) => role === 'assistant' && content !== null) + 1
  if (start < messages.length) return start
  throw new NotWritten('nothing was said after the last reply')
}

function joined(parts: readonly Part[]): Part[] {
  const all: Part[] = []
  for (const part of parts) {
    if (typeof part === 'string' && typeof all.at(-1) === 'string') all[all.length - 1] += part
    else if (part !== '') all.push(part)
  }
  return all
}
