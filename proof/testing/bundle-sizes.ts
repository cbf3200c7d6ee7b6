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
    what: 'models, prompts, replies, tokens, servers, tools, agents, configs',
    sizes: [
      { names: '*', kilobytes: 934, gzipped: 311 },
      { names: 'PromptError', kilobytes: 1, gzipped: 1 },
      { names: 'defineModel, renderPrompt', kilobytes: 240, gzipped: 82 },
      { names: 'parseReply', kilobytes: 139, gzipped: 48 },
      { names: 'parseResponse, ResponseStream', kilobytes: 53, gzipped: 20 },
      { names: 'renderTemplate', kilobytes: 126, gzipped: 43 },
      { names: 'readTokenizer', kilobytes: 86, gzipped: 30 },
    ],
  },
  {
    entry: 'rolecall/formats',
    what: 'a single kind of chat format',
    sizes: [
      { names: 'metaTemplateFormat', kilobytes: 47, gzipped: 17 },
      { names: 'chatTemplateFormat', kilobytes: 188, gzipped: 64 },
    ],
  },
  {
    entry: 'rolecall/all-formats',
    what: 'formats of MLC, InternLM2 and Ollama, rules of serving stacks and of `roles`, for `defineModel`',
    sizes: [{ names: '*', kilobytes: 345, gzipped: 117 }],
  },
  {
    entry: 'rolecall/datasets',
    what: "prompts of a dataset's rows, examples",
    sizes: [
      { names: 'compilePrompt', kilobytes: 400, gzipped: 133 },
      { names: 'compilePromptIn', kilobytes: 103, gzipped: 36 },
    ],
  },
  { entry: 'rolecall/jinja', what: 'chat templates, rendered as in Python', sizes: [{ names: 'Template', kilobytes: 125, gzipped: 43 }] },
  {
    entry: 'rolecall/replies',
    what: 'how replies are written, and how that is found out',
    sizes: [{ names: 'syntaxOf', kilobytes: 136, gzipped: 47 }],
  },
  {
    entry: 'rolecall/tokenizers',
    what: 'prompts of datasets as token ids',
    sizes: [{ names: 'tokenize, readTokenizer', kilobytes: 91, gzipped: 31 }],
  },
  { entry: 'rolecall/models', what: 'language models, samplers', sizes: [{ names: 'openOpenAI', kilobytes: 249, gzipped: 81 }] },
  { entry: 'rolecall/agents', what: 'agents, transcripts', sizes: [{ names: '*', kilobytes: 558, gzipped: 188 }] },
  { entry: 'rolecall/training', what: 'loss masks, continued chats', sizes: [{ names: '*', kilobytes: 34, gzipped: 13 }] },
  { entry: 'rolecall/python', what: 'values as Python writes them', sizes: [{ names: '*', kilobytes: 19, gzipped: 8 }] },
  {
    entry: 'rolecall/scores',
    what: 'core metrics, answer extraction, confidence intervals, comparisons',
    sizes: [{ names: '*', kilobytes: 157, gzipped: 60 }],
  },
  { entry: 'rolecall/runs', what: 'run models on datasets, row by row', sizes: [{ names: '*', kilobytes: 970, gzipped: 328 }] },
  { entry: 'rolecall/templates', what: 'lint, diff, convert', sizes: [{ names: '*', kilobytes: 728, gzipped: 243 }] },
  {
    entry: 'rolecall/opencompass',
    what: "OpenCompass's evaluators, postprocessors and dataset classes; Python configs",
    sizes: [{ names: '*', kilobytes: 1110, gzipped: 384 }],
  },
  { entry: 'rolecall/lm-eval', what: 'tasks of lm-evaluation-harness', sizes: [{ names: '*', kilobytes: 790, gzipped: 270 }] },
  { entry: 'rolecall/files', what: 'models and tokenizers from files and hubs', sizes: 'Node' },
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

/**
 * The code that a page loads eagerly for these names of an entry point, and for what it imports besides; bundled from what we publish.
 * Dynamic imports are excluded.
 */
export async function bundleOf(entry: string, names: string, imported: readonly string[] = []): Promise<string> {
  const page = fileURLToPath(new URL('page.js', import.meta.url))
  const exported = `export ${names === '*' ? names : `{ ${names} }`} from ${JSON.stringify(entry)}`
  const build = await rolldown({
    input: 'page',
    platform: 'browser',
    plugins: [
      {
        name: 'page',
        resolveId: (id) => (id === 'page' ? page : null),
        load: (id) => (id === page ? [exported, ...imported.map((other) => `import ${JSON.stringify(other)}`)].join('\n') : null),
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
