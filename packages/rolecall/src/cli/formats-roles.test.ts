import { expect, test } from 'vitest'
import { folderWith } from '../../../../proof/testing/folder-with.ts'
import { rolecall } from '../../../../proof/testing/rolecall.ts'

const template = "{% for m in messages if m.role != 'developer' %}<@{{ m.role }}@>{{ m.content }}{% endfor %}"

test('formats --roles shows what a template does with a role at a place, and what roles: auto does about it', async () => {
  const folder = folderWith({ 'template.jinja': template })
  const { stdout } = await rolecall(['formats', 'template.jinja', '--roles', '--json'], folder)
  expect(JSON.parse(stdout).templates[0]).toMatchObject({
    tools: false,
    rows: expect.arrayContaining([
      { group: 'developer', what: 'first', template: 'left-out', auto: ['developer-as-system'] },
      { group: 'system', what: 'after an answer', template: 'written', auto: [] },
      { group: 'tools', what: 'parallel calls', template: 'left-out', auto: expect.arrayContaining(['tools-folded']) },
    ]),
  })
  const shown = await rolecall(['formats', 'template.jinja', '--roles'], folder)
  expect(shown.stdout).toMatch(/developer +first +left out +developer-as-system/)
  expect((await rolecall(['formats', 'chatml', '--roles'], folder)).code).toBe(2)
})

test('formats --roles takes a folder, says which places a template refuses, and which contents it takes', async () => {
  const alternates =
    "{% for m in messages %}{% if m.role == 'system' and not loop.first %}{{ raise_exception('late') }}{% endif %}<@{{ m.role }}@>{{ m.content }}{% endfor %}"
  const folder = folderWith({ 'hf/tokenizer_config.json': JSON.stringify({ chat_template: alternates }) })
  const { stdout } = await rolecall(['list', 'formats', 'hf', '--roles', '--json'], folder)
  const [shown] = JSON.parse(stdout).templates
  expect(shown).toMatchObject({
    takesStrings: expect.stringContaining('user'),
    takesParts: '',
    media: '',
    rows: expect.arrayContaining([
      { group: 'system', what: 'first', template: 'written', auto: [] },
      { group: 'system', what: 'after an answer', template: 'refused', auto: ['role-folded'] },
      { group: 'fields', what: 'the name of a user', template: 'left-out', auto: ['name-left-out'] },
    ]),
  })
  expect((await rolecall(['list', 'formats', 'hf', '--roles'], folder)).stdout).toMatch(/system +after an answer +refused +role-folded/)
})
