import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { entriesOf } from './bundle.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Writes the declarations that the entry points mention: the compiler writes twice as many, most of them of the command line and the server.
 * Types are checked by `npm test`.
 */
function writeDeclarations(folders: Readonly<Record<string, string>>): void {
  execFileSync(process.execPath, [join(root, 'node_modules/typescript-native/bin/tsc'), '-b', 'packages/adapters', '--noCheck'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  })
  for (const [name, folder] of Object.entries(folders)) {
    const copied = new Set<string>()
    for (const entry of entriesOf(name)) copy(join(root, '.cache/types', name), `${entry}.d.ts`, folder, copied)
  }
}

/** Copies a declaration file and all it imports. */
function copy(from: string, path: string, to: string, copied: Set<string>): void {
  if (copied.has(path)) return
  copied.add(path)
  mkdirSync(dirname(join(to, path)), { recursive: true })
  copyFileSync(join(from, path), join(to, path))
  const { importedFiles } = ts.preProcessFile(readFileSync(join(from, path), 'utf8'))
  for (const { fileName } of importedFiles)
    if (fileName.startsWith('.')) copy(from, normalize(join(dirname(path), fileName.replace(/\.[jt]s$/, '.d.ts'))), to, copied)
}

const [, , core, rolecall, adapters] = process.argv
writeDeclarations({ core: core!, rolecall: rolecall!, adapters: adapters! })
