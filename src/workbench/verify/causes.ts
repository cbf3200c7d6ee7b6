import type { Feature } from '../convert/index.ts'

/** Why a server and we do not write the same: what is said of it, and what to do. */
export const causes = {
  bos: {
    what: 'BOS is written by one and not by the other, or twice',
    fix: 'decide who writes it: the template (then add_bos_token: false), or the tokenizer',
  },
  system: {
    what: 'the system text is written in another way, or not at all',
    fix: 'compare the start of the prompts; give the server the template of the model with --chat-template',
  },
  reasoning: {
    what: 'reasoning of earlier replies is kept by one and left out by the other',
    fix: 'send the history as the model was trained with it: see the model’s own template',
  },
  thinking: { what: 'the switch for thinking, or how the reply begins, differs', fix: 'set it in each request: chat_template_kwargs' },
  injected: {
    what: 'text from data becomes control tokens: a user can forge turns',
    fix: 'send token ids in place of messages (rolecall serve does), or take control tokens out of what users write',
  },
  tools: {
    what: 'tools, calls or their results are written in another way',
    fix: 'compare with the model’s own template; llama.cpp needs --jinja for tools',
  },
  'last-answer': {
    what: 'an answer that stands last is continued by one and closed by the other',
    fix: 'end requests with a message of the user, or say what is meant: continue_final_message',
  },
  date: { what: 'another date is written', fix: 'the clocks or time zones of the two machines differ' },
  'white-space': {
    what: 'only white space differs',
    fix: 'another engine for templates, or a template that was pasted with other newlines',
  },
  'server-refuses': { what: 'the server refuses what the template writes', fix: 'see its message' },
  'template-refuses': {
    what: 'the server writes what the template refuses',
    fix: 'the server changes messages before the template sees them, or has another template',
  },
  tokens: { what: 'the same text has other ids', fix: 'the server has another tokenizer, or another version of it' },
  count: {
    what: 'the prompt has another number of tokens',
    fix: 'the server has another template or tokenizer; one that tells ids says more',
  },
  text: { what: 'the text differs', fix: 'the server has another template: give it the model’s own' },
} as const

export type Cause = keyof typeof causes

/** What both have written for one chat. */
export type Both = {
  features: readonly Feature[]
  /** Whether the request sets variables of the template. */
  hasSwitches: boolean
  /** The first system text. */
  system?: string
  /** Where the first words that are not the system's stand in our text. */
  firstWords: number
  ours: string
  theirs: string
}

/** Why two texts differ. What a chat has that others lack is the cause only where a plain chat is written alike (`isPlainSame`). */
export function causeOfText(both: Both, bos: string | undefined, isPlainSame: boolean): Cause {
  const { features, hasSwitches, system } = both
  const [ours, theirs] = [both.ours, both.theirs].map((text) => withoutStart(text, bos ?? '')) as [string, string]
  const firstWords = both.firstWords - (both.ours.length - ours.length)
  const has = (...names: readonly Feature[]) => names.some((feature) => features.includes(feature))
  if (ours === theirs) return 'bos'
  if (withoutDates(ours) === withoutDates(theirs)) return 'date'
  if (withoutSpace(ours) === withoutSpace(theirs)) return 'white-space'
  if (!isPlainSame) return 'text'
  const at = commonLength(ours, theirs)
  if (system !== undefined && (at < firstWords || !theirs.includes(system))) return 'system'
  if (has('reasoning')) return 'reasoning'
  if (hasSwitches) return 'thinking'
  if (has('ends-with-answer')) return 'last-answer'
  if (has('tools', 'calls', 'tool-result')) return 'tools'
  return [ours, theirs].some((text) => /^\s*<\/?think/.test(text.slice(at))) ? 'thinking' : 'text'
}

/** Why two lists of ids differ where the text is the same. */
export function causeOfIds(
  ours: readonly number[],
  theirs: readonly number[],
  bos: number | undefined,
  features: readonly Feature[],
): Cause {
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
