import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { entryPoints } from '../src/app/node/entry-points.ts'
import { libraryChunks } from './library-chunks.ts'
import { noticesPlugin } from './notices.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Writes the command line as JavaScript in chunks one level below the folder: loading five hundred modules one by one would take
 * half a second at every start. The library is in it for configs, so that their errors and values are those of the command, and for programs
 * that run in Node. Bundlers get it file by file, and take from it only what is used.
 */
export async function bundle(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  await write([...Object.values(entryPoints), 'app/cli/main'], folder)
  // A thread of its own, which is to start quickly.
  await write(['app/node/templates/template-worker'], folder)
  // Run by Deno, which may read these two files and no others of ours.
  for (const script of ['app/node/interpreters/python/sandbox/runner', 'app/node/interpreters/python/sandbox/worker'])
    await write([script], folder)
}

async function write(entries: readonly string[], folder: string): Promise<void> {
  const build = await rolldown({
    input: Object.fromEntries(entries.map((entry) => [entry, join(root, 'src', `${entry}.ts`)])),
    platform: 'node',
    preserveEntrySignatures: 'allow-extension',
    // What one subpath imports on demand, another has at once: both are meant.
    checks: { ineffectiveDynamicImport: false },
    // What is not ours is loaded from where it is installed; but zod alone would be a hundred files at every start.
    external: (id) => !/^[./]|^[a-z]:|^zod(\/|$)/i.test(id),
    // The first of the bundles, which has all that the others have.
    plugins: entries.length > 1 ? [noticesPlugin()] : [],
  })
  await build.write({
    dir: folder,
    format: 'esm',
    // What a function is for stands in the declarations, which editors show.
    comments: false,
    // Names stay, for stack traces; the white space that is left out is a quarter of what Node would read at every start.
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

const [, script, folder = 'dist/bundle'] = process.argv
if (script === fileURLToPath(import.meta.url)) await bundle(resolve(folder))
