import type { Command } from 'commander'
import { hubProgress } from '../node/hub/hub-progress.ts'
import type { HubProgress } from '../node/hub/open-hub.ts'
import { dataDownloads } from '../node/rows/data-downloads.ts'

/** Flags of any command that take a model's files. */
const modelFlags = ['chatTemplate', 'tokenizer']

/** Commands whose arguments are templates, models or formats. */
const modelArguments: ReadonlySet<string> = new Set(['formats', 'lint', 'diff', 'convert'])

/** Commands that download missing data of OpenCompass. */
const rowCommands: ReadonlySet<string> = new Set(['run', 'render', 'tokens', 'export', 'score'])

/**
 * Replaces the names of models on a hub by local paths, in the flags and arguments of a command that is about to start: commands
 * only know files. Only what a prompt needs is downloaded.
 */
export async function useHubNames(command: Command): Promise<void> {
  if (command.getOptionValue('frozen') === true) process.env.ROLECALL_FROZEN = '1'
  showProgress()
  if (rowCommands.has(command.name())) {
    dataDownloads.download = async (archive) => (await import('../node/hub/opencompass-archives.ts')).fetchDataArchive(archive)
    dataDownloads.tokenizer = async (model) => (await import('../node/hub/named-tokenizer.ts')).namedTokenizer(model)
    dataDownloads.repository = async (id) => (await import('../node/hub/local-paths.ts')).localRepository(id)
  }
  const flags = modelFlags.filter((flag) => mayBeName(command.getOptionValue(flag)))
  const hasNames = modelArguments.has(command.name()) && command.processedArgs.flat().some(mayBeName)
  if (flags.length === 0 && !hasNames) return
  const { localModelPath } = await import('../node/hub/local-paths.ts')
  const { isFormatName } = await import('../../prompt/format/named-format.ts')
  const report = (await import('./hub/report-hub.ts')).hubReporter()
  for (const flag of flags) command.setOptionValue(flag, await localModelPath(command.getOptionValue(flag) as string, report))
  if (!hasNames) return
  const local = (value: unknown) => (mayBeName(value) && !isFormatName(value) ? localModelPath(value, report) : value)
  const given = command.processedArgs
  for (const [index, value] of given.entries())
    given[index] = Array.isArray(value) ? await Promise.all(value.map(local)) : await local(value)
}

/** Every name has a slash or a scheme; loading the hub takes time that most commands do not need. */
function mayBeName(value: unknown): value is string {
  return typeof value === 'string' && /[/:]/.test(value) && !value.startsWith('.') && !value.startsWith('/')
}

/** Downloads that a config asks for are shown, too. */
function showProgress(): void {
  let reporter: Promise<(progress: HubProgress) => void> | undefined
  hubProgress.show = (progress) => {
    reporter ??= import('./hub/report-hub.ts').then(({ hubReporter }) => hubReporter().onProgress)
    void reporter.then((show) => show(progress))
  }
}
