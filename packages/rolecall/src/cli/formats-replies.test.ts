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
