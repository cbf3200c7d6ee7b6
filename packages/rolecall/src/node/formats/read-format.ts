import { existsSync, readdirSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, extname, isAbsolute, join } from 'node:path'
import type { Note } from '@rolecall/core/internal/errors'
import { nearestName, PromptError } from '@rolecall/core/internal/errors'
import { parseMlcConfig, unknownFormat } from '@rolecall/core/internal/format'
import { hasDatasetParts } from '../../compat/opencompass/import/import-parts.ts'
import type { GivenFormat } from '../../evaluation/config/in-format.ts'
import { shownHubPath } from '../hub/hub-name.ts'
import { type LoadedChatTemplate, templateSettings } from '../models/load-chat-template.ts'
import { readWholeText } from '../read-whole-file.ts'
import type { FormatReadOptions, FormatSource, GivenSource, SourceFormat } from './format-source.ts'
import { formatSources } from './format-sources.ts'

const sources: readonly FormatSource[] = formatSources

/** What `--format` and the arguments that are formats take, for help texts. */
export const formatWords = `${sources
  .slice(0, -1)
  .map(({ what }) => what)
  .join(', ')}, or ${sources.at(-1)?.what}`

/** A format that was read, with a name to show. */
export type ReadFormat = SourceFormat & { name: string; notes: readonly Note[] }

/** Whether a text is the name of a format, or a file or folder with one. */
export function isFormat(given: string): boolean {
  return matchesOf(given, given).length > 0
}

/** Whether a file that holds no format may be a config: JSON and YAML are one if they have models or datasets. */
export function mayBeConfig(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true && contentOf(path) === undefined
}

/** Reads a format by name or path. A name wins over a file, and the order of the sources decides between kinds of files. */
export function readFormat(given: string, options: FormatReadOptions): ReadFormat {
  const path = pathFrom(given, options.folder)
  const matches = matchesOf(given, path)
  const read = matches.map((match) => readMatch(match, options)).find(hasFormat)
  const [first] = matches
  if (first === undefined) throw existsSync(path) ? noFormat(given, options.where) : noSuchFormat(given, path, options.where)
  const chosen = read ?? readMatch(first, options)
  return { ...chosen, notes: [...otherMeanings(given, matches), ...chosen.notes] }
}

/** Reads a format of one source, which reports what is wrong with the text. */
export function readFrom(source: FormatSource, given: string, options: FormatReadOptions): ReadFormat {
  const path = pathFrom(given, options.folder)
  const match = matchesOf(given, path).find((one) => one.source === source)
  return readMatch(match ?? { source, given: { text: given, path } }, options)
}

/** A format as settings of a model: of several chat templates, the default one. `prepare` may add special tokens. */
export function settingsOf(
  read: ReadFormat,
  prepare: (templates: LoadedChatTemplate) => LoadedChatTemplate = (templates) => templates,
): Required<GivenFormat> {
  const { name, notes } = read
  if (read.kind === 'settings') return { name, notes, model: read.settings }
  const templates = prepare(read.templates)
  return { name, model: templateSettings(templates), notes: [...notes, ...(templates.notes ?? [])] }
}

type Match = { source: FormatSource; given: GivenSource }

function readMatch({ source, given }: Match, options: FormatReadOptions): ReadFormat {
  const { notes = [], ...read } = source.read(given, options)
  return { ...read, notes, name: given.path === undefined ? given.text : shownHubPath(given.text) }
}

function hasFormat(read: ReadFormat): boolean {
  return read.kind === 'settings' || Object.keys(read.templates.templates).length > 0
}

function pathFrom(given: string, folder = '.'): string {
  return folder === '.' || isAbsolute(given) ? given : join(folder, given)
}

/** The meanings of a text, in the order of the sources, names first. */
function matchesOf(text: string, path: string): Match[] {
  const named = sources.filter(({ names }) => names?.().includes(text))
  return [...named.map((source) => ({ source, given: { text } })), ...matchesOfFile(text, path)]
}

function matchesOfFile(text: string, path: string): Match[] {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return []
  const named = sources.filter(({ files }) =>
    found.isDirectory() ? files?.inFolder?.some((name) => existsSync(join(path, name))) : files?.named?.test(basename(path)),
  )
  if (named.length > 0 || found.isDirectory() || found.size > maxContent) return named.map((source) => ({ source, given: { text, path } }))
  const content = contentOf(path)
  const keyed = sources.filter(({ files }) => content !== undefined && files?.keys?.some((key) => Object.hasOwn(content, key)))
  return keyed.slice(0, 1).map((source) => ({ source, given: { text, path, content } }))
}

/** Larger files of JSON or YAML are data. */
const maxContent = 2 ** 24

/** The object that a file of JSON or YAML holds, unless it is a config. */
function contentOf(path: string): Readonly<Record<string, unknown>> | undefined {
  const ending = extname(path)
  if (!['.json', '.yaml', '.yml'].includes(ending)) return undefined
  const content = ending === '.json' ? parseMlcConfig(readWholeText(path), path) : yaml().parse(readWholeText(path))
  const isObject = typeof content === 'object' && content !== null && !Array.isArray(content)
  return isObject && !['models', 'datasets'].some((key) => key in content) && !hasDatasetParts(content) ? content : undefined
}

/** Loaded on demand and synchronously: flags are read before anything asynchronous happens, and most commands need no YAML. */
function yaml(): typeof import('yaml') {
  return createRequire(import.meta.url)('yaml') as typeof import('yaml')
}

/** What else a text could have meant. */
function otherMeanings(text: string, matches: readonly Match[]): Note[] {
  const [first, ...others] = matches
  return others.flatMap(({ source, given }): Note[] => {
    if (given.path === undefined) return []
    const isName = first?.given.path === undefined
    const other = isName
      ? `a format has this name; write ./${text} for the file or folder`
      : `this is read as ${first.source.what}; it is also ${source.what}${source.flag ? `, which ${source.flag.name} takes` : ''}`
    return [{ code: 'two-meanings', where: text, text: other }]
  })
}

function noFormat(given: string, where: string): PromptError {
  return new PromptError('no-format', {
    where,
    problem: `no conversation format found in ${given}`,
    fix: `give ${formatWords}; a config is an argument of its own`,
  })
}

/** The name of a format that a text may have been meant to be. */
export function nearFormat(text: string): string | undefined {
  return nearestName(
    text,
    sources.flatMap(({ names }) => names?.() ?? []),
  )
}

/** Nothing has this name: suggests names of formats, or, for a path, files in its folder. */
function noSuchFormat(given: string, path: string, where: string): PromptError {
  const { code, problem, fix } = unknownFormat(given, where)
  const isPath = /[/\\]|\.(?:jinja2?|j2|json|ya?ml|gguf|tmpl|gotmpl|modelfile)$/i.test(given)
  const near = isPath ? nearFile(path) : undefined
  return new PromptError(code, {
    where,
    problem: `${problem}, and no file or folder of this name`,
    fix: near === undefined ? (isPath ? `give ${formatWords}` : fix) : `did you mean ${join(dirname(given), near)}?`,
  })
}

function nearFile(path: string): string | undefined {
  const folder = dirname(path)
  const beside = existsSync(folder) ? readdirSync(folder).filter((name) => isFormat(join(folder, name))) : []
  return nearestName(basename(path), beside)
}
