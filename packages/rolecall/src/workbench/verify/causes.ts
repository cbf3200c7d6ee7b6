import type { Feature } from '../convert/index.ts'

/** A feature of a chat that is compared. */
export type ChatFeature = Feature | 'text-parts'

/** Why a server's prompt differs from ours, with descriptions and fixes. */
export const causes = {
  bos: {
    what: 'BOS is added by only one side, or twice',
    fix: 'let either the template (with add_bos_token: false) or the tokenizer add it',
  },
  system: {
    what: 'the system message is written differently or dropped',
    fix: "compare the start of the prompts; give the server the model's template with --chat-template",
  },
  reasoning: {
    what: 'only one side keeps the reasoning of earlier replies',
    fix: 'send the history as the model was trained: see the model’s template',
  },
  thinking: { what: 'the thinking switch or the start of the reply differs', fix: 'set it in each request: chat_template_kwargs' },
  injected: {
    what: 'text from data becomes control tokens: a user can forge turns',
    fix: 'send token ids instead of messages (as rolecall serve does), or remove control tokens from user text',
  },
  tools: {
    what: 'tools, tool calls or tool results are written differently',
    fix: 'compare with the model’s template; llama.cpp needs --jinja for tools, and rolecall serve writes what the template drops unless --roles is strict',
  },
  parts: {
    what: 'text in a list of parts is written differently',
    fix: 'send one string; `rolecall diff --parts` shows what serving stacks do with parts',
  },
  'last-answer': {
    what: 'one side continues a final assistant message, the other closes it',
    fix: 'end requests with a user message, or set continue_final_message',
  },
  date: { what: 'the date differs', fix: 'the clocks or time zones of the two machines differ' },
  'white-space': {
    what: 'only whitespace differs',
    fix: 'check for another template engine, or a template pasted with other line breaks',
  },
  'server-refuses': { what: 'the server rejects what the template accepts', fix: 'see its error message' },
  'template-refuses': {
    what: 'the server accepts what the template rejects',
    fix: 'the server rewrites messages before rendering, or has another template',
  },
  tokens: { what: 'the same text has different token ids', fix: 'the server has another tokenizer, or another version of it' },
  count: {
    what: 'the number of prompt tokens differs',
    fix: 'the server has another template or tokenizer; use a server that returns ids for details',
  },
  text: { what: 'the text differs', fix: 'the server has another template: give it the model’s' },
} as const

export type MismatchCause = keyof typeof causes

/** Both renderings of one chat. */
export type Both = {
  features: readonly ChatFeature[]
  /** Whether the request sets variables of the template. */
  hasSwitches: boolean
  /** The first system text. */
  system?: string
  /** The position of the first non-system text in our prompt. */
  firstWords: number
  ours: string
  theirs: string
}

/** Why two texts differ. A feature of the chat is the cause only if plain chats do not differ in the same way (`plain`). */
export function causeOfText(both: Both, bos: string | undefined, plain: ReadonlySet<MismatchCause>): MismatchCause {
  const { features, hasSwitches, system } = both
  const [ours, theirs] = [both.ours, both.theirs].map((text) => withoutStart(text, bos ?? '')) as [string, string]
  const firstWords = both.firstWords - (both.ours.length - ours.length)
  const has = (...names: readonly ChatFeature[]) => names.some((feature) => features.includes(feature))
  if (ours === theirs) return 'bos'
  if (withoutDates(ours) === withoutDates(theirs)) return 'date'
  if (withoutSpace(ours) === withoutSpace(theirs)) return has('text-parts') && !plain.has('white-space') ? 'parts' : 'white-space'
  if (plain.has('text')) return 'text'
  const at = commonLength(ours, theirs)
  if (system !== undefined && (at < firstWords || !theirs.includes(system))) return 'system'
  if (has('text-parts')) return 'parts'
  if (has('reasoning')) return 'reasoning'
  if (hasSwitches) return 'thinking'
  // Before the first words, something else differs.
  if (has('ends-with-answer') && at >= firstWords) return 'last-answer'
  if (has('tools', 'calls', 'tool-result')) return 'tools'
  return [ours, theirs].some((text) => /^\s*<\/?think/.test(text.slice(at))) ? 'thinking' : 'text'
}

/** Why token ids differ although the text is the same. */
export function causeOfIds(
  ours: readonly number[],
  theirs: readonly number[],
  bos: number | undefined,
  features: readonly ChatFeature[],
): MismatchCause {
  const withoutBos = (ids: readonly number[]) => ids.slice(ids.findIndex((id) => id !== bos)).join(' ')
  if (bos !== undefined && withoutBos(ours) === withoutBos(theirs)) return 'bos'
  return features.includes('markers') ? 'injected' : 'tokens'
}

function withoutStart(text: string, start: string): string {
  let rest = text
  while (start !== '' && rest.startsWith(start)) rest = rest.slice(start.length)
  return rest
}

/** Dates as templates write them. */
function withoutDates(text: string): string {
  return text.replaceAll(/\b\d{1,2} [A-Z][a-z]{2,8},? \d{4}\b|\b[A-Z][a-z]{2,8} \d{1,2},? \d{4}\b|\b\d{4}-\d{2}-\d{2}\b/g, '')
}

function withoutSpace(text: string): string {
  return text.replaceAll(/\s+/g, '')
}

export function commonLength(one: string, other: string): number {
  let at = 0
  while (at < Math.min(one.length, other.length) && one[at] === other[at]) at++
  return at
}
