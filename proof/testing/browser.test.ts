import { isBuiltin } from 'node:module'
import { fileURLToPath } from 'node:url'
import { createContext, runInContext } from 'node:vm'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'
import { sourceFiles } from '../../scripts/source-files.mjs'

// The storeys below `node` run in a browser: this test bundles them and runs them without Node.

/** The bundle as a script that defines `rolecall`, and the Node modules it imports. */
async function bundle(entry: string): Promise<{ code: string; fromNode: string[] }> {
  const fromNode: string[] = []
  const build = await rolldown({
    input: fileURLToPath(new URL(entry, import.meta.url)),
    platform: 'browser',
    resolve: {
      alias: { ...sourceFiles(), 'rolecall/files': fileURLToPath(new URL('../../packages/rolecall/src/needs-node.ts', import.meta.url)) },
    },
    plugins: [
      {
        name: 'no-node',
        resolveId(id, importer) {
          if (!isBuiltin(id)) return null
          fromNode.push(`${id} in ${importer}`)
          return { id, external: true }
        },
      },
    ],
    onLog() {},
  })
  const { output } = await build.generate({ format: 'iife', name: 'rolecall' })
  await build.close()
  return { code: output[0].code, fromNode }
}

test('the library runs with browser globals only', async () => {
  const { code, fromNode } = await bundle('../../packages/rolecall/src/index.ts')
  expect(fromNode).toEqual([])
  expect(code).not.toMatch(/["'`]node:/)

  const page = createContext({ TextEncoder, console })
  runInContext(code, page)
  const rendered = runInContext(
    `
      const metaTemplate = { round: [{ role: 'HUMAN', begin: 'USER: ', end: '\\n' }, { role: 'BOT', begin: 'BOT: ', generate: true }] }
      const config = rolecall.checkConfig({ models: [{ meta_template: metaTemplate }], datasets: [{ infer_cfg: { prompt_template: { template: '{question}' } } }] })
      const model = rolecall.defineModel({ metaTemplate: config.models[0].meta_template })
      const prompt = rolecall.renderPrompt(model, [{ role: 'user', content: '1+1=?' }])
      const { text } = rolecall.parseReply(model, '2', { prompt })
      JSON.stringify({ prompt: prompt.text, text, globals: typeof process + typeof Buffer + typeof require })
    `,
    page,
  )
  expect(JSON.parse(rendered)).toEqual({ prompt: 'USER: 1+1=?\nBOT: ', text: '2', globals: 'undefinedundefinedundefined' })
})

test('what needs files says so in a browser', async () => {
  const { code } = await bundle('../../packages/rolecall/src/needs-node.ts')
  const page = createContext({ TextEncoder })
  runInContext(code, page)
  await expect(runInContext("rolecall.loadModel('Qwen/Qwen3-8B')", page)).rejects.toMatchObject({ code: 'needs-node' })
})

test('an import of a Node module is detected', async () => {
  const { fromNode } = await bundle('../../packages/rolecall/src/node/models/load-tokenizer.ts')
  expect(fromNode.join('\n')).toMatch(/^node:\S+ in .*load-tokenizer\.ts$/m)
})
