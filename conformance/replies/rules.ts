import type { Reply, ReplySyntax } from '../../src/index.ts'
import { type Difference, sameContent } from './compare.ts'
import type { ReplyVector } from './vector.ts'

export type ReplyInput = { vector: ReplyVector; syntax: ReplySyntax; reply: Reply }

/**
 * Rules for where references and Rolecall differ on a family's reply. They test the input: the reply, its prompt and tools, and
 * which fields the reference reported. `docs/replies.md` lists them as a table.
 */
export const familyRules: Record<string, { reason: string; field: Difference['field']; applies: (input: ReplyInput) => boolean }> = {
  'reply-text-between-calls': {
    field: 'content',
    reason: 'Text after the first call is dropped; it is kept.',
    applies: ({ vector: { expected, content_loose }, reply }) => {
      const first = reply.parts.findIndex(({ kind }) => kind === 'call')
      const before = reply.parts.slice(0, first).map((part) => (part.kind === 'text' ? part.text : ''))
      const hasMore = reply.parts.slice(first).some((part) => part.kind === 'text' && part.text.trim() !== '')
      return first >= 0 && hasMore && sameContent(before.join(''), expected.content ?? '', content_loose === true)
    },
  },
  'reply-thoughts-not-told': {
    field: 'reasoning',
    reason: 'A parser of calls alone was run: neither text nor thoughts are told.',
    applies: ({ vector: { expected } }) => typeof expected.content !== 'string' && !expected.reasoning,
  },
  'reply-thought-not-opened': {
    field: 'reasoning',
    reason: 'Without the prompt that opened it, a thought can be told from text only when it ends; a stream has told it as text by then.',
    applies: ({ vector: { input, prompt_tail }, syntax: { reasoning = [] } }) =>
      reasoning.some(
        ({ open, close }) => input.includes(close) && !input.slice(0, input.indexOf(close)).includes(open) && !prompt_tail.includes(open),
      ),
  },
  'reply-thought-not-closed': {
    field: 'reasoning',
    reason: 'A thought that never closes is handed over as the answer; it is a thought.',
    applies: ({ vector: { input }, syntax: { reasoning = [] } }) =>
      reasoning.some(({ open, close }) => input.includes(open) && !input.includes(close)),
  },
  'reply-space-between-thoughts': {
    field: 'reasoning',
    reason: 'White space beside the marks of a thought is part of it; it belongs to the marks.',
    applies: ({ vector: { input }, syntax: { reasoning = [] } }) => reasoning.some(({ open }) => input.split(open).length > 2),
  },
  'reply-mark-in-name': {
    field: 'calls',
    reason: 'A mark or a line break that stands where the name should end becomes part of the name.',
    applies: ({ vector: { input }, syntax: { blocks } }) =>
      blocks.some(({ open, close, tagged }) => {
        const bodies = tagged ? input.split(open.join('')).slice(1) : []
        const name = bodies[0]?.split(tagged?.nameEnd ?? '\n')[0] ?? ''
        return /\s/.test(name.trim()) || bodies.slice(0, -1).some((body) => !body.includes(close!))
      }),
  },
  'reply-python-quote': {
    field: 'calls',
    reason: 'A quote inside a Python string that is not escaped is guessed to be part of it; such a call is malformed.',
    applies: ({ vector: { input }, syntax: { blocks } }) => blocks.some(({ python }) => python) && /'[^',]*'\w/.test(input),
  },
  'reply-without-schema': {
    field: 'calls',
    reason: 'Without a schema every value is a text; it is JSON where it parses.',
    applies: ({ vector: { tools }, syntax: { blocks } }) => tools.length === 0 && blocks.some(({ tagged }) => tagged),
  },
}

/** The rule by which Rolecall differs on an input, if any. */
export function deviationOf(input: ReplyInput, { field }: Difference): string | undefined {
  return Object.entries(familyRules).find(([, rule]) => rule.field === field && rule.applies(input))?.[0]
}
