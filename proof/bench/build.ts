import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { buildIfNeeded } from '../../scripts/build-if-needed.mjs'
import { sourceFiles } from '../../scripts/source-files.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Compiles the benches and all they import, module by module, and returns the compiled main file: compiled on the fly by jiti, code runs
 * slower. Benches that start the command line use the usual build.
 */
export async function buildBenches(folder: string): Promise<string> {
  rmSync(folder, { recursive: true, force: true })
  const here = join(root, 'proof/bench')
  const entries = readdirSync(here, { recursive: true, encoding: 'utf8' }).filter((path) => /(?<!\.test)\.ts$/.test(path))
  const build = await rolldown({
    input: entries.map((path) => join(here, path)),
    platform: 'node',
    resolve: { alias: sourceFiles() },
    external: (id) => !/^[./]|^[a-z]:|^@rolecall\/core|^rolecall/i.test(id),
    onLog() {},
  })
  await build.write({ dir: folder, format: 'esm', preserveModules: true, preserveModulesRoot: root, entryFileNames: '[name].js' })
  await build.close()
  await buildIfNeeded(['code'])
  return join(folder, 'proof/bench/main.js')
}
