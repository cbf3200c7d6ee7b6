import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { decodeTokens } from '../../packages/core/src/internal/tokenizer.ts'
import { loadEmbedded } from '../../packages/rolecall/src/node/models/load-embedded.ts'
import { serve } from '../../packages/rolecall/src/serve.ts'
import { programTimeout, succeeds } from './run-program.ts'

const program = fileURLToPath(new URL('../../examples/rollouts.py', import.meta.url))
const hasPython = succeeds('python3', '--version')

test.skipIf(!hasPython)('rollouts in plain Python give rows whose trained ids were all sampled (needs python3)', async () => {
  const models = [{ type: 'embedded', format: 'internlm2' }]
  const renderer = await serve({ models, renderOnly: true })
  const engine = await serve({ models })
  try {
    const { stdout, stderr } = await promisify(execFile)('python3', [program, renderer.url, engine.url], { timeout: programTimeout })
    expect(stderr).toBe('')
    const rows = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { input_ids: number[]; labels: number[] })
    expect(rows).toHaveLength(2)
    const { tokenizer } = await loadEmbedded()
    for (const { input_ids: ids, labels } of rows) {
      expect(labels).toHaveLength(ids.length)
      const trained = labels.filter((label) => label !== -100)
      const text = tokenizer === undefined ? '' : decodeTokens(trained, tokenizer)
      // The call and the answer, each with the token that ended it, and nothing of the prompt.
      expect(trained.filter((id) => id === tokenizer?.idOf('<|im_end|>'))).toHaveLength(2)
      expect(text).toContain('get_current_weather')
      expect(text).not.toContain('<|im_start|>')
    }
  } finally {
    await Promise.all([renderer.close(), engine.close()])
  }
})
