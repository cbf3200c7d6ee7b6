import { closeSync, existsSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { isAbsolute, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PromptError } from '@rolecall/core/internal/errors'
import type { Jiti } from 'jiti'
import { ownEntries } from '../own-entries.ts'
import { codeFile, packageFile } from '../own-files.ts'
import { slashed } from '../platform.ts'
import { readWholeText } from '../read-whole-file.ts'
import { openRegular } from '../regular-file.ts'

/** The default export of a module, or all exports if there is none. Errors carry line and column. */
export function readModule(file: string, where: string): Promise<unknown> {
  return readWith(file, where, { default: true })
}

/** All exports of a module. */
export function readExports(file: string, where: string): Promise<unknown> {
  return readWith(file, where, {})
}

async function readWith(file: string, where: string, options: { default?: true }): Promise<unknown> {
  // jiti reads what it is given: of a pipe or a device it would wait for the end.
  if (existsSync(file)) closeSync(openRegular(file))
  const { createJiti } = await import('jiti')
  // A config in a fresh clone may import 'rolecall' before the package is installed.
  const jiti = createJiti(import.meta.url, { alias: ownEntries(), fsCache: false, sourceMaps: true })
  try {
    return await jiti.import(file, options)
  } catch (error) {
    throw moduleError(error, where, jiti)
  }
}

function moduleError(error: unknown, where: string, jiti: Jiti): PromptError {
  if (!(error instanceof Error || error instanceof PromptError))
    return new PromptError('bad-config', {
      where,
      problem: `running it threw ${shown(error)}, which has no stack trace`,
      fix: 'correct it, or throw an Error, which carries line and column',
    })
  const syntax = /^ParseError: (.*?)\s*\n\s*(\S.*):(\d+):(\d+)\s*$/s.exec(error.message)
  if (syntax) {
    const [, problem, file, line, column] = syntax
    return new PromptError('bad-config', {
      // ParseError counts columns from 0.
      where: `${pathOf(file!)}:${line}:${Number(column) + 1}`,
      problem: `this is not JavaScript or TypeScript (${firstLine(problem!)})`,
      fix: 'correct the syntax there, or just before',
    })
  }
  const place = placeOf(error, jiti) ?? where
  if (error instanceof PromptError)
    return new PromptError(error.code, { where: `${place} › ${error.where}`, problem: error.problem, fix: error.fix })
  const name = error.name === 'Error' ? '' : `${error.name}: `
  const isMissing = 'code' in error && (error.code === 'MODULE_NOT_FOUND' || error.code === 'ERR_MODULE_NOT_FOUND')
  return new PromptError('bad-config', {
    where: place,
    problem: `running it failed (${name}${firstLine(error.message)})`,
    fix: isMissing ? 'correct the import path, or install the package' : 'correct this line',
  })
}

/** The innermost stack frame in the user's files. */
function placeOf(error: Error, jiti: Jiti): string | undefined {
  for (const frame of (error.stack ?? '').split('\n')) {
    const [, given, line, column] = /^\s+at (?:.*?\()?((?:file:\/\/)?(?:\/|[A-Za-z]:[\\/]).*?):(\d+):(\d+)\)?$/.exec(frame) ?? []
    if (given === undefined) continue
    const file = given.startsWith('file://') ? fileURLToPath(given) : given
    if (!isLibrary(file)) return `${pathOf(file)}:${sourcePosition(jiti, file, Number(line), Number(column))}`
  }
  return undefined
}

const ownCode = [fileURLToPath(codeFile('index')).replace(/[^\\/]*$/, ''), fileURLToPath(packageFile('node_modules/'))]

/** Whether a file belongs to Rolecall or a package. */
function isLibrary(file: string): boolean {
  return slashed(file).includes('/node_modules/') || ownCode.some((folder) => file.startsWith(folder))
}

/** The prefix of every module that jiti compiles; it shifts the columns of the first line. */
const wrapper = '(async function (exports, require, module, __filename, __dirname, jitiImport, jitiESMResolve) { '

/** `LINE:COLUMN` in the source: jiti's output keeps lines but not columns. Only the line if there is no source map. */
function sourcePosition(jiti: Jiti, file: string, line: number, column: number): string {
  try {
    const source = readWholeText(file)
    const code = jiti.transform({ filename: file, source, ts: /\.[cm]?tsx?$/.test(file), async: true })
    const [, map] = /\n\/\/# sourceMappingURL=data:application\/json;[^,]*base64,(\S+)\s*$/.exec(code) ?? []
    if (map === undefined) return `${line}:${column}`
    const ahead = line === 1 ? wrapper.length : 0
    const entry = new SourceMap(JSON.parse(Buffer.from(map, 'base64').toString())).findEntry(line - 1, column - 1 - ahead)
    return 'originalLine' in entry ? `${entry.originalLine + 1}:${entry.originalColumn + 1}` : `${line}`
  } catch {
    return `${line}`
  }
}

function pathOf(file: string): string {
  const path = relative(process.cwd(), file)
  return path === '' || isAbsolute(path) ? file : path
}

function shown(value: unknown): string {
  return typeof value === 'string' ? `"${firstLine(value)}"` : typeof value === 'object' && value !== null ? 'an object' : String(value)
}

function firstLine(text: string): string {
  return text.split('\n')[0]!.replace(/:$/, '')
}
