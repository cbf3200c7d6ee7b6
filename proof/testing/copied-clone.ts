import { cpSync, mkdirSync, readdirSync, realpathSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { folderWith } from './folder-with.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

const needed = [
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
  'scripts',
  'packages/core',
  'packages/rolecall',
  'packages/adapters',
]

/** A copy of this clone, unbuilt and without tests, to change: with installed packages, and further files and folders. */
export function copyClone(further: readonly string[] = []): string {
  const copy = realpathSync(folderWith({}))
  const isCopied = (path: string) => !/[\\/]dist(?:[\\/]|$)|embedded-model[\\/]training|\.test\.ts$/.test(path)
  for (const path of [...needed, ...further]) cpSync(join(root, path), join(copy, path), { recursive: true, filter: isCopied })
  mkdirSync(join(copy, 'node_modules/@rolecall'), { recursive: true })
  const installed = readdirSync(join(root, 'node_modules')).filter((name) => name !== '@rolecall' && name !== 'rolecall')
  for (const name of installed) symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name))
  symlinkSync('../../packages/core', join(copy, 'node_modules/@rolecall/core'))
  symlinkSync('../packages/rolecall', join(copy, 'node_modules/rolecall'))
  return copy
}
