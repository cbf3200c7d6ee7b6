import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

/** What a page bundles of an entry point, and the most that it may be. Kilobytes are minified. */
export type BundleSize = { names: string; kilobytes: number; gzipped: number }

type EntryPoint = { entry: string; what: string; sizes: readonly BundleSize[] | 'Node' }

/**
 * The entry points with their size budgets: one to two percent above the measured sizes, so that a dependency in the wrong place is noticed.
 * `docs/library.md` prints this table, and `sizes.test.ts` enforces it.
 */
export const entryPointSizes: readonly EntryPoint[] = [
  {
    entry: 'rolecall',
    what: 'configs, prompts, chats, provenance, formats, replies, tokens, models, agents, training rows',
    sizes: [
      { names: '*', kilobytes: 930, gzipped: 307 },
      { names: 'compilePrompt', kilobytes: 371, gzipped: 122 },
    ],
  },
  {
    entry: 'rolecall/formats',
    what: 'a single kind of chat format',
    sizes: [
      { names: 'compilePromptIn, metaTemplateFormat', kilobytes: 110, gzipped: 38 },
      { names: 'compilePromptIn, chatTemplateFormat', kilobytes: 258, gzipped: 87 },
    ],
  },
  { entry: 'rolecall/jinja', what: 'chat templates, rendered as in Python', sizes: [{ names: 'Template', kilobytes: 124, gzipped: 42 }] },
  {
    entry: 'rolecall/replies',
    what: 'text, reasoning, tool calls and code in a reply',
    sizes: [{ names: 'parseReply', kilobytes: 98, gzipped: 33 }],
  },
  {
    entry: 'rolecall/tokenizers',
    what: 'prompts as token ids',
    sizes: [{ names: 'tokenize, readHuggingFaceTokenizer, readSentencePiece', kilobytes: 82, gzipped: 29 }],
  },
  {
    entry: 'rolecall/scores',
    what: 'core metrics, answer extraction, confidence intervals, comparisons',
    sizes: [{ names: '*', kilobytes: 139, gzipped: 53 }],
  },
  { entry: 'rolecall/runs', what: 'run models on datasets, row by row', sizes: [{ names: '*', kilobytes: 876, gzipped: 296 }] },
  { entry: 'rolecall/templates', what: 'lint, diff, convert', sizes: [{ names: '*', kilobytes: 684, gzipped: 227 }] },
  {
    entry: 'rolecall/opencompass',
    what: "OpenCompass's evaluators, postprocessors and dataset classes; Python configs",
    sizes: [{ names: '*', kilobytes: 1042, gzipped: 361 }],
  },
  { entry: 'rolecall/lm-eval', what: 'tasks of lm-evaluation-harness', sizes: [{ names: '*', kilobytes: 700, gzipped: 242 }] },
  { entry: 'rolecall/hub', what: 'models and datasets by name', sizes: 'Node' },
  { entry: 'rolecall/serve', what: 'an OpenAI-compatible server', sizes: 'Node' },
  { entry: 'rolecall/node', what: 'everything that needs files: configs, rows, runs, local models, sandboxes', sizes: 'Node' },
]

/** The table of `docs/library.md`. */
export function entryPointTable(): string {
  const rows = entryPointSizes.flatMap(({ entry, what, sizes }) => {
    if (sizes === 'Node') return [`| \`${entry}\` | ${what} | runs in Node | | |`]
    return sizes.map(({ names, kilobytes, gzipped }, index) => {
      const [name, purpose] = index === 0 ? [`\`${entry}\``, what] : ['', '']
      const imported = names === '*' ? 'everything' : names.replaceAll(/\w+/g, '`$&`')
      return `| ${name} | ${purpose} | ${imported} | ${kilobytes} | ${gzipped} |`
    })
  })
  return ['| import | what it is for | a page that uses | kB, minified | kB, gzipped |', '| --- | --- | --- | ---: | ---: |', ...rows].join(
    '\n',
  )
}

/** The code that a page loads eagerly for these names of an entry point, bundled from what we publish; dynamic imports are excluded. */
export async function bundleOf(entry: string, names: string): Promise<string> {
  const page = fileURLToPath(new URL('page.js', import.meta.url))
  const build = await rolldown({
    input: 'page',
    platform: 'browser',
    plugins: [
      {
        name: 'page',
        resolveId: (id) => (id === 'page' ? page : null),
        load: (id) => (id === page ? `export ${names === '*' ? names : `{ ${names} }`} from ${JSON.stringify(entry)}` : null),
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
