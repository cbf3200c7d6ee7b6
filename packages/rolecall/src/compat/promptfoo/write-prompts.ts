import { promptColumn, type RunJavaScript } from './assertions-evaluator.ts'
import { yamlOf } from './find-tests.ts'
import { isTemplate, renderNunjucks } from './nunjucks.ts'
import { fieldsOf, type PromptfooFields } from './promptfoo-host.ts'
import type { PromptfooPrompt } from './promptfoo-prompts.ts'
import type { TestRow } from './read-tests.ts'

/** The turns of a prompt for all its tests, and what its rows hold beside the variables. */
export type PromptRows = { template: object; columns: PromptfooFields[] }

/** Content that is no text is a list of parts. */
type Message = { role: string; content: string | readonly PromptfooFields[] }

const roles: Readonly<Record<string, object>> = {
  system: { role: 'SYSTEM', fallback_role: 'HUMAN' },
  developer: { role: 'SYSTEM', fallback_role: 'HUMAN' },
  user: { role: 'HUMAN' },
  assistant: { role: 'BOT' },
}

/**
 * How a prompt is asked. One that only names variables stays a template, so that every character shows where it comes from; others are
 * written for each test, into columns of its row.
 */
export async function promptRows(prompt: PromptfooPrompt, tests: readonly TestRow[], run: RunJavaScript): Promise<PromptRows | string> {
  const plain = 'text' in prompt ? plainRound(prompt.text, tests) : undefined
  if (plain) return { template: { round: plain }, columns: tests.map(() => ({})) }
  const written: Message[][] = []
  for (const test of tests) {
    const messages = await messagesOf(prompt, test, run)
    if (typeof messages === 'string') return messages
    written.push(messages)
  }
  const [first = []] = written
  const other = written.find((messages) => messages.map(({ role }) => role).join() !== first.map(({ role }) => role).join())
  if (other) return `its messages have other roles in other tests: ${namesOf(first)} and ${namesOf(other)}`
  const nameOf = (index: number) => (first.length === 1 ? promptColumn : `${promptColumn}_${index + 1}`)
  const hasParts = written.some((messages) => messages.some(({ content }) => typeof content !== 'string'))
  return {
    template: hasParts
      ? {
          messages: first.map(({ role, content }, index) => ({
            role,
            content: typeof content === 'string' ? `{${nameOf(index)}}` : [`{${nameOf(index)}}`],
          })),
        }
      : { round: first.map(({ role }, index) => ({ ...roles[role], prompt: `{${nameOf(index)}}` })) },
    columns: written.map((messages) => Object.fromEntries(messages.map(({ content }, index) => [nameOf(index), content]))),
  }
}

function namesOf(messages: readonly Message[]): string {
  return messages.map(({ role }) => role).join(', ')
}

const variable = /\{\{-?\s*([A-Za-z_]\w*)\s*-?\}\}/g

/** The turns of a prompt that names variables and does nothing else. */
function plainRound(text: string, tests: readonly TestRow[]): object[] | undefined {
  const messages = messagesIn(text) ?? [{ role: 'user', content: text }]
  if (typeof messages === 'string' || tests.some(({ prefix, suffix }) => prefix !== '' || suffix !== '')) return undefined
  const round: object[] = []
  for (const { role, content } of messages) {
    if (typeof content !== 'string') return undefined
    const names = [...content.matchAll(variable)].map(([, name = '']) => name)
    const rest = content.replaceAll(variable, '')
    if (isTemplate(rest) || /[{}]/.test(rest) || /\{\{-|-\}\}/.test(content)) return undefined
    if (names.some((name) => tests.some(({ vars }) => !isPlain(vars, name)))) return undefined
    round.push({ ...roles[role], prompt: content.replaceAll(variable, (_, name: string) => `{${name}}`) })
  }
  return round
}

function isPlain(vars: PromptfooFields, name: string): boolean {
  if (!Object.hasOwn(vars, name)) return false
  const value = vars[name]
  return (typeof value === 'string' && !isTemplate(value)) || (typeof value === 'number' && Number.isInteger(value))
}

async function messagesOf(prompt: PromptfooPrompt, test: TestRow, run: RunJavaScript): Promise<Message[] | string> {
  const text = await sourceOf(prompt, test, run)
  if ('reason' in text) return text.reason
  const whole = `${test.prefix}${text.text}${test.suffix}`
  const json = jsonIn(whole)
  if (json !== undefined) {
    const rendered = renderedJson(json.value, test.vars)
    return 'reason' in rendered
      ? rendered.reason
      : (messagesFrom(rendered.value) ?? [{ role: 'user', content: JSON.stringify(rendered.value, null, 2) }])
  }
  const rendered = renderNunjucks(whole, test.vars)
  if ('reason' in rendered) return rendered.reason
  return messagesIn(rendered.text) ?? [{ role: 'user', content: rendered.text }]
}

async function sourceOf(prompt: PromptfooPrompt, { vars }: TestRow, run: RunJavaScript): Promise<{ text: string } | { reason: string }> {
  if ('text' in prompt) return prompt
  const result = await run(prompt.javascript, [{ vars, provider: { id: '' } }])
  if ('problem' in result) return { reason: `its function failed: ${result.problem}` }
  const { value } = result
  const written = typeof value === 'object' && value !== null && 'prompt' in value ? value.prompt : value
  if (typeof written === 'string') return { text: written }
  return written === null ? { reason: 'its function returned nothing' } : { text: JSON.stringify(written) }
}

function jsonIn(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** Every text in a JSON prompt with its templates filled. */
function renderedJson(value: unknown, vars: PromptfooFields): { value: unknown } | { reason: string } {
  if (typeof value === 'string') {
    const rendered = renderNunjucks(value, vars)
    return 'reason' in rendered ? rendered : { value: rendered.text }
  }
  if (Array.isArray(value)) {
    const items: unknown[] = []
    for (const item of value) {
      const rendered = renderedJson(item, vars)
      if ('reason' in rendered) return rendered
      items.push(rendered.value)
    }
    return { value: items }
  }
  if (typeof value !== 'object' || value === null) return { value }
  const fields: [string, unknown][] = []
  for (const [key, item] of Object.entries(value)) {
    const rendered = renderedJson(item, vars)
    if ('reason' in rendered) return rendered
    fields.push([key, rendered.value])
  }
  return { value: Object.fromEntries(fields) }
}

/** The messages that a text is, as JSON or YAML; undefined if it is a text, and a reason if it is neither. */
function messagesIn(text: string): Message[] | string | undefined {
  if (text.trim().startsWith('- role:')) return messagesFrom(yamlOf(text, 'a prompt')) ?? 'it is no list of messages'
  const json = jsonIn(text)
  return json === undefined
    ? undefined
    : (messagesFrom(json.value) ?? (Array.isArray(json.value) ? 'it is no list of messages' : undefined))
}

function messagesFrom(value: unknown): Message[] | string | undefined {
  if (!Array.isArray(value)) return undefined
  const messages: Message[] = []
  for (const message of value) {
    const { role, content } = fieldsOf(message)
    const read = contentOf(content)
    if (typeof role !== 'string' || !Object.hasOwn(roles, role) || read === undefined)
      return `a message of role "${String(role)}" is not text of the system, user or assistant`
    messages.push({ role, content: read })
  }
  return messages
}

/** Content is text, or parts that are text or the address of an image. */
function contentOf(content: unknown): Message['content'] | undefined {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return undefined
  const parts = content.map((part) => fieldsOf(part))
  const areKnown = parts.every(({ type, text, image_url: image }) =>
    type === 'text' ? typeof text === 'string' : type === 'image_url' && image,
  )
  return areKnown && parts.length > 0 ? parts : undefined
}
