import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith } from '../../../../proof/testing/folder-with.ts'
import { rolecall } from '../../../../proof/testing/rolecall.ts'

const call = '<call>{"tool": "{{ c.function.name }}", "input": {{ c.function.arguments | tojson }}}</call>'
const template = `{% if tools %}{{ tools | tojson }}{% endif %}{% for m in messages %}<@{{ m.role }}@>{{ m.content }}{% for c in m.tool_calls or [] %}${call}{% endfor %}<@end@>{% endfor %}{% if add_generation_prompt %}<@assistant@>{% endif %}`

test('formats FILE shows how reasoning of earlier turns is handled, and which setting keeps it', async () => {
  const thinking = template.replace(
    '{{ m.content }}',
    '{% if m.reasoning and (loop.last or keep is true) %}<think>{{ m.reasoning }}</think>{% endif %}{{ m.content }}',
  )
  const { stdout } = await rolecall(['formats', 'template.jinja', '--json'], folderWith({ 'template.jinja': thinking }))
  expect(JSON.parse(stdout).templates[0]).toMatchObject({ earlierReasoning: 'drops', earlierReasoningKeptBy: '{"keep":true}' })
})

test('formats FILE shows the reply syntax, how it was found, and a call as the template renders it', async () => {
  const folder = folderWith({ 'template.jinja': template })
  const { stdout } = await rolecall(['formats', 'template.jinja', '--json'], folder)
  expect(JSON.parse(stdout).templates[0]).toMatchObject({
    repliesKnown: 'derived',
    repliesProven: true,
    calls: '<call>…</call>',
    exampleCall: expect.stringContaining('<call>{"tool": "qzAlpha"'),
  })
})

test("formats FILE says what a model's own response template reads, and that a response_schema is not read", async () => {
  const fields = {
    content: { close: '<@end@>' },
    tool_calls: {
      open: '<call>',
      close: '</call>',
      content: 'json',
      repeats: true,
      transform: { function: { name: '{content.tool}', arguments: '{content.input}' } },
    },
  }
  const folder = folderWith({})
  const shown = async (config: object) => {
    writeFileSync(join(folder, 'tokenizer_config.json'), JSON.stringify({ chat_template: template, ...config }))
    const { stdout } = await rolecall(['formats', 'tokenizer_config.json', '--json'], folder)
    return JSON.parse(stdout)
  }
  const right = await shown({ response_template: { start_anchor: '<@assistant@>', fields } })
  expect(right.templates[0]).toMatchObject({ replies: 'response_template', repliesKnown: 'response-template' })
  expect(right.templates[0].responseTemplate).toMatch(/^reads (\d+) of \1 replies as the derived syntax does$/)
  const wrong = await shown({ response_template: { start_anchor: '<@assistant@>', fields: { content: fields.content } } })
  expect(wrong.templates[0].responseTemplate).toContain('a call')
  const bad = await shown({ response_template: { fields } })
  expect(bad.templates[0]).toMatchObject({ replies: 'derived', repliesKnown: 'derived' })
  expect(bad.notes).toMatchObject([{ code: 'response-template' }])
  expect(bad.templates[0].responseTemplate).toContain('refused: response_template: has neither')
  const old = await shown({ response_schema: { type: 'object' } })
  expect(old.notes).toMatchObject([{ code: 'response-schema' }])
  expect(old.templates[0]).toMatchObject({ responseSchema: expect.stringContaining('not read') })
})
