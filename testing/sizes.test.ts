import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'

// The minified bundle of a page that uses one function of the library. The budgets are slightly above the measured sizes, so that a
// dependency in the wrong place is noticed.

type Budget = { what: string; from: string; names: string; kilobytes: number; gzipped: number }

const budgets: readonly Budget[] = [
  // `rolecall` itself: without evaluators, dataset loaders, runs and importing.
  { what: 'all of the root', from: 'index', names: '*', kilobytes: 885, gzipped: 284 },
  { what: 'prompts in any format', from: 'index', names: 'compilePrompt', kilobytes: 350, gzipped: 113 },
  {
    what: 'prompts in a meta template',
    from: 'formats',
    names: 'compilePromptIn, metaTemplateFormat',
    kilobytes: 130,
    gzipped: 43,
  },
  {
    what: 'prompts in a chat template',
    from: 'formats',
    names: 'compilePromptIn, chatTemplateFormat',
    kilobytes: 250,
    gzipped: 83,
  },
  { what: 'the Jinja engine', from: 'jinja', names: 'Template', kilobytes: 125, gzipped: 43 },
  { what: 'replies of known families', from: 'replies', names: 'parseReply', kilobytes: 142, gzipped: 46 },
  {
    what: 'tokenizers',
    from: 'tokenizers',
    names: 'tokenize, readHuggingFaceTokenizer, readSentencePiece',
    kilobytes: 68,
    gzipped: 23,
  },
  { what: 'core metrics and statistics', from: 'scores', names: '*', kilobytes: 150, gzipped: 53 },
]

test.for(budgets)('$what: no more than $kilobytes kB, $gzipped kB gzipped', async ({ from, names, kilobytes, gzipped }) => {
  const code = await bundleOf(from, names)
  expect(code.length / 1000, 'kB').toBeLessThan(kilobytes)
  expect(gzipSync(code).length / 1000, 'kB gzipped').toBeLessThan(gzipped)
})

/** The code loaded eagerly for these names; dynamic imports are excluded. */
async function bundleOf(from: string, names: string): Promise<string> {
  const source = fileURLToPath(new URL(`../src/${from}.ts`, import.meta.url))
  const page = fileURLToPath(new URL('../src/page.ts', import.meta.url))
  const build = await rolldown({
    input: 'page',
    platform: 'browser',
    plugins: [
      {
        name: 'page',
        resolveId: (id) => (id === 'page' ? page : null),
        load: (id) => (id === page ? `export ${names === '*' ? names : `{ ${names} }`} from ${JSON.stringify(source)}` : null),
      },
    ],
    onLog() {},
  })
  const { output } = await build.generate({ format: 'esm', minify: true })
  await build.close()
  const chunks = new Map(output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file] as const] : [])))
  const needed = new Set<string>()
  const open = [output[0].fileName]
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (needed.has(name)) continue
    needed.add(name)
    open.push(...(chunks.get(name)?.imports ?? []).filter((other) => chunks.has(other)))
  }
  return [...needed].map((name) => chunks.get(name)!.code).join('\n')
}
