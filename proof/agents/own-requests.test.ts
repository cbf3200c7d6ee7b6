import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { AgentRequest, ExpectedWord, NamedTemplate } from './agent-requests.ts'
import { judgePair, modelOf, readRequest } from './judge-pair.ts'

// The rule of the agent data set, in any clone: each text once and in order, or a reported step, on templates that take very different things.

type OwnRequest = {
  name: string
  api: AgentRequest['api']
  body: object
  order: (string | string[])[]
  tools: string[]
  never: string[]
}

const asked = '{% if add_generation_prompt %}<a>{% endif %}'
const calls =
  '{% for c in m.tool_calls or [] %}<tool_call>\n{"name": {{ c.function.name | tojson }}, "arguments": {{ c.function.arguments | tojson }}}\n</tool_call>{% endfor %}'
const declared = '{% for t in tools or [] %}{{ t | tojson }}{% endfor %}'
const refuse = (condition: string) => `{% if ${condition} %}{{ raise_exception('refused') }}{% endif %}`
const each = (body: string) => `{% for m in messages %}${body}{% endfor %}${asked}`

const templates: Readonly<Record<string, string>> = {
  'writes everything': declared + each(`<{{ m.role }} {{ m.tool_call_id }}>{{ m.content }}${calls}`),
  'writes everything but ids': declared + each(`<{{ m.role }}>{{ m.content }}${calls}`),
  'loses unknown roles':
    declared + each(`{% if m.role in ['system', 'user', 'assistant', 'tool'] %}<{{ m.role }}>{{ m.content }}${calls}{% endif %}`),
  'loses system messages after the first':
    declared + each(`{% if m.role != 'system' or loop.first %}<{{ m.role }}>{{ m.content }}${calls}{% endif %}`),
  'refuses system messages after the first':
    declared + each(`${refuse("m.role == 'system' and not loop.first")}<{{ m.role }}>{{ m.content }}${calls}`),
  'writes text or calls, one call in a turn':
    declared +
    each(
      `${refuse('m.tool_calls and m.tool_calls | length > 1')}<{{ m.role }}>{% if m.tool_calls %}${calls}{% else %}{{ m.content }}{% endif %}`,
    ),
  'wants turns, and no tools': each(
    `${refuse("m.role not in ['user', 'assistant'] or (m.role == 'user') != (loop.index0 % 2 == 0)")}<{{ m.role }}>{{ m.content }}`,
  ),
  'takes parts': each("<{{ m.role }}>{% for p in m.content %}{% if p.type == 'text' %}{{ p.text }}{% endif %}{% endfor %}"),
}

const file = new URL('../cases/agents/requests.json', import.meta.url)
const requests = JSON.parse(readFileSync(file, 'utf8')) as OwnRequest[]

function wordsOf({ order, tools, never }: OwnRequest): ExpectedWord[] {
  const word = (name: string, key: number, more: Partial<ExpectedWord> = {}): ExpectedWord => ({
    word: name,
    kind: 'text',
    order_key: key,
    may_be_dropped: false,
    ...more,
  })
  return [
    ...order.flatMap((place, index) => [place].flat().map((name) => word(name, index + 1))),
    ...tools.map((name) => word(name, -1)),
    ...never.map((name) => word(name, 0, { must_not_appear: true })),
  ]
}

describe.each(requests.map((request) => [request.name, request] as const))('%s', (_, own) => {
  const request: AgentRequest = {
    file: own.name,
    api: own.api,
    body: JSON.stringify(own.body),
    words: wordsOf(own),
    needs: [],
    isPartial: false,
  }

  test.each(Object.keys(templates))('on a template that %s: nothing is lost', (name) => {
    const template: NamedTemplate = { name, template: templates[name] ?? '', tokens: {} }
    const { outcome, why } = judgePair(request, readRequest(request), modelOf(template))
    expect({
      outcome,
      lost: why.filter((reason) => reason.includes('missing') || reason.includes('twice') || reason.includes('not appear')),
    }).toEqual({
      outcome: expect.stringMatching(/^(kept|reported)$/),
      lost: [],
    })
  })
})
