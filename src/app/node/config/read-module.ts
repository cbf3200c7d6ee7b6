import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { isAbsolute, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Jiti } from 'jiti'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { entryPoints } from '../entry-points.ts'
import { codeFile, packageFile } from '../own-files.ts'

/** This library, built or as source: errors and values of a config are those of the command that reads it. */
const ownEntries = {
  ...Object.fromEntries(Object.entries(entryPoints).map(([name, file]) => [name, fileURLToPath(codeFile(file))])),
  'rolecall/package.json': fileURLToPath(packageFile('package.json')),
  'rolecall/schema/rolecall.schema.json': fileURLToPath(packageFile('schema/rolecall.schema.json')),
}

/** What a program file exports by default; all that it exports, where that is nothing. What goes wrong is told by line and column. */
export async function readModule(file: string, where: string): Promise<unknown> {
  const { createJiti } = await import('jiti')
  // A config in a fresh clone may import 'rolecall' before anything is installed under that name.
  const jiti = createJiti(import.meta.url, { alias: ownEntries, fsCache: false, sourceMaps: true })
  try {
    return await jiti.import(file, { default: true })
  } catch (error) {
    throw moduleError(error, where, jiti)
  }
}

function moduleError(error: unknown, where: string, jiti: Jiti): PromptError {
  if (!(error instanceof Error || error instanceof PromptError))
    return new PromptError('bad-config', {
      where,
      problem: `it could not be run: it throws ${shown(error)}, which does not say where it comes from`,
      fix: 'correct it, or throw an Error, which has a line and a column',
    })
  const syntax = /^ParseError: (.*?)\s*\n\s*(\S.*):(\d+):(\d+)\s*$/s.exec(error.message)
  if (syntax) {
    const [, problem, file, line, column] = syntax
    return new PromptError('bad-config', {
      // Its columns count from 0.
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
    problem: `it could not be run (${name}${firstLine(error.message)})`,
    fix: isMissing ? 'correct the path of the import, or install the package' : 'correct what this line does',
  })
}

/** The innermost line of the user's own files that an error came through. */
function placeOf(error: Error, jiti: Jiti): string | undefined {
  for (const frame of (error.stack ?? '').split('\n')) {
    const [, given, line, column] = /^\s+at (?:.*?\()?((?:file:\/\/)?(?:\/|[A-Za-z]:[\\/]).*?):(\d+):(\d+)\)?$/.exec(frame) ?? []
    if (given === undefined) continue
    const file = given.startsWith('file://') ? fileURLToPath(given) : given
    if (!isOwn(file)) return `${pathOf(file)}:${writtenAt(jiti, file, Number(line), Number(column))}`
  }
  return undefined
}

const ownCode = [fileURLToPath(codeFile('index')).replace(/[^\\/]*$/, ''), fileURLToPath(packageFile('node_modules/'))]

/** Whether a file is Rolecall's, or a package's. */
function isOwn(file: string): boolean {
  return file.includes(`${sep}node_modules${sep}`) || file.includes('/node_modules/') || ownCode.some((folder) => file.startsWith(folder))
}

/** How jiti begins every file that it has translated: columns of the first line count from there. */
const wrapper = '(async function (exports, require, module, __filename, __dirname, jitiImport, jitiESMResolve) { '

/** `LINE:COLUMN` of what was written; jiti runs a translation, which keeps lines but not columns. The line alone where that is not known. */
function writtenAt(jiti: Jiti, file: string, line: number, column: number): string {
  try {
    const source = readFileSync(file, 'utf8')
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
