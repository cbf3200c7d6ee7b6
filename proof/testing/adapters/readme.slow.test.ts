import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blocksOf } from '../../../docs/page.ts'
import { vocabularyFile } from '../on-demand.ts'
import { programTimeout } from '../run-program.ts'
import { consumer, missingPeers, runThere } from './consumer.ts'

// The examples of packages/adapters/README.md, in a project that has our built packages and the real ones: they print what the page says.

const root = fileURLToPath(new URL('../../../', import.meta.url))
const missing = missingPeers('ai', '@langchain/core', 'node-llama-cpp', '@huggingface/transformers', 'zod')
const lacksVocabulary = vocabularyFile('qwen3', 'tokenizer.json') === undefined
if (missing.length > 0)
  console.warn(`skipped: adapters beside ${missing.join(', ')}; scripts/install-peers.sh .cache/peers --clients installs them`)

const blocks = blocksOf({ text: readFileSync(join(root, 'packages/adapters/README.md'), 'utf8') })
const examples = blocks.flatMap(({ language, code }, index) => (language === 'ts' ? [{ code, expected: blocks[index + 1]?.code }] : []))
const exampleOf = (name: string) =>
  examples.find(({ code }) => code.includes(`@rolecall/adapters/${name}'`)) ?? { code: '', expected: undefined }

describe.skipIf(missing.length > 0)(
  `the examples of packages/adapters${missing.length > 0 ? `: missing ${missing.join(', ')}` : ''}`,
  () => {
    let folder = ''
    beforeAll(async () => {
      folder = await consumer()
      copyFileSync(join(root, 'packages/rolecall/embedded-model/tiny-chat.q8_0.gguf'), join(folder, 'model.gguf'))
    })
    afterAll(() => rmSync(folder, { recursive: true, force: true }))

    test('each has at most 20 lines', () => {
      expect(examples).toHaveLength(5)
      for (const { code } of examples) expect(code.trimEnd().split('\n').length).toBeLessThanOrEqual(20)
      expect(exampleOf('ai-sdk').code.trimEnd().split('\n').length).toBeLessThanOrEqual(10)
      expect(exampleOf('vitest').code.trimEnd().split('\n').length).toBeLessThanOrEqual(8)
    })

    test.each(['ai-sdk', 'langchain', 'node-llama-cpp'])('%s', async (name) => {
      const { code, expected } = exampleOf(name)
      expect(await runThere(folder, code)).toBe(expected)
    })

    test.skipIf(lacksVocabulary)('transformers, with its tokenizer of Qwen 3', async () => {
      standInForDownload(folder)
      const { code, expected } = exampleOf('transformers')
      expect(await runThere(folder, code)).toBe(expected)
    })

    test('vitest', async () => {
      const { code, expected } = exampleOf('vitest')
      const file = join(folder, 'prompt.test.ts')
      writeFileSync(file, code)
      const flags = ['node_modules/vitest/vitest.mjs', 'run', '--root', folder]
      const { CI: _, ...env } = process.env
      const { stdout } = await promisify(execFile)(process.execPath, flags, { cwd: folder, env, timeout: programTimeout })
      expect(stdout).toMatch(/1 passed/)
      const [, written = ''] = /toMatchInlineSnapshot\(`\n([\s\S]*?)\n\s*`\)/.exec(readFileSync(file, 'utf8')) ?? []
      expect(`${written.replace(/^ {4}/gm, '')}\n`).toBe(expected)
    })
  },
)

/** A package beside the real one whose tokenizers are files of this machine: tests download nothing. */
function standInForDownload(folder: string): void {
  const [json, config] = [vocabularyFile('qwen3', 'tokenizer.json'), vocabularyFile('qwen3', 'tokenizer_config.json')]
  const own = join(folder, 'node_modules/@huggingface/transformers')
  const real = join(process.env.ROLECALL_PEERS ?? root, 'node_modules/@huggingface/transformers/dist/transformers.web.js')
  rmSync(own)
  mkdirSync(own)
  writeFileSync(join(own, 'package.json'), '{ "name": "@huggingface/transformers", "type": "module", "exports": "./index.js" }')
  // Its build for browsers takes a runtime that is already there: no network runs here, so tensors are enough.
  writeFileSync(join(own, 'tensors.js'), `import * as ort from 'onnxruntime-common'\nglobalThis[Symbol.for('onnxruntime')] = { ...ort }\n`)
  writeFileSync(
    join(own, 'index.js'),
    `import { readFileSync } from 'node:fs'
import './tensors.js'
import { PreTrainedTokenizer } from ${JSON.stringify(real)}
export * from ${JSON.stringify(real)}
const read = (file) => JSON.parse(readFileSync(file, 'utf8'))
export const AutoTokenizer = { from_pretrained: async () => new PreTrainedTokenizer(read(${JSON.stringify(json)}), read(${JSON.stringify(config)})) }
`,
  )
}
