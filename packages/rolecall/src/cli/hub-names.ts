import { PromptError } from '@rolecall/core/internal/errors'
import type { Command } from 'commander'
import { hubUse } from '../node/hub/hub-use.ts'
import { dataDownloads } from '../node/rows/data-downloads.ts'
import type { hubReporter } from './hub/report-hub.ts'

/** Commands whose arguments are templates, models or formats. */
const modelArguments: ReadonlySet<string> = new Set(['formats', 'lint', 'diff', 'convert'])

/** Commands whose arguments are files of rows. */
const dataArguments: ReadonlySet<string> = new Set(['export'])

/** Commands that open models; the others need only the metadata of a GGUF file. */
const weightCommands: ReadonlySet<string> = new Set(['run', 'serve', 'chat', 'worker', 'score', 'fetch', 'pack'])

/** Commands that run for days: the network may come back, and a branch may move on. */
const longLived: ReadonlySet<string> = new Set(['serve', 'view', 'worker', 'chat'])

/** Commands that download missing data of OpenCompass. */
const rowCommands: ReadonlySet<string> = new Set(['run', 'render', 'tokens', 'export', 'score', 'fetch', 'lock', 'pack'])

/**
 * Replaces the names of models on a hub by local paths, in the flags and arguments of a command that is about to start: commands
 * only know files. Only what a prompt needs is downloaded.
 */
export async function useHubNames(command: Command): Promise<void> {
  if (command.getOptionValue('frozen') === true) process.env.ROLECALL_FROZEN = '1'
  showProgress()
  hubUse.sources.clear()
  hubUse.memory = longLived.has(command.name()) ? undefined : { listings: new Map(), unreachable: new Map() }
  hubUse.locks = true
  hubUse.weights = weightCommands.has(command.name()) && command.getOptionValue('dryRun') !== true
  if (rowCommands.has(command.name())) {
    dataDownloads.for = (folder) => ({
      download: async (archive) => (await import('../node/hub/opencompass-archives.ts')).fetchDataArchive(archive),
      tokenizer: async (model) => (await import('../node/hub/named-tokenizer.ts')).namedTokenizer(model, { folder }),
      repository: async (id) => (await import('../node/hub/local-paths.ts')).localRepository(id, { folder }),
      split: async (id, part) => (await import('../node/hub/local-paths.ts')).localNamedSplit(id, part, { folder }),
      note: (note) => hubUse.note(note),
    })
  }
  const flags = await flagsWithNames(command)
  const takesNames = modelArguments.has(command.name()) || dataArguments.has(command.name())
  const hasNames = takesNames && command.processedArgs.flat().some(mayBeName)
  const gguf = /^gguf:(.+)$/s.exec(String(command.getOptionValue('model')))?.[1]
  const hasGguf = mayBeName(gguf)
  if (flags.length === 0 && !hasNames && !hasGguf) return
  const { localDatasetPaths, localGgufPath, localModelPath } = await import('../node/hub/local-paths.ts')
  const { isFormatName } = await import('@rolecall/core/internal/format')
  const report = (await import('./hub/report-hub.ts')).hubReporter()
  const { nearFormat } = await import('../node/formats/read-format.ts')
  const localFormat = async (text: string) =>
    isFormatName(text) ? text : localModelPath(text, report).catch(withNearName(text, nearFormat(text)))
  for (const flag of flags) command.setOptionValue(flag, await localFormat(command.getOptionValue(flag) as string))
  if (hasGguf) command.setOptionValue('model', `gguf:${await localGgufPath(gguf, { ...report, weights: hubUse.weights })}`)
  if (!hasNames) return
  const isData = dataArguments.has(command.name())
  const local = async (value: unknown) => {
    if (!mayBeName(value)) return value
    if (isData) return (await localDatasetPaths(value, {}, report)) ?? value
    return localFormat(value)
  }
  const given = command.processedArgs
  for (const [index, value] of given.entries())
    given[index] = Array.isArray(value) ? (await Promise.all(value.map(local))).flat() : await local(value)
}

/** The flags of a command that take a model's files or a format, and may have the name of a repository. */
async function flagsWithNames(command: Command): Promise<string[]> {
  const given = Object.entries(command.opts()).flatMap(([key, value]) => (mayBeName(value) ? [key] : []))
  if (given.length === 0) return []
  const { flagKey, formatFlags } = await import('../node/formats/format-flags.ts')
  const takesFiles = new Set<string>([...formatFlags.map(({ name }) => flagKey(name)), 'tokenizer'])
  return given.filter((key) => takesFiles.has(key))
}

/** A name that is on no hub may be the misspelt one of a format, such as `new/llama-2`. */
function withNearName(text: string, near: string | undefined): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof PromptError) || near === undefined) throw error
    const { code, where, problem, fix } = error
    throw new PromptError(code, { where, problem, fix: `if "${text}" is a format, did you mean "${near}"? Otherwise ${fix}` })
  }
}

/** Every name has a slash or a scheme; loading the hub takes time that most commands do not need. */
function mayBeName(value: unknown): value is string {
  return typeof value === 'string' && /[/:]/.test(value) && !value.startsWith('.') && !value.startsWith('/')
}

/** Downloads that a config asks for are shown, too. */
function showProgress(): void {
  let loading: Promise<ReturnType<typeof hubReporter>> | undefined
  const reporter = () => {
    loading ??= import('./hub/report-hub.ts').then((module) => module.hubReporter())
    return loading
  }
  hubUse.show = (progress) => void reporter().then(({ onProgress }) => onProgress(progress))
  hubUse.note = (note) => void reporter().then((report) => report.note(note))
}
