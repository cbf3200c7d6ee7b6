import { expect, test } from 'vitest'
import { compilePrompt } from '../../../../rolecall/src/datasets.ts'
import { promptText } from '../../../../rolecall/src/formats.ts'

const round = (answer: string) => ({
  round: [
    { role: 'HUMAN', prompt: '{q}' },
    { role: 'BOT', prompt: answer },
  ],
})
const meta_template = {
  round: [
    { role: 'HUMAN', begin: 'H:', end: ';' },
    { role: 'BOT', begin: 'B:', end: ';', generate: true },
  ],
}

/** What docs/templates.md says about separators. */
function prompt(template: object, separators: object = {}): string {
  const infer_cfg = {
    ice_template: { template },
    prompt_template: { template: { begin: ['</E>'], ...round('yes') }, ice_token: '</E>' },
    retriever: { type: 'FixKRetriever', fix_id_list: [0, 1], ...separators },
  }
  const maker = compilePrompt({ meta_template }, { reader_cfg: { output_column: 'a' }, infer_cfg } as never)
  const examples = [
    { q: '1', a: 'A' },
    { q: '2', a: 'B' },
  ]
  return promptText(maker.render({ row: { q: '3', a: 'A' }, examples, mode: 'gen' }).prompt)
}

test('examples that are dialogues have no separators; those of a map of labels to dialogues have them, unless they are set to nothing', () => {
  const labels = { A: round('yes'), B: round('no') }
  expect(prompt(round('yes'))).toBe('H:1;B:yes;H:2;B:yes;H:3;B:')
  expect(prompt(labels)).toBe('H:1;B:yes;\nH:2;B:no;\n\nH:3;B:')
  expect(prompt(labels, { ice_separator: '', ice_eos_token: '' })).toBe('H:1;B:yes;H:2;B:no;H:3;B:')
})
