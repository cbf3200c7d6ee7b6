import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { entryPoints } from '../../scripts/entry-points.ts'
import { bundleOf, entryPointSizes } from './bundle-sizes.ts'

const budgets = entryPointSizes.flatMap(({ entry, sizes }) => (sizes === 'Node' ? [] : sizes.map((size) => ({ entry, ...size }))))

test('every entry point has its sizes', () => {
  expect(entryPointSizes.map(({ entry }) => entry).sort()).toEqual(Object.keys(entryPoints).sort())
})

test.for(budgets)('$names of $entry: at most $kilobytes kB, $gzipped kB gzipped', async ({ entry, names, kilobytes, gzipped }) => {
  const code = await bundleOf(entry, names)
  expect(code.length / 1000, 'kB').toBeLessThan(kilobytes)
  expect(gzipSync(code).length / 1000, 'kB gzipped').toBeLessThan(gzipped)
})

async function modelsOf(imported: readonly string[] = []): Promise<Pick<typeof import('@rolecall/core'), 'defineModel' | 'renderPrompt'>> {
  const code = await bundleOf('rolecall', 'defineModel, renderPrompt', imported)
  return await import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`)
}

test('a page without all-formats renders chat templates and meta templates, and what it lacks is an error that names the import', async () => {
  const { defineModel, renderPrompt } = await modelsOf()
  const hi = [{ role: 'user', content: 'Hi' }]
  expect(renderPrompt(defineModel('chatml'), hi).text).toBe('<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n')
  expect(renderPrompt(defineModel({ chatTemplate: '{{ messages[0].content }}' }), hi).text).toBe('Hi')
  const chatTemplate = '{{ messages[0].content }}'
  for (const definition of [
    'internlm2',
    'vicuna_v1.1',
    { convTemplate: 'vicuna_v1.1' },
    { mlcConfig: {} },
    { ollamaTemplate: '{{ .Prompt }}' },
    { chatTemplate, roles: 'auto' },
    { chatTemplate, parts: 'vllm' },
  ] as const) {
    const attempt = () => defineModel(definition)
    expect(attempt, JSON.stringify(definition)).toThrow(expect.objectContaining({ code: 'format-not-loaded' }))
    expect(attempt).toThrow("mport '@rolecall/core/all-formats' (or 'rolecall/all-formats')")
  }
})

test('a page with all-formats has them', async () => {
  const { defineModel, renderPrompt } = await modelsOf(['rolecall/all-formats'])
  for (const definition of ['internlm2', { convTemplate: 'vicuna_v1.1' }, { ollamaTemplate: '{{ .Prompt }}' }] as const)
    expect(renderPrompt(defineModel(definition), [{ role: 'user', content: 'Hi' }]).text).toContain('Hi')
})
