import { PromptError } from '../../../base/errors/prompt-error.ts'
import { type ChatInput, type JinjaTemplate, renderChat } from '../../../base/jinja/index.ts'
import type { PyValue } from '../../../base/python/index.ts'

/**
 * What a template does with the thoughts of earlier turns:
 *
 * - `keeps`: they are part of every later prompt.
 * - `drops-before-last-user`: they are kept while the model works on the same question, with tools, and dropped once the user speaks again.
 * - `drops`: they are never part of a later prompt.
 */
export type EarlierThoughts = {
  fate: 'keeps' | 'drops-before-last-user' | 'drops'
  /** Variables that make it keep all of them, if there are any. */
  keptBy?: Readonly<Record<string, PyValue>>
}

type Variables = Pick<ChatInput, 'tokens' | 'kwargs'>

/** Determines it by rendering chats with reasoning; undefined if the template accepts none of them. */
export function earlierThoughts(template: JinjaTemplate, { tokens = {}, kwargs = {} }: Variables): EarlierThoughts | undefined {
  const render = (input: ChatInput, more: Readonly<Record<string, PyValue>> = {}): string | undefined => {
    try {
      return renderChat(template, { tokens, ...input, kwargs: { ...kwargs, ...more } }, { clock }).text
    } catch (error) {
      if (error instanceof PromptError) return undefined
      throw error
    }
  }
  const later = (more?: Readonly<Record<string, PyValue>>) => render({ messages: asksAgain, addGenerationPrompt: true }, more)
  const earlier = later()
  if (earlier?.includes(thought)) return { fate: 'keeps' }
  const working =
    render({ messages: goesOn, tools: [tool], addGenerationPrompt: true }) ?? render({ messages: goesOn, addGenerationPrompt: true })
  if (earlier === undefined && working === undefined) return undefined
  const fate = working?.includes(thought) ? 'drops-before-last-user' : 'drops'
  const asked = render({ messages: asks, addGenerationPrompt: true })
  const settings = template.names
    .filter((name) => !given.has(name) && !Object.hasOwn(tokens, name))
    .flatMap((name) => [{ [name]: true }, { [name]: false }])
    .filter((setting) => later(setting)?.includes(thought))
  // One that changes nothing else, if there is one.
  const keptBy = settings.find((setting) => render({ messages: asks, addGenerationPrompt: true }, setting) === asked) ?? settings[0]
  return { fate, ...(keptBy === undefined ? {} : { keptBy }) }
}

/** The message field from which a template reads reasoning; `reasoning_content` if it shows none. */
export function thoughtFieldOf(template: JinjaTemplate, { tokens = {}, kwargs = {} }: Variables): ThoughtField {
  const shows = (messages: readonly PyValue[], tools: readonly PyValue[] | null): boolean => {
    try {
      return renderChat(template, { messages, tools, tokens, kwargs }, { clock }).text.includes(thought)
    } catch (error) {
      if (error instanceof PromptError) return false
      throw error
    }
  }
  const answers = (field: ThoughtField) => [...asks, { role: 'assistant', content: 'qzText', [field]: thought }]
  const calls = (field: ThoughtField) => [...asks, { role: 'assistant', content: '', [field]: thought, tool_calls: [call] }, result]
  return thoughtFields.find((field) => shows(answers(field), null) || shows(calls(field), [tool])) ?? 'reasoning_content'
}

/** The fields in which messages carry thoughts. */
export const thoughtFields = ['reasoning_content', 'reasoning', 'thinking'] as const

type ThoughtField = (typeof thoughtFields)[number]

const thought = 'qzThought'
const thinks = Object.fromEntries(thoughtFields.map((field) => [field, thought]))
const asks = [{ role: 'user', content: 'qzQuestion' }]
const asksAgain = [...asks, { role: 'assistant', content: 'qzText', ...thinks }, { role: 'user', content: 'qzNext' }]
const tool = {
  type: 'function',
  function: { name: 'qzTool', description: 'qz', parameters: { type: 'object', properties: { qzKey: { type: 'string' } } } },
}
const call = { id: 'qzcallid0', type: 'function', function: { name: 'qzTool', arguments: { qzKey: 'qzValue' } } }
const result = { role: 'tool', name: 'qzTool', tool_call_id: 'qzcallid0', content: 'qzResult' }
const goesOn: readonly PyValue[] = [...asks, { role: 'assistant', content: '', ...thinks, tool_calls: [call] }, result]
const clock = new Date(2024, 6, 26)

/** Names that are always defined, or that are not switches. */
const given = new Set([
  ...['messages', 'tools', 'documents', 'add_generation_prompt', 'raise_exception', 'strftime_now', 'namespace', 'range', 'dict'],
  ...['cycler', 'joiner', 'lipsum'],
])
