import { existsSync, readdirSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { suggestName } from '../../../base/errors/nearest.ts'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { compareCodePoints } from '../../../base/python/values/strings.ts'
import type { ImportedConfig } from '../../../compat/opencompass/import/import-config.ts'
import { checkConfig } from '../../../evaluation/config/check-config.ts'
import { checkRoles } from '../../../evaluation/config/check-roles.ts'
import { namePattern } from '../../../evaluation/config/select-by-name.ts'
import { modelTypeNamed } from '../../../model/model-types/index.ts'
import { modelConfigOf } from '../models/model-flags.ts'
import { slashed } from '../platform.ts'
import { registerScoringPlugIns } from '../scoring-plug-ins.ts'
import { importPython } from './import-python.ts'
import { type LoadedConfig, withModelFiles } from './load-config.ts'
import { readServers, withServers } from './server-flags.ts'

/** Where OpenCompass and AISBench look for config files, relative to the working folder. */
const configFolders = ['configs', 'opencompass/configs', 'ais_bench/benchmark/configs']

/** The subfolders that hold each kind. */
const kinds = { models: ['models'], datasets: ['datasets', 'dataset_collections', 'chatml_datasets'] } as const
type Kind = keyof typeof kinds

/** Whether a folder has config files that `--models` and `--datasets` can name. */
export function hasNamedConfigs(folder: string): boolean {
  return configFolders.some((configs) => kinds.datasets.some((kind) => existsSync(join(folder, configs, kind))))
}

/**
 * Loads models and datasets by config file name, in any subfolder, as `opencompass --models … --datasets …` does. A model may also be
 * written as for `--model`, e.g. openai:NAME@URL.
 */
export async function loadNamedConfigs(
  folder: string,
  { models, datasets, baseUrl }: { models?: string | undefined; datasets?: string | undefined; baseUrl?: string | undefined },
): Promise<LoadedConfig> {
  const { names, servers } = readServers(models, baseUrl)
  const given = { models: entriesNamed(folder, 'models', names), datasets: entriesNamed(folder, 'datasets', datasets) }
  const found = given.models.flatMap(({ entries, name }) => entries.map((model) => ({ model, name })))
  // A server is given for a model or for its file, which may define several.
  const byName = new Map(
    found.flatMap(({ model, name }) => {
      const served = servers.byName.get(String(model.abbr)) ?? servers.byName.get(name)
      return served === undefined ? [] : [[String(model.abbr), served] as const]
    }),
  )
  const config = { models: found.map(({ model }) => model), datasets: given.datasets.flatMap(({ entries }) => entries) }
  const ready = withServers(config, { byName, all: servers.all }, folder)
  registerScoringPlugIns()
  const checked = checkConfig(ready.config, '', { foreignKeys: true })
  const imported = [...given.models, ...given.datasets].flatMap(({ notes }) => notes)
  const warnings = [...imported, ...ready.notes, ...checked.warnings, ...checkRoles(checked, '', true)]
  return { file: '', folder, config: await withModelFiles({ ...checked, warnings }, folder) }
}

type Named = { name: string; entries: ImportedConfig['config']['models']; notes: ImportedConfig['notes'] }

function entriesNamed(folder: string, kind: Kind, names: string | undefined): Named[] {
  const wanted = names?.split(',').map((name) => name.trim()) ?? []
  if (wanted.length > 0 && wanted.every((name) => name !== '')) return wanted.flatMap((name) => entriesOf(folder, kind, name))
  throw new PromptError('missing', {
    where: `--${kind}`,
    problem: `no ${kind} given`,
    fix:
      kind === 'models'
        ? 'pass a model config file (--models NAME=URL if it is served), or --models openai:NAME@URL'
        : 'pass config file names: --datasets gsm8k_gen',
  })
}

function entriesOf(folder: string, kind: Kind, name: string): Named[] {
  const type = modelTypeNamed(name.split(':')[0])
  if (kind === 'models' && type) return [{ name, entries: [modelConfigOf({ model: name }, folder)], notes: [] }]
  return filesNamed(folder, kind, name).map((file) => ({ name, ...entriesIn(folder, kind, file) }))
}

function entriesIn(folder: string, kind: Kind, file: string): Omit<Named, 'name'> {
  const { config, notes } = importPython(file, { hashes: false })
  if (config[kind].length > 0) return { entries: config[kind], notes }
  throw new PromptError('missing', {
    where: relative(folder, file),
    problem: `the file has no ${kind}`,
    fix: `pass a file that defines them: --${kind} NAME`,
  })
}

/** The config file of this name, or all that match a pattern; several of one name are an error. */
function filesNamed(folder: string, kind: Kind, name: string): string[] {
  const folders = foldersOf(folder, kind)
  const files = folders.flatMap((one) => configFiles(folder, one))
  const found = files.filter((file) => basename(file, '.py') === name.replace(/\.py$/, ''))
  if (found.length === 1) return [join(folder, found[0]!)]
  const pattern = namePattern(name.replace(/\.py$/, ''))
  const matches = files.filter((file) => pattern?.test(basename(file, '.py'))).sort(compareCodePoints)
  if (matches.length > 0) return matches.map((file) => join(folder, file))
  if (found.length > 1)
    throw new PromptError('unknown-name', {
      where: `--${kind}`,
      problem: `there are several files ${name}.py: ${found.join(', ')}`,
      fix: 'pass the path of one as the config',
    })
  throw new PromptError('unknown-name', {
    where: `--${kind}`,
    problem: `there is no config file ${name}.py in ${folders.join(', ') || `configs/${kinds[kind][0]}`}`,
    fix: suggestName(name, [...new Set(files.map((file) => basename(file, '.py')))]),
  })
}

function foldersOf(folder: string, kind: Kind): string[] {
  const all = configFolders.flatMap((configs) => kinds[kind].map((one) => `${configs}/${one}`))
  return all.filter((one) => existsSync(join(folder, one)))
}

function configFiles(folder: string, within: string): string[] {
  return readdirSync(join(folder, within), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.py') && !basename(file).startsWith('__'))
    .map((file) => `${within}/${slashed(file)}`)
}
