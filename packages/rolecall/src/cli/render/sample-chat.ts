import type { Format } from '@rolecall/core/internal/format'
import { type FoundSyntax, findSyntax } from '@rolecall/core/internal/reply'
import type { DatasetConfig } from '../../evaluation/config/config-schema.ts'
import { chatDataset } from '../../node/config/recognise.ts'

const weather = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'The weather in a city.',
    parameters: { type: 'object', properties: { city: { type: 'string', description: 'The city.' } }, required: ['city'] },
  },
}

const call = { id: 'call00001', type: 'function', function: { name: 'get_weather', arguments: { city: 'Paris' } } }

/** A chat, and what it shows, for the note if a template fails on it. */
type Sample = { shows: string; dataset: DatasetConfig }

/**
 * Short chats that show what a format does with system text and, where it can write them, with reasoning, a tool, a call and its result; the
 * fullest first, since some templates fail on the others.
 */
export function sampleChats(format: Format): [Sample, ...Sample[]] {
  const reasons = findSyntax(format).history !== undefined
  const { system: place } = format.traits
  // A format with a slot has a system text for it, which is shown.
  const omitsSystem = place === 'slot' || (typeof place === 'object' && !place.folds)
  const system = omitsSystem ? [] : [{ role: 'system', content: 'You are a helpful assistant.' }]
  const thought = (reasoning: string) => (reasons ? { reasoning_content: reasoning } : {})
  const sample = (shows: string, messages: readonly unknown[], tools: readonly unknown[] = []): Sample => ({
    shows,
    dataset: chatDataset({ messages, ...(tools.length > 0 ? { tools } : {}) }, 'sample chat'),
  })
  const asked = { role: 'user', content: 'How is the weather in Paris?' }
  const called = { role: 'assistant', ...thought('I need the weather.'), content: '', tool_calls: [call] }
  const result = { role: 'tool', name: 'get_weather', tool_call_id: call.id, content: '{"temperature": 18}' }
  const sum = { role: 'user', content: 'What is 2+2?' }
  const answer = { role: 'assistant', ...thought('Two and two make four.'), content: '4' }
  const withTools = [sample('a tool call', [...system, asked, called, result], [weather]), sample('a tool', [...system, asked], [weather])]
  return [...(format.traits.tools ? withTools : []), sample('a chat', [...system, sum, answer, { role: 'user', content: 'And 3+3?' }])] as [
    Sample,
  ]
}

/** What a format does to system text, tools and reasoning: a line each. */
export function formatFacts(format: Format, named: Parameters<typeof findSyntax>[1]): string[] {
  const { traits } = format
  const { syntax, how } = findSyntax(format, named)
  return [
    `system text: ${systemFact(traits.system)}`,
    `tools: ${traits.tools ? 'described to the model' : 'cannot be described to the model'}`,
    `reasoning: ${reasoningFact(findSyntax(format))}`,
    ...(how === 'response-template'
      ? ["replies: read by the model's own response template"]
      : how === 'told'
        ? [`replies: read as those of ${syntax.name}`]
        : []),
  ]
}

function systemFact(system: Format['traits']['system'] = 'turn'): string {
  if (typeof system !== 'string') {
    const fate = system.verb === 'rejects' ? 'rejected' : 'left out'
    return `${fate} by the template; ${system.folds ? 'it is put' : 'system_policy: fold puts it'} before the first user text`
  }
  return { turn: 'a turn like the others', slot: 'written before the first turn, instead of the default', none: 'has no place' }[system]
}

function reasoningFact({ syntax, history }: FoundSyntax): string {
  const marks = (syntax.reasoning ?? []).map(({ open, close }) => `${open}…${close}`)
  if (history === undefined)
    return marks.length === 0 ? 'not written' : `not written; ${marks.join(' or ')} in replies is read as reasoning`
  return `${marks.join(' or ')}; ${historyFacts[history]}`
}

const historyFacts = {
  keeps: 'earlier turns keep theirs',
  'drops-before-last-user': 'earlier turns lose theirs once the user speaks again',
  drops: 'earlier turns lose theirs',
} as const
