import { receiveMessageOnPort } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { triesAll } from '../../../../../proof/testing/sampling.ts'
import { compileTemplate, type JinjaTemplate, TemplateError } from '../../../../core/src/base/jinja/index.ts'
import type { InputOrigin } from '../../../../core/src/base/jinja/origins.ts'
import { dictFromEntries, type PyValue, pyFloat } from '../../../../core/src/base/python/index.ts'
import { isolatedTemplate, limitTemplateTime } from './isolated-template.ts'
import { startTemplateThread } from './start-template-thread.ts'
import { TemplateThread } from './template-thread.ts'
import { answered, asked, changed, ready, type TemplateThreadReply } from './thread-messages.ts'

const originOf = (name: string): InputOrigin => ({ by: 'message', path: name, roles: new Set(['user']) })

test('rendering in a thread gives the same values, pieces, marks, names and clock', () => {
  const source =
    "{% for m in messages %}{% generation %}<|{{ m.role }}|>{{ m.content }}{% endgeneration %}{% endfor %}{{ [number, whole, large, dict] | tojson }}{{ strftime_now('%Y') }}"
  const variables: Record<string, PyValue> = {
    messages: [{ role: 'user', content: 'Hi \ud800 <|user|>' }],
    number: pyFloat(1),
    whole: 1,
    large: 2n ** 70n,
    dict: dictFromEntries([
      ['2', pyFloat(2)],
      ['1', null],
      ['__proto__', { b: 1 }],
    ]),
  }
  const options = { clock: new Date(2024, 1, 1) }
  const here = compileTemplate(source)
  const there = isolatedTemplate(source)
  expect(there.names).toEqual(here.names)
  expect(there.render(variables, options)).toBe(here.render(variables, options))
  expect(there.render(variables, options)).toContain('[1.0, 1, 1180591620717411303424, {"2": 2.0, "1": null, "__proto__": {"b": 1}}]2024')
  expect(there.renderMarked(variables, options)).toEqual(here.renderMarked(variables, options))
  expect(there.renderPieces(variables, originOf, options)).toEqual(here.renderPieces(variables, originOf, options))
})

const errorOf = (work: () => unknown): TemplateError => {
  try {
    work()
  } catch (error) {
    if (error instanceof TemplateError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

test('errors are the same as in-process', () => {
  const compare = (source: string) => {
    const told = ({ code, type, reason, where, problem, fix, line, column, expression, message }: TemplateError) => ({
      ...{ code, type, reason, where, problem, fix, line, column, expression, message },
    })
    const of = (compile: (source: string, options: { name: string }) => JinjaTemplate) =>
      told(errorOf(() => compile(source, { name: 'a, line 3' }).render({})))
    expect(of(isolatedTemplate)).toEqual(of(compileTemplate))
  }
  compare('{% if %}')
  compare('\n {{ missing.field }}')
  compare("{{ raise_exception('no') }}")
  compare('{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}')
})

test('a render that takes too long is terminated, and the next one works', () => {
  const thread = new TemplateThread()
  const slow = '{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}'
  const limits = { steps: 1e15 }
  const template = isolatedTemplate(slow, { thread, seconds: 0.5, name: 'slow.jinja' })
  const error = errorOf(() => template.render({}, { limits }))
  expect(error).toMatchObject({ code: 'template-limit', where: 'slow.jinja, line 1, column 1' })
  expect(error.problem).toContain('exceeded 0.5 s')
  expect(isolatedTemplate('{{ a }}', { thread }).render({ a: 1 })).toBe('1')
  thread.stop()
})

test.skipIf(!triesAll)(
  'a template that takes too much memory kills its thread, not this process (CI only)',
  () => {
    const thread = new TemplateThread()
    const bomb = '{% set ns = namespace(l=[]) %}{% for a in range(99999) %}{% set ns.l = ns.l + [range(99999) | list] %}{% endfor %}'
    const before = process.memoryUsage().heapUsed
    const template = isolatedTemplate(bomb, { thread, seconds: 5 })
    expect(errorOf(() => template.render({}, { limits: { steps: 1e15 } })).code).toBe('template-limit')
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(2 ** 29)
    thread.stop()
  },
  60_000,
)

test('a value without a Python equivalent is an error, and the thread survives', () => {
  const template = isolatedTemplate('{{ a }}')
  expect(() => template.render({ a: (() => 1) as never })).toThrow('has no Python form')
  expect(template.render({ a: 'b' })).toBe('b')
})

test('a spurious wake-up is not answered, and the next question is answered once', async () => {
  const { worker, port, counts } = startTemplateThread()
  try {
    expect(changed(counts, ready, 0, 60_000)).toBe(1)
    for (let time = 0; time < 20; time++) {
      Atomics.notify(counts, asked)
      Atomics.wait(counts, answered, 0, 5)
    }
    expect(Atomics.load(counts, answered)).toBe(0)
    port.postMessage({ source: '{{ a }}', name: 'odd' })
    Atomics.add(counts, asked, 1)
    Atomics.notify(counts, asked)
    expect(changed(counts, answered, 0, 10_000)).toBe(1)
    expect((receiveMessageOnPort(port) as { message: TemplateThreadReply }).message).toEqual({ kind: 'names', names: ['a'] })
  } finally {
    port.close()
    await worker.terminate()
  }
}, 120_000)

test('the templates of a command share a budget; the error names the template and the line, and no probe takes it for an answer', () => {
  const slow = isolatedTemplate(
    "{% set text = 'ab' * 20000 %}\n{% for i in range(n) %}\n{{ text | replace('a', 'c') | length }}{% endfor %}",
    {
      name: 'slow.jinja',
    },
  )
  limitTemplateTime(0.3)
  try {
    for (let times = 0; times < 50; times++) expect(slow.render({ n: 1 })).toContain('40000')
    let error: unknown
    for (let times = 0; times < 1000 && error === undefined; times++) {
      try {
        slow.render({ n: 900 })
      } catch (thrown) {
        error = thrown
      }
    }
    expect(error).toMatchObject({ code: 'templates-too-slow', where: expect.stringMatching(/^slow\.jinja, line 3, /) })
    expect(error).not.toBeInstanceOf(TemplateError)
    limitTemplateTime(60)
    expect(slow.render({ n: 1 })).toContain('40000')
  } finally {
    limitTemplateTime(undefined)
  }
})
