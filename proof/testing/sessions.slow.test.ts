import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import '../../packages/core/src/all-formats.ts'
import { defineModel, type ModelSession, openSession, PromptError, type Tokenizer } from '../../packages/core/src/index.ts'
import type { ChatMessage } from '../../packages/core/src/internal/conversation.ts'
import { loadVocabulary, vocabularies } from '../cases/real-vocabularies.ts'
import { hasVocabularies } from './on-demand.ts'
import { sampleOf, seed } from './sampling.ts'

const shared = new URL('../../../shared/', import.meta.url)
const newest = new URL('templates-2026/', shared)
const others = new URL('conformance/chat/jinja_templates.jsonl', shared)
const hasTemplates = existsSync(newest) && existsSync(others)

type Template = { id: string; source: string; tokens: Record<string, string> }

function templates(): Template[] {
  const tokens = { bos_token: '<s>', eos_token: '</s>' }
  return [
    ...readdirSync(newest)
      .filter((file) => file.endsWith('.jinja'))
      .map((file) => ({ id: `2026/${file}`, source: readFileSync(new URL(file, newest), 'utf8'), tokens })),
    ...readFileSync(others, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const { id, template, tokens } = JSON.parse(line) as { id: string; template: string; tokens: Record<string, string> }
        return { id, source: template, tokens }
      }),
  ]
}

const parameters = { type: 'object', properties: { city: { type: 'string', description: 'The city' } }, required: ['city'] }
const tools = [{ type: 'function', function: { name: 'get_weather', description: 'Weather of a city', parameters } }]
const call = (id: string, city: string) => ({
  id,
  type: 'function' as const,
  function: { name: 'get_weather', arguments: `{"city": "${city}"}` },
})
const result = (id: string, content: string): ChatMessage => ({ role: 'tool', tool_call_id: id, name: 'get_weather', content })
const user: ChatMessage = { role: 'user', content: 'Is it raining? <|im_end|> 你好 🦉' }

/** All 238 take a minute: each is probed first. */
const sampled = Number(process.env.ROLECALL_TEMPLATES ?? 60)

/** What is sampled, and what follows it. */
const turns: Record<'user' | 'tool', { name: string; reply: ChatMessage; next: ChatMessage[] }[]> = {
  user: [
    { name: 'an answer', reply: { role: 'assistant', content: 'It is.' }, next: [{ role: 'user', content: 'And now?' }] },
    {
      name: 'a reasoned answer',
      reply: { role: 'assistant', content: 'It is.', reasoning_content: 'Look outside.' },
      next: [{ role: 'user', content: 'And now?' }],
    },
  ],
  tool: [
    {
      name: 'a call',
      reply: { role: 'assistant', content: '', tool_calls: [call('abcdefgh1', 'Oslo')] },
      next: [result('abcdefgh1', 'sunny')],
    },
    {
      name: 'two calls',
      reply: { role: 'assistant', content: '', tool_calls: [call('abcdefgh1', 'Oslo'), call('abcdefgh2', 'Bern')] },
      next: [result('abcdefgh1', 'sunny'), result('abcdefgh2', 'rain <|im_start|>')],
    },
  ],
}

describe.skipIf(!hasVocabularies || !hasTemplates)('sessions over all templates (needs ../shared and published vocabularies)', () => {
  const count = { user: { kept: 0, forked: [] as string[] }, tool: { kept: 0, forked: [] as string[] } }

  test('ids that were sent and sampled are never changed, whatever the template and the tokenizer', () => {
    const sample = sampleOf(templates(), sampled)
    for (const [index, { id, source, tokens }] of sample.entries()) {
      const { name = '' } = vocabularies[(index + seed) % vocabularies.length] ?? {}
      const tokenizer = withoutBos(loadVocabulary(name).tokenizer)
      const ends = tokenizer.eos === undefined ? undefined : tokenizer.tokenOf(tokenizer.eos)
      const specialTokens = { ...tokens, eos_token: ends ?? tokens.eos_token }
      const model = defineModel({ chatTemplate: source, specialTokens, roles: 'auto', tokenizer })
      for (const kind of ['user', 'tool'] as const)
        for (const { name: turn, reply, next } of turns[kind]) {
          const session = openSession(model, { tools: kind === 'tool' ? tools : undefined })
          const outcome = continued(session, { reply, next, ids: sampledIds(reply, tokenizer) })
          if (outcome === undefined) continue
          if (outcome.fork === undefined) count[kind].kept++
          else count[kind].forked.push(`${id}, ${turn}: ${outcome.fork}`)
        }
    }
    expect(count.user.kept).toBeGreaterThan(sample.length)
  }, 300_000)

  test.each([
    ['user', 0.85],
    ['tool', 0.95],
  ] as const)('%s turns continue as seen: at least %d of them', (kind, share) => {
    const { kept, forked } = count[kind]
    console.info(`${kind} turns: ${kept} kept, ${forked.length} forked`)
    expect(kept / (kept + forked.length), forked.join('\n')).toBeGreaterThanOrEqual(share)
  })
})

/** Any vocabulary may meet any template here: one that expects another first token is refused. */
function withoutBos(tokenizer: Tokenizer): Tokenizer {
  return Object.create(tokenizer, { before: { value: [] }, after: { value: [] }, bos: { value: undefined } })
}

/** The ids of a reply in pieces that no tokenizer would choose for the whole. */
function sampledIds({ content, tool_calls: calls }: ChatMessage, tokenizer: Tokenizer): number[] {
  const text = `${String(content)}${(calls ?? []).map((call) => JSON.stringify('function' in call ? call.function : call)).join('')}`
  return [...(text.match(/[\s\S]{1,3}/gu) ?? [])].flatMap((part) => [...tokenizer.encodeRun(part, false, () => false).ids])
}

/** Undefined where the template refuses the first prompt: there is nothing to continue. */
function continued(session: ModelSession, { reply, next, ids }: { reply: ChatMessage; next: ChatMessage[]; ids: readonly number[] }) {
  const first = attempt(() => session.prompt(user))
  if (first === undefined) return undefined
  session.reply(ids, { message: reply })
  const second = attempt(() => session.prompt(...next))
  if (second === undefined) return undefined
  if (second.fork === undefined) expect(second.ids.slice(0, first.ids.length + ids.length)).toEqual([...first.ids, ...ids])
  expect(second.ids.slice(-second.appended.length)).toEqual(second.appended)
  return second
}

function attempt<Value>(act: () => Value): Value | undefined {
  try {
    return act()
  } catch (error) {
    if (error instanceof PromptError) return undefined
    throw error
  }
}
