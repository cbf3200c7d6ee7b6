import { existsSync, opendirSync, readdirSync, realpathSync } from 'node:fs'
import { basename, isAbsolute, relative, resolve } from 'node:path'
import type { Note } from '@rolecall/core/internal/errors'
import { PromptError, suggestName } from '@rolecall/core/internal/errors'
import { compareCodePoints } from '@rolecall/core/internal/python'
import type { ImportedConfig } from '../../compat/opencompass/import/import-config.ts'
import type { ImportedSummarizer } from '../../compat/opencompass/import/summarizer.ts'
import { checkConfig } from '../../evaluation/config/check-config.ts'
import { checkRoles } from '../../evaluation/config/check-roles.ts'
import { namePattern } from '../../evaluation/config/select-by-name.ts'
import { modelTypeNamed } from '../../model/model-types/index.ts'
import type { ModuleCache } from '../../python/interpreter/session.ts'
import { installedPackage } from '../installed-package.ts'
import { modelConfigOf } from '../models/model-flags.ts'
import { registerScoringPlugIns } from '../scoring-plug-ins.ts'
import { importPython, importPythonSummarizer } from './import-python.ts'
import { type LoadedConfig, withModelFiles } from './load-config.ts'
import { entriesOfFlags, type OpenCompassFlags } from './open-compass-flags.ts'
import { readServers, type ServerFlags, withServers } from './server-flags.ts'

/** Where OpenCompass and AISBench look for config files, relative to the working folder; then in the installed packages. */
const configFolders = ['configs', 'opencompass/configs', 'ais_bench/benchmark/configs']

/** The subfolders that hold each kind. */
const kinds = {
  models: ['models'],
  datasets: ['datasets', 'dataset_collections', 'chatml_datasets'],
  summarizer: ['summarizers'],
} as const
type Kind = keyof typeof kinds
type EntryKind = 'models' | 'datasets'

/** Whether a folder has config files that `--models` and `--datasets` can name. */
export function hasNamedConfigs(folder: string): boolean {
  return foldersOf(folder, 'datasets').length > 0
}

type NamedFlags = ServerFlags & OpenCompassFlags & { datasets?: string | undefined; summarizer?: string | undefined }

/**
 * Loads models and datasets by config file name, in any subfolder, as `opencompass --models … --datasets …` does. A model may also be
 * written as for `--model`, e.g. openai:NAME@URL.
 */
export async function loadNamedConfigs(folder: string, { datasets, summarizer, ...flags }: NamedFlags): Promise<LoadedConfig> {
  const { names, servers } = readServers(flags)
  const described = entriesOfFlags(flags)
  const entriesFrom = (kind: EntryKind, chosen: string | undefined): Named[] =>
    chosen === undefined && described.config[kind].length > 0
      ? [{ name: '', entries: described.config[kind], notes: described.notes }]
      : entriesNamed(folder, kind, chosen)
  const given = { models: entriesFrom('models', names), datasets: entriesFrom('datasets', datasets) }
  const found = given.models.flatMap(({ entries, name }) => entries.map((model) => ({ model, name })))
  // A server is given for a model or for its file, which may define several.
  const byName = new Map(
    found.flatMap(({ model, name }) => {
      const served = servers.byName.get(String(model.abbr)) ?? servers.byName.get(name)
      return served === undefined ? [] : [[String(model.abbr), served] as const]
    }),
  )
  const entries = given.datasets.flatMap((one) => one.entries)
  const summary = summarizer === undefined ? groupsOver(folder, entries) : summarizerNamed(folder, summarizer, entries)
  const config = {
    models: found.map(({ model }) => model),
    datasets: entries,
    ...(summary.summarizer ? { summarizer: summary.summarizer } : {}),
  }
  const ready = withServers(config, { ...servers, byName }, folder)
  registerScoringPlugIns()
  const checked = checkConfig(ready.config, '', { foreignKeys: true })
  const imported = [...given.models, ...given.datasets].flatMap(({ notes }) => notes)
  const warnings = [...imported, ...summary.notes, ...ready.notes, ...checked.warnings, ...checkRoles(checked, '', true)]
  return { file: '', folder, config: await withModelFiles({ ...checked, warnings }, folder) }
}

type Named = { name: string; entries: ImportedConfig['config']['models']; notes: ImportedConfig['notes'] }

function entriesNamed(folder: string, kind: EntryKind, names: string | undefined): Named[] {
  const wanted = names?.split(',').map((name) => name.trim()) ?? []
  if (wanted.length > 0 && wanted.every((name) => name !== '')) return wanted.flatMap((name) => entriesOf(folder, kind, name))
  throw new PromptError('missing', {
    where: `--${kind}`,
    problem: `no ${kind} given`,
    fix:
      kind === 'models'
        ? 'pass a model config file (--models NAME=URL if it is served), --models openai:NAME@URL, or --hf-path PATH'
        : 'pass config file names: --datasets gsm8k_gen, or --custom-dataset-path FILE',
  })
}

function entriesOf(folder: string, kind: EntryKind, name: string): Named[] {
  const type = modelTypeNamed(name.split(':')[0])
  if (kind === 'models' && type) return [{ name, entries: [modelConfigOf({ model: name }, folder)], notes: [] }]
  const { files, notes } = filesNamed(folder, kind, name)
  return files.map((file, index) => {
    const found = entriesIn(folder, kind, file)
    return { name, ...found, notes: index === 0 ? [...notes, ...found.notes] : found.notes }
  })
}

function entriesIn(folder: string, kind: EntryKind, file: string): Omit<Named, 'name'> {
  const { config, notes } = importPython(file, { hashes: false })
  if (config[kind].length > 0) return { entries: config[kind], notes }
  throw new PromptError('missing', {
    where: relative(folder, file),
    problem: `the file has no ${kind}`,
    fix: `pass a file that defines them: --${kind} NAME`,
  })
}

/** The summarizer of a config file by its name, or `NAME/KEY`, as for OpenCompass's `--summarizer`; or of the file at this path. */
export function summarizerNamed(folder: string, name: string, datasets: Named['entries']): ImportedSummarizer {
  const known = new Set(datasets.map(({ abbr }) => abbr))
  const isPath = name.endsWith('.py') && existsSync(resolve(folder, name))
  const [file = '', key = 'summarizer'] = isPath ? [name] : name.split(/\/(.*)/s)
  const { files, notes } = isPath ? { files: [resolve(folder, name)], notes: [] } : filesNamed(folder, 'summarizer', file)
  const { summarizer, notes: more } = importPythonSummarizer(files[0]!, known, { key })
  const none: Note = {
    code: 'no-summary',
    where: `--summarizer ${name}`,
    text: `it has no "${key}" with groups or names of these datasets`,
  }
  return { summarizer, notes: [...notes, ...more, ...(summarizer ? [] : [none])] }
}

/** The groups over these datasets among OpenCompass's own, e.g. `mmlu` over all of its subjects. */
function groupsOver(folder: string, datasets: Named['entries']): ImportedSummarizer {
  const known = new Set(datasets.map(({ abbr }) => abbr))
  if (known.size < 2) return { summarizer: undefined, notes: [] }
  const cache: ModuleCache = new Map()
  const found = foldersOf(folder, 'summarizer').flatMap((summarizers) => {
    const within = `${summarizers}/groups`
    const files = existsSync(resolve(folder, within)) ? readdirSync(resolve(folder, within)).filter((file) => file.endsWith('.py')) : []
    return files.map((file) => groupsOf(resolve(folder, within, file), known, cache))
  })
  const groups = found.flatMap(({ summarizer }) => summarizer?.summary_groups ?? [])
  const distinct = [...new Map(groups.toReversed().map((group) => [group.name, group])).values()].toReversed()
  const notes = found.flatMap((one) => one.notes)
  return { summarizer: distinct.length === 0 ? undefined : { summary_groups: distinct }, notes }
}

/** A broken file is noted: the user did not name it. */
function groupsOf(file: string, known: ReadonlySet<unknown>, cache: ModuleCache): ImportedSummarizer {
  try {
    return importPythonSummarizer(file, known, { cache })
  } catch (error) {
    if (!(error instanceof PromptError)) throw error
    const text = `the groups of ${basename(file)} are left out: ${error.problem}`
    return { summarizer: undefined, notes: [{ code: 'group-left-out', where: error.where, text }] }
  }
}

/** The config file of this name, or all that match a pattern. Of several files of one name, OpenCompass's choice is taken, with a warning. */
function filesNamed(folder: string, kind: Kind, name: string): { files: string[]; notes: Note[] } {
  const folders = foldersOf(folder, kind)
  const wanted = name.replace(/\.py$/, '')
  const found = folders.flatMap((one) => filesOfName(configFiles(folder, one), wanted))
  const [first] = found
  if (first !== undefined) {
    const text = `${found.length} files are called ${wanted}.py: ${first} is used, as in OpenCompass, and not ${found.slice(1).join(', ')}`
    const notes: Note[] = found.length === 1 ? [] : [{ code: 'ambiguous-name', where: `--${kind}`, text }]
    return { files: [resolve(folder, first)], notes: [...notes, ...installedNotes(kind, name, [first])] }
  }
  const files = folders.flatMap((one) => configFiles(folder, one))
  const pattern = namePattern(wanted)
  const matches = files.filter((file) => pattern?.test(basename(file, '.py'))).sort(compareCodePoints)
  if (matches.length > 0) return { files: matches.map((file) => resolve(folder, file)), notes: installedNotes(kind, name, matches) }
  throw new PromptError('unknown-name', {
    where: `--${kind}`,
    problem: `there is no config file ${name}.py in ${folders.join(', ') || `configs/${kinds[kind][0]}`}`,
    fix: suggestName(name, [...new Set(files.map((file) => basename(file, '.py')))]),
  })
}

/** The folders of a kind: those of the working folder by their relative paths, then those of installed packages. */
function foldersOf(folder: string, kind: Kind): string[] {
  const installed = [installedPackage('opencompass', 'configs').folder, installedPackage('ais_bench', 'benchmark/configs').folder]
  const all = [...configFolders, ...installed.filter((one) => one !== undefined)].flatMap((configs) =>
    kinds[kind].map((one) => `${configs}/${one}`),
  )
  const found = all.filter((one) => existsSync(resolve(folder, one)))
  // A checkout may be installed, too (pip install -e).
  return [...new Map(found.toReversed().map((one) => [realpathSync(resolve(folder, one)), one])).values()].toReversed()
}

function installedNotes(kind: Kind, name: string, files: readonly string[]): Note[] {
  const [first] = files.filter(isAbsolute)
  return first === undefined ? [] : [{ code: 'installed-configs', where: `--${kind}`, text: `${name}: ${first} of an installed package` }]
}

/** The files of a name as OpenCompass finds them: in any case, ordered by name and then as the folder lists them. */
function filesOfName(files: readonly string[], name: string): string[] {
  const found = files.filter((file) => basename(file, '.py').toLowerCase() === name.toLowerCase())
  return found.sort((one, other) => compareCodePoints(basename(one), basename(other)))
}

/** The config files below a folder in the order of Python's `os.walk`: files before subfolders, both unsorted. */
function configFiles(folder: string, within: string): string[] {
  const listed = opendirSync(resolve(folder, within))
  const files: string[] = []
  const folders: string[] = []
  for (let entry = listed.readSync(); entry !== null; entry = listed.readSync()) {
    const path = `${within}/${entry.name}`
    if (entry.isDirectory()) folders.push(path)
    else if (entry.name.endsWith('.py') && !entry.name.startsWith('__')) files.push(path)
  }
  listed.closeSync()
  return [...files, ...folders.flatMap((one) => configFiles(folder, one))]
}
