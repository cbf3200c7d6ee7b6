import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { entryPoints } from '../packages/rolecall/src/node/entry-points.ts'
import { libraryChunks } from './library-chunks.ts'
import { noticesPlugin } from './notices.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Bundles the command line into chunks one level below the folder: loading five hundred modules one by one would take half a second at
 * every start. The library is included for programs in Node and for configs, which then share its classes with the command. Bundlers get the
 * library file by file instead and tree-shake it.
 */
export async function bundle(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  // The workers that build prompts and compare runs need most of the library.
  await write(
    [...Object.values(entryPoints), 'app/cli/main', 'app/server/prompts/prompt-worker', 'app/server/viewer/compare-worker'],
    folder,
  )
  // The scripts of other worker threads, which must start quickly.
  for (const script of ['app/node/templates/template-worker', 'app/node/models/network-worker', 'app/node/constraints/guide-worker'])
    await write([script], folder)
  // Run by Deno, which may read only these two files of ours.
  for (const script of ['app/node/interpreters/python/sandbox/runner', 'app/node/interpreters/python/sandbox/worker'])
    await write([script], folder)
}

async function write(entries: readonly string[], folder: string): Promise<void> {
  const build = await rolldown({
    input: Object.fromEntries(entries.map((entry) => [entry, join(root, 'src', `${entry}.ts`)])),
    platform: 'node',
    preserveEntrySignatures: 'allow-extension',
    // Intended: one subpath imports a module on demand that another loads eagerly.
    checks: { ineffectiveDynamicImport: false },
    // Dependencies stay external, except zod: it would add a hundred files to every start.
    external: (id) => !/^[./]|^[a-z]:|^zod(\/|$)/i.test(id),
    // The first bundle contains everything the others do.
    plugins: entries.length > 1 ? [noticesPlugin()] : [],
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
    ...(entries.length > 1
      ? {
          codeSplitting: {
            includeDependenciesRecursively: false,
            groups: [{ debugName: 'library', name: libraryChunks(join(root, 'src')) }],
          },
        }
      : {}),
  })
  await build.close()
}

const [, script, folder = 'packages/rolecall/dist/bundle'] = process.argv
if (script === fileURLToPath(import.meta.url)) await bundle(resolve(folder))
