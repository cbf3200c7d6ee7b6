import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { compilePrompt } from '../../../../../core/src/prompt/compile/compile-prompt.ts'
import { promptText } from '../../../../../core/src/prompt/format/prompt-text.ts'
import { loadConfig } from '../../config/load-config.ts'
import { tokenizerOf } from '../load-tokenizer.ts'

const folder = mkdtempSync(join(tmpdir(), 'rolecall-gguf-'))
afterAll(() => rmSync(folder, { recursive: true }))

const file = relative(folder, fileURLToPath(new URL('../../../../embedded-model/tiny-chat.q8_0.gguf', import.meta.url)))
const dataset = { infer_cfg: { prompt_template: { template: { round: [{ role: 'HUMAN', prompt: '{question}' }] } } } }

async function promptOf(model: object): Promise<string> {
  const path = join(folder, 'rolecall.config.json')
  writeFileSync(path, JSON.stringify({ models: [{ type: 'gguf', path: file, ...model }], datasets: [dataset] }))
  const { config } = await loadConfig(path)
  expect(tokenizerOf(config.models[0]!, folder)?.size).toBe(1536)
  return promptText(compilePrompt(config.models[0]!, dataset).render({ row: { question: '1+1=?' }, mode: 'gen' }).prompt)
}

test('a model without a format uses the chat template in its GGUF file', async () => {
  expect(await promptOf({})).toBe('<s><|im_start|>user\n1+1=?<|im_end|>\n<|im_start|>assistant\n')
})

test('an explicit format wins', async () => {
  expect(await promptOf({ format: 'plain' })).toBe('1+1=?')
  expect(await promptOf({ meta_template: { round: [{ role: 'HUMAN', begin: 'Q: ' }] } })).toBe('Q: 1+1=?')
})

test('a path that is not a GGUF file is reported before it is parsed', async () => {
  writeFileSync(join(folder, 'rows.jsonl'), '{}')
  for (const path of ['.', 'rows.jsonl']) {
    await expect(promptOf({ abbr: 'm', path })).rejects.toMatchObject({
      code: 'bad-gguf',
      where: 'm › path',
      fix: expect.stringContaining('ends in .gguf'),
    })
  }
})
