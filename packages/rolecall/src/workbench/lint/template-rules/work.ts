import { assistant, call, calling, type ProbeMessage, result, tool, user } from '../probe-chats.ts'
import type { RuleMatch, TemplateRule } from '../rule.ts'
import { nodesIn } from '../template-code.ts'
import type { TemplateSubject } from '../template-subject.ts'

const loop = (inner: string) => `{% for m in messages %}${inner}<|{{ m.role }}|>{{ m.content }}{% endfor %}`

/** Conversations of any length. */
const growing: readonly { name: string; turns(count: number): ProbeMessage[]; tools?: true }[] = [
  { name: 'questions and answers', turns: (count) => repeated(count, () => [user(), assistant()]) },
  {
    name: 'tool calls',
    tools: true,
    turns: (count) => repeated(count, (index) => [user(), calling([call(index % 10)]), result('qzResult', index % 10), assistant()]),
  },
]

function repeated(count: number, round: (index: number) => ProbeMessage[]): ProbeMessage[] {
  return Array.from({ length: count }, (_, index) => round(index)).flat()
}

const sizes = [16, 32, 64] as const
/** The chat length at which the quadratic part must not dominate. */
const longChat = 500

/** Superlinear work. */
export const fastGrowth: TemplateRule = {
  id: 'fast-growth',
  severity: 'warning',
  finds: 'The work or the text grows superlinearly: a loop over all messages within the loop over messages.',
  why: 'A long chat takes seconds to render in every request, and long chats can overload a server.',
  fix: 'loop over the messages once, and keep state in a `namespace`',
  example: {
    bad: loop("{% for n in messages %}{% if n.role == 'nobody' %}!{% endif %}{% endfor %}"),
    good: loop(''),
  },
  check(subject) {
    return growing.flatMap((chat) => growthOf(subject, chat) ?? []).slice(0, 1)
  },
}

function growthOf(subject: TemplateSubject, { name, turns, tools }: (typeof growing)[number]): RuleMatch | undefined {
  const written = sizes.map((size) => subject.write({ messages: turns(size), ...(tools ? { tools: [tool] } : {}) }))
  if (written.some((one) => one === undefined)) return undefined
  const dominated = (['steps', 'length'] as const).flatMap((what) => {
    const [one, two, four] = written.map((chat) => (what === 'steps' ? chat!.steps : chat!.text.length)) as [number, number, number]
    // For a·n² + b·n + c at n, 2n and 4n.
    const square = (four - 3 * two + 2 * one) / (6 * sizes[0] ** 2)
    const line = (two - one) / sizes[0] - 3 * square * sizes[0]
    return square * longChat > Math.max(line, 0) ? [{ what, at: (count: number) => Math.round(square * count ** 2 + line * count) }] : []
  })
  const [worst] = dominated
  if (worst === undefined) return undefined
  const unit = worst.what === 'steps' ? 'steps' : 'characters'
  return {
    at: innerLoop(subject),
    problem: `${name}: ${longChat} rounds take about ${worst.at(longChat).toLocaleString('en-US')} ${unit}, twice as many take ${worst.at(2 * longChat).toLocaleString('en-US')}`,
  }
}

/** A nested loop over the messages. */
function innerLoop(subject: TemplateSubject) {
  const loops = [...nodesIn(subject.body)].filter((node) => node.kind === 'for')
  return loops.find((inner) => /messages/.test(subject.source.slice(inner.iterable.start, inner.iterable.end)) && isInside(loops, inner))
    ?.iterable
}

function isInside(loops: readonly { body: readonly { start: number; end: number }[] }[], inner: { start: number; body: unknown }): boolean {
  return loops.some((outer) => outer !== inner && outer.body.some(({ start, end }) => start <= inner.start && inner.start < end))
}
