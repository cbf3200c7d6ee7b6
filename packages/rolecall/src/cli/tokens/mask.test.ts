import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runCommand } from '../../../../../docs/run-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'rolecall-mask-'))
afterAll(() => rmSync(folder, { recursive: true }))
const template = {
  round: [
    { role: 'HUMAN', prompt: '{question}' },
    { role: 'BOT', prompt: '{answer}' },
  ],
}
const config = {
  models: [
    { abbr: 'tiny', type: 'embedded', format: 'internlm2' },
    {
      abbr: 'thinks',
      type: 'embedded',
      chat_template:
        '{% for m in messages %}<|{{ m.role }}|>{{ m.content }}<|end|>{% endfor %}{% if add_generation_prompt %}<|assistant|><think>{% endif %}',
    },
    { abbr: 'api', type: 'openai', path: 'm', base_url: 'http://127.0.0.1:9/v1', format: 'messages' },
  ],
  datasets: [
    {
      abbr: 'sums',
      rows: [{ question: '1+1=?', answer: '2' }],
      reader_cfg: { input_columns: ['question'], output_column: 'answer' },
      infer_cfg: { prompt_template: { template }, inferencer: { type: 'GenInferencer' } },
    },
  ],
}
writeFileSync(join(folder, 'rolecall.config.json'), JSON.stringify(config))

test('a mask shows the tokens the model generates, or why they are unknown', async () => {
  const [tiny, thinks, api] = JSON.parse(await runCommand(['tokens', '--mask', '--json'], folder))
  const trained = tiny.tokens.filter((_: unknown, index: number) => tiny.mask[index] === 1)
  expect(trained.map(({ text }: { text: string }) => text)).toEqual(['2', '<|im_end|>'])
  expect(tiny.mask).toHaveLength(tiny.ids.length)
  expect(thinks).toMatchObject({ mask: null, undecided: expect.stringContaining('<think>') })
  expect(api.ids).toBeNull()
  const shown = await runCommand(['tokens', '--mask'], folder)
  expect(shown).toMatch(/2\[\d+\*\]⟦<\|im_end\|>⟧\[\d+\*\]⏎\[\d+\]/)
  expect(shown).toMatch(/2 trained \(their ids have a \*\), \d+ not/)
  expect(shown).toMatch(/which tokens are trained cannot be said: the generation prompt has "<think>"/)
})
