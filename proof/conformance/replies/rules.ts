import type { ReplySyntax } from '../../../packages/rolecall/src/index.ts'
import type { familyRules } from '../rules/replies.ts'
import { type Difference, difference, type ShownReply, sameCalls, usableCalls } from './compare.ts'
import type { ExpectedCall, ReplyVector } from './vector.ts'

type RuleName = keyof typeof familyRules

/** What a rule is about, whether an input meets its condition, and whether a reply is what it promises. */
type ReplyRule = {
  field: Difference['field']
  applies(vector: ReplyVector, syntax: ReplySyntax): boolean
  promises(reply: ShownReply, vector: ReplyVector, syntax: ReplySyntax): boolean
}

/** Where Rolecall differs from the references on a family's reply. Apart from what a rule is about, a reply must be the reference's. */
const replyRules: Record<RuleName, ReplyRule> = {
  'reply-text-between-calls': {
    field: 'content',
    applies: ({ input }, syntax) => outside(input, syntax).slice(1).join('').trim() !== '',
    promises: (reply, vector, syntax) =>
      reply.text === outside(vector.input, syntax).join('') && agreesBut(reply, vector, { content: reply.text }),
  },
  'reply-thought-not-opened': {
    field: 'reasoning',
    applies: ({ input, prompt_tail }, { reasoning = [] }) =>
      reasoning.some(
        ({ open, close }) => input.includes(close) && !input.slice(0, input.indexOf(close)).includes(open) && !prompt_tail.includes(open),
      ),
    promises: (reply, { input }, syntax) =>
      reply.calls.length === 0 && [reply.text, reply.reasoning].includes('') && isAllOf(input, reply.text + reply.reasoning, syntax),
  },
  'reply-thought-not-closed': {
    field: 'reasoning',
    applies: ({ input }, { reasoning = [] }) => reasoning.some(({ open, close }) => input.includes(open) && !input.includes(close)),
    promises: (reply, { input }, { reasoning = [] }) =>
      reply.text === '' &&
      reply.calls.length === 0 &&
      reasoning.some(({ open }) => input.startsWith(open) && reply.reasoning === input.slice(open.length).trim()),
  },
  'reply-space-between-thoughts': {
    field: 'reasoning',
    applies: ({ input }, { reasoning = [] }) => reasoning.some(({ open }) => input.split(open).length > 2),
    promises: (reply, vector, { reasoning = [] }) =>
      reasoning.some(({ open, close }) => {
        const thoughts = vector.input.split(open).slice(1)
        return reply.reasoning === thoughts.map((thought) => thought.split(close)[0]!.trim()).join('')
      }) && agreesBut(reply, vector, { reasoning: reply.reasoning }),
  },
  'reply-mark-in-name': {
    field: 'calls',
    applies: ({ input }, { blocks }) =>
      blocks.some(({ open, close, tagged }) => {
        const bodies = tagged ? input.split(open.join('')).slice(1) : []
        const name = bodies[0]?.split(tagged?.nameEnd ?? '\n')[0] ?? ''
        return /\s/.test(name.trim()) || bodies.slice(0, -1).some((body) => !body.includes(close!))
      }),
    promises: (reply, vector, { blocks }) =>
      blocks.some(({ open }) => {
        const bodies = vector.input.split(open.join('')).slice(1)
        const calls = bodies.map((body): ExpectedCall => ({ name: /^[^\n<]*/.exec(body)![0].trim(), arguments: taggedValues(body) }))
        return sameCalls(usableCalls(reply), calls) && agreesBut(reply, vector, { calls })
      }),
  },
  'reply-python-quote': {
    field: 'calls',
    applies: ({ input }, { blocks }) => blocks.some(({ python }) => python) && /'[^',]*'\w/.test(input),
    promises: (reply, vector, { blocks }) =>
      blocks.some(({ open, close }) => {
        const body = vector.input.split(open.join(''))[1]?.split(close!)[0] ?? ''
        const [call] = reply.calls
        return reply.calls.length === 1 && call !== undefined && 'malformed' in call && body === `[${call.malformed}]`
      }) && agreesBut({ ...reply, calls: vector.expected.calls ?? [] }, vector, {}),
  },
  'reply-without-schema': {
    field: 'calls',
    applies: ({ tools }, { blocks }) => tools.length === 0 && blocks.some(({ tagged }) => tagged),
    promises: (reply, vector) => {
      const calls = (vector.expected.calls ?? []).map(({ name, arguments: given }) => ({ name, arguments: parsedValues(given) }))
      return sameCalls(usableCalls(reply), calls) && agreesBut(reply, vector, { calls })
    },
  },
}

/** The rule by which Rolecall differs on an input, if a reply is what it promises. */
export function deviationOf(reply: ShownReply, vector: ReplyVector, syntax: ReplySyntax, { field }: Difference): RuleName | undefined {
  return (Object.keys(replyRules) as RuleName[]).find((name) => {
    const rule = replyRules[name]
    return rule.field === field && rule.applies(vector, syntax) && rule.promises(reply, vector, syntax)
  })
}

/** Whether a reply is the reference's with these parts changed. */
function agreesBut(reply: ShownReply, vector: ReplyVector, changes: ReplyVector['expected']): boolean {
  return difference({ ...vector, expected: { ...vector.expected, ...changes } }, reply) === undefined
}

/** The stretches of an input before, between and after its blocks. */
function outside(input: string, { blocks }: ReplySyntax): string[] {
  const marked = blocks.find(({ open, close }) => close !== undefined && open.length > 0 && input.includes(open.join('')))
  if (!marked) return [input]
  const [before, ...rest] = input.split(marked.open.join(''))
  return [before!, ...rest.map((body) => body.split(marked.close!).slice(1).join(marked.close!))]
}

/** Whether a text is the whole input except for marks of the syntax and white space: nothing is lost, nothing is added. */
function isAllOf(input: string, text: string, syntax: ReplySyntax): boolean {
  const marks = textsIn(syntax)
    .filter((mark) => mark.trim().length > 2)
    .sort((one, other) => other.length - one.length)
  let at = 0
  for (let place = 0; place < input.length; ) {
    const mark = input[place] === text[at] ? undefined : marks.find((one) => input.startsWith(one, place))
    if (mark !== undefined) place += mark.length
    else if (input[place] === text[at]) {
      place++
      at++
    } else if (/\s/.test(input[place]!)) place++
    else return false
  }
  return at === text.length
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/** `<parameter=city>Dallas</parameter>` in a call's text. */
function taggedValues(body: string): Record<string, unknown> {
  return Object.fromEntries([...body.matchAll(/<parameter=([^>]+)>([\s\S]*?)<\/parameter>/g)].map(([, name, value]) => [name!, value!]))
}

function parsedValues(given: unknown): unknown {
  if (typeof given === 'object' && given !== null && !Array.isArray(given))
    return Object.fromEntries(Object.entries(given).map(([key, value]) => [key, parsedValues(value)]))
  try {
    return typeof given === 'string' ? JSON.parse(given) : given
  } catch {
    return given
  }
}
