import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import ts from 'typescript'
import { buildIfNeeded } from '../../../scripts/build-if-needed.mjs'
import { programTimeout } from '../run-program.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** The packages of `scripts/install-peers.sh --clients` that are not installed. */
export function missingPeers(...names: string[]): string[] {
  return names.filter((name) => peerFolder(name) === undefined)
}

function peerFolder(name: string): string | undefined {
  const folders = [process.env.ROLECALL_PEERS, root].flatMap((folder) => (folder === undefined ? [] : [join(folder, 'node_modules', name)]))
  return folders.find((folder) => existsSync(folder))
}

/** A project of somebody who has installed our packages, as they are built, and those that they adapt. */
export async function consumer(): Promise<string> {
  await buildIfNeeded(['code', 'types'])
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'rolecall-consumer-')))
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, '@rolecall/adapters/dist'), { recursive: true })
  for (const from of [process.env.ROLECALL_PEERS ?? root, root])
    for (const name of packagesIn(join(from, 'node_modules')))
      if (!existsSync(join(modules, name))) link(join(from, 'node_modules', name), join(modules, name))
  link(join(root, 'packages/core'), join(modules, '@rolecall/core'))
  link(join(root, 'packages/rolecall'), join(modules, 'rolecall'))
  // A copy, so that it finds the packages that it adapts beside it.
  for (const part of ['package.json', 'dist/js', 'dist/types'])
    cpSync(join(root, 'packages/adapters', part), join(modules, '@rolecall/adapters', part), { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "name": "somebody", "private": true, "type": "module" }\n')
  return folder
}

function packagesIn(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    if (name.startsWith('.') || ['rolecall', '@rolecall'].includes(name)) return []
    return name.startsWith('@') ? readdirSync(join(folder, name)).map((inner) => `${name}/${inner}`) : [name]
  })
}

function link(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  symlinkSync(realpathSync(from), to)
}

/** Runs a program there, written in TypeScript; returns what it prints. */
export async function runThere(folder: string, program: string, environment: Record<string, string> = {}): Promise<string> {
  const file = join(folder, 'program.mjs')
  const { outputText } = ts.transpileModule(program, { compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext } })
  writeFileSync(file, outputText)
  const { stdout } = await promisify(execFile)(process.execPath, [file], {
    cwd: folder,
    env: { ...process.env, ...environment },
    timeout: programTimeout,
  })
  return stdout
}
