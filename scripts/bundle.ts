import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type OutputOptions, type Plugin, rolldown } from 'rolldown'
import { libraryChunks } from './library-chunks.ts'
import { noticesPlugin } from './notices.ts'
import { sourceFiles } from './source-files.mjs'

const packages = fileURLToPath(new URL('../packages/', import.meta.url))

/** Scripts of worker threads, which must start quickly, and of Deno, which may read only its two files: each is one file of its own. */
const scripts = [
  'node/templates/template-worker',
  'node/with-python/python-thread',
  'node/models/network-worker',
  'node/constraints/guide-worker',
  'node/interpreters/javascript/javascript-worker',
  'node/interpreters/python/sandbox/runner',
  'node/interpreters/python/sandbox/worker',
]

/** Threads that need most of the library. */
const threads = ['server/prompts/prompt-worker', 'server/viewer/compare-worker']

/** Bundles `@rolecall/core` for Node and other servers: all entry points in one build, so that they share their modules. */
async function bundleCore(folder: string): Promise<void> {
  await write('core', entriesOf('core'), folder, {
    platform: 'neutral',
    output: groupedBy(libraryChunks(join(packages, 'core/src'), { alone: ['jinja', 'tokenizers'] })),
  })
}

/** A package file by file, for bundlers, which then leave out the modules that a page does not need. What needs Node is only bundled. */
async function writeModules(name: string, folder: string): Promise<void> {
  const output: OutputOptions = { preserveModules: true, preserveModulesRoot: join(packages, name, 'src') }
  await write(name, [...entriesOf(name).filter((entry) => !needsNode.has(entry)), ...(name === 'rolecall' ? ['needs-node'] : [])], folder, {
    platform: 'neutral',
    output,
  })
}

/**
 * Bundles the library and the command line in one build, into chunks one level below the folder: loading five hundred modules one by one
 * would take half a second at every start. Entry points, the command and a user's config share their classes; `@rolecall/core` stays a
 * package, for the same reason.
 */
async function bundleRolecall(folder: string): Promise<void> {
  await write('rolecall', [...entriesOf('rolecall'), 'cli/main', ...threads], folder, {
    platform: 'node',
    plugins: [noticesPlugin()],
    // `--version` loads nothing but `cli/main`.
    output: groupedBy(libraryChunks(join(packages, 'rolecall/src'), { alone: ['scores'], first: 'cli/main' })),
  })
  for (const script of scripts) await write('rolecall', [script], folder, { platform: 'node', isOneFile: true })
}

function groupedBy(chunkOf: ReturnType<typeof libraryChunks>): OutputOptions {
  return { codeSplitting: { includeDependenciesRecursively: false, groups: [{ debugName: 'library', name: chunkOf }] } }
}

/** Entry points that work in Node only. */
export const needsNode: ReadonlySet<string> = new Set(['node', 'hub', 'files', 'serve'])

/** Each adapter is imported alone, beside the framework that it adapts. */
async function bundleAdapters(folder: string): Promise<void> {
  await write('adapters', entriesOf('adapters'), folder, { platform: 'neutral' })
}

type Bundling = { platform: 'node' | 'neutral'; plugins?: Plugin[]; output?: OutputOptions; isOneFile?: boolean }

async function write(name: string, entries: readonly string[], folder: string, bundling: Bundling): Promise<void> {
  const { platform, plugins = [], output, isOneFile = false } = bundling
  // In Node, zod would add a hundred files to every start.
  const inlined = isOneFile ? /^(?:zod|@rolecall\/core)(?:\/|$)/ : platform === 'node' ? /^zod(?:\/|$)/ : /^$/
  const build = await rolldown({
    input: Object.fromEntries(entries.map((entry) => [entry, join(packages, name, 'src', `${entry}.ts`)])),
    platform,
    preserveEntrySignatures: 'allow-extension',
    // Intended: one subpath imports a module on demand that another loads eagerly.
    checks: { ineffectiveDynamicImport: false },
    ...(isOneFile ? { resolve: { alias: sourceFiles() } } : {}),
    external: (id) => /^[^./]/.test(id) && !/^[a-z]:/i.test(id) && !inlined.test(id),
    plugins,
  })
  await build.write({
    dir: folder,
    format: 'esm',
    // Doc comments are in the declarations, which editors show.
    comments: false,
    // Names stay for stack traces; removing white space saves a quarter of what Node reads at every start.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    ...output,
  })
  await build.close()
}

/** The entry points of a package, as paths in its `src` without extension, from `exports`. */
export function entriesOf(name: string): string[] {
  const { exports } = JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8')) as {
    exports: Record<string, string | { 'rolecall-source': string }>
  }
  return Object.values(exports).flatMap((target) => {
    const [, entry] = /^\.\/src\/([^*]+)\.ts$/.exec(typeof target === 'string' ? target : target['rolecall-source']) ?? []
    return entry === undefined ? [] : [entry]
  })
}

const [, script, kind, core, rolecall, adapters] = process.argv
if (script === fileURLToPath(import.meta.url) && core !== undefined && rolecall !== undefined) {
  if (kind === 'modules') await Promise.all([writeModules('core', core), writeModules('rolecall', rolecall)])
  else await Promise.all([bundleCore(core), bundleRolecall(rolecall), ...(adapters === undefined ? [] : [bundleAdapters(adapters)])])
}
