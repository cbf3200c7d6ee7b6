import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { entryPoints, needsNode } from '../packages/rolecall/src/node/entry-points.ts'

/**
 * Removes the modules and declarations that no entry point reaches, two fifths of what the compiler has just written: the command line, the
 * server and all else that needs Node are in the bundle, and of their declarations the package needs only what its entry points mention.
 */
function removeUnused(folder: string): void {
  const names = Object.values(entryPoints)
  const used = new Set<string>()
  for (const name of names) keep(folder, `${name}.d.ts`, used)
  for (const name of names) if (!needsNode.has(name)) keep(folder, `${name}.js`, used)
  const written = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => /\.(?:js|d\.ts)$/.test(path))
  for (const path of written) if (!used.has(path)) rmSync(join(folder, path))
}

/** Adds a file and all it imports. */
function keep(folder: string, path: string, used: Set<string>): void {
  if (used.has(path)) return
  used.add(path)
  const { importedFiles } = ts.preProcessFile(readFileSync(join(folder, path), 'utf8'))
  const extension = path.endsWith('.d.ts') ? '.d.ts' : '.js'
  for (const { fileName } of importedFiles)
    if (fileName.startsWith('.')) keep(folder, normalize(join(dirname(path), fileName.replace(/\.[jt]s$/, extension))), used)
}

removeUnused(fileURLToPath(new URL('../packages/rolecall/dist', import.meta.url)))
