import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { PromptError } from '@rolecall/core/internal/errors'
import { Command } from 'commander'
import { findPreset } from '../../node/config/dataset-presets.ts'
import { loadConfig } from '../../node/config/load-config.ts'
import { withPresetFolder } from '../../node/config/preset-files.ts'
import { cachedRepositories, removeRepository } from '../../node/hub/hub-contents.ts'
import { writeHubLock } from '../../node/hub/hub-lock.ts'
import { parseHubName } from '../../node/hub/hub-name.ts'
import { packHub, unpackHub } from '../../node/hub/hub-pack.ts'
import type { HubSource } from '../../node/hub/hub-site.ts'
import { hubUse } from '../../node/hub/hub-use.ts'
import { localDatasetPaths, localModelPath, usedHubSources } from '../../node/hub/local-paths.ts'
import { Hub } from '../../node/hub/open-hub.ts'
import { shownSize } from '../../node/hub/shown-size.ts'
import { taskDatasets } from '../../node/tasks/task-datasets.ts'
import { ownCommand } from '../screen/own-command.ts'
import { printNext, printReport } from '../screen/print-screen.ts'
import { printable, printWarnings } from '../terminal.ts'
import { hubReporter } from './report-hub.ts'

const whatDescription =
  'a config, a preset such as gsm8k, or a name on a hub: ORG/NAME, ORG/NAME:QUANTISATION, hf://datasets/ORG/NAME/CONFIG/SPLIT, ms://ORG/NAME'

type FetchOptions = { json: boolean; tasks?: string; includePath?: string[] }

const fetchCommand = new Command('fetch')
  .description('download what a config, a preset, tasks or a name needs, and print what it is')
  .argument('[what...]', whatDescription)
  .option('--tasks <names>', 'also what these lm-evaluation-harness tasks need (comma-separated)')
  .option('--include-path <folder...>', 'with --tasks: a folder with task files')
  .option('--json', 'print as JSON', false)
  .action(async (what: string[], options: FetchOptions) => printSources(await fetchAll(what, options), options.json))

const lockCommand = new Command('lock')
  .description('write rolecall.lock beside a config: the commits and file hashes that it uses')
  .argument('<config>', 'a config that names models or datasets on a hub')
  .action(async (config: string) => {
    if (!existsSync(config))
      throw new PromptError('no-file', { where: config, problem: 'there is no such config', fix: 'give the path of a config' })
    hubUse.locks = false
    const sources = await fetchAll([config])
    const folder = statSync(config).isDirectory() ? config : dirname(config)
    process.stdout.write(`wrote ${writeHubLock(folder, sources)}: ${sources.length} repositories\n`)
  })

const packCommand = new Command('pack')
  .description('write what a config, a preset, tasks or a name needs to a tar file, for a machine without a network')
  .argument('<what...>', `${whatDescription}; and last the tar file to write`)
  .option('--tasks <names>', 'also what these lm-evaluation-harness tasks need (comma-separated)')
  .option('--include-path <folder...>', 'with --tasks: a folder with task files')
  .action(async (words: string[], options: Pick<FetchOptions, 'tasks' | 'includePath'>) => {
    const [what, file] = [words.slice(0, -1), words.at(-1)!]
    if (existsSync(file) && !file.endsWith('.tar'))
      throw new PromptError('file-exists', {
        where: file,
        problem: 'the last word is the tar file to write, and this file exists',
        fix: 'add the name of a new file, e.g. pack.tar',
      })
    await packHub(await fetchAll(what, options, isLeftOut), file)
    process.stdout.write(`wrote ${file} (${shownSize(statSync(file).size)})\n`)
  })

const unpackCommand = new Command('unpack')
  .description('put the files of such a tar file into the cache of this machine')
  .argument('<file>', 'a file that `rolecall hub pack` wrote')
  .action(async (file: string) => {
    if (!existsSync(file)) throw new PromptError('no-file', { where: file, problem: 'there is no such file', fix: 'check the path' })
    process.stdout.write(`unpacked ${await unpackHub(file)} files\n`)
  })

const listCommand = new Command('list')
  .description('list the repositories in the caches of this machine')
  .option('--json', 'print as JSON', false)
  .action(({ json }: { json: boolean }) => {
    const found = cachedRepositories()
    if (json) return void process.stdout.write(`${JSON.stringify(found, null, 2)}\n`)
    for (const { name, bytes, files } of found)
      printReport(`${shownSize(bytes).padStart(9)}  ${String(files).padStart(4)} files  ${printable(name)}`)
    if (found.length > 0) return
    printReport('the cache is empty')
    printNext([{ command: `${ownCommand()} hub fetch ORG/NAME`, shows: 'tokenizer and template, no weights' }])
  })

const removeCommand = new Command('remove')
  .description('delete a repository from the cache, with all its revisions')
  .argument('<names...>', 'a name that `rolecall hub list` shows')
  .action((names: string[]) => {
    for (const name of names) {
      const { bytes } = removeRepository(name)
      process.stdout.write(`removed ${name} (${shownSize(bytes)})\n`)
    }
  })

export const hubCommand = new Command('hub')
  .description('download models and datasets from Hugging Face and ModelScope, lock them, and carry them to other machines')
  .addCommand(fetchCommand)
  .addCommand(lockCommand)
  .addCommand(packCommand)
  .addCommand(unpackCommand)
  .addCommand(listCommand)
  .addCommand(removeCommand)
  .addHelpText(
    'after',
    `
Files are kept where Python's clients keep them (HF_HOME, MODELSCOPE_CACHE) and are checked by size and hash.
HF_TOKEN, HF_ENDPOINT (a mirror), HF_HUB_OFFLINE and HTTPS_PROXY are respected.

Examples:
  rolecall hub fetch Qwen/Qwen3-8B                     its tokenizer and chat template, no weights
  rolecall hub fetch org/name-GGUF:Q4_K_M              weights
  rolecall hub fetch gsm8k --tasks hellaswag           the data of a preset and of a task
  rolecall hub lock rolecall.config.yaml               then: rolecall run --frozen
  rolecall hub pack rolecall.config.yaml pack.tar      and there: rolecall hub unpack pack.tar`,
  )

/** Downloads everything, and returns what it was. */
async function fetchAll(
  what: readonly string[],
  { tasks, includePath }: Pick<FetchOptions, 'tasks' | 'includePath'> = {},
  onLocal: (names: readonly string[]) => void = () => undefined,
): Promise<readonly HubSource[]> {
  if (what.length === 0 && tasks === undefined)
    throw new PromptError('missing', { where: 'hub', problem: 'nothing is given', fix: `give ${whatDescription}, or --tasks` })
  const report = hubReporter()
  if (tasks !== undefined) printWarnings((await taskDatasets({ tasks, ...(includePath ? { includePath } : {}) })).notes)
  for (const one of what) {
    if (existsSync(one)) await fetchConfig(one)
    else if (findPreset(one)?.hub !== undefined) await withPresetFolder({ preset: one }, { folder: process.cwd(), note: report.note })
    else if (parseHubName(one)?.kind === 'datasets') await localDatasetPaths(one, {}, report)
    else await fetchModelOnly(one)
  }
  return usedHubSources()

  async function fetchConfig(file: string): Promise<void> {
    const { config, folder } = await loadConfig(file)
    printWarnings(config.warnings.filter(({ code }) => code.startsWith('hub')))
    const { fetchLoaderData } = await import('../../node/rows/loader-rows.ts')
    const local: string[] = []
    for (const dataset of config.datasets) {
      if (typeof dataset.type !== 'string' || dataset.rows !== undefined) continue
      const isFromHub = await fetchLoaderData(dataset as typeof dataset & { type: string }, folder)
      if (!isFromHub) local.push(dataset.abbr ?? dataset.type)
    }
    if (local.length > 0) onLocal(local)
  }

  async function fetchModelOnly(name: string): Promise<void> {
    if ((await localModelPath(name, { ...report, weights: true })) !== name) return
    throw new PromptError('bad-hub-name', {
      where: name,
      problem: 'this is neither a config, nor a preset, nor the name of a repository on a hub',
      fix: `give ${whatDescription}`,
    })
  }
}

function printSources(sources: readonly HubSource[], json: boolean): void {
  const hub = new Hub()
  const sized = sources.map((source) => ({ ...source, bytes: hub.sizeOf(source) }))
  if (json) return void process.stdout.write(`${JSON.stringify(sized, null, 2)}\n`)
  for (const { repository, commit, files, bytes } of sized)
    printReport(
      `${shownSize(bytes).padStart(9)}  ${printable(repository)} at ${commit.slice(0, 12)}: ${Object.keys(files).map(printable).join(', ')}`,
    )
  if (sized.length > 1) process.stdout.write(`${shownSize(sized.reduce((sum, { bytes }) => sum + bytes, 0)).padStart(9)}  in all\n`)
  if (sized.length === 0) process.stdout.write('nothing comes from a hub\n')
}

/** OpenCompass's data is in another folder, which the tar file does not have. */
function isLeftOut(names: readonly string[]): void {
  const text = `their files are not packed: OpenCompass's data is in a data folder, or in ~/.cache/opencompass (COMPASS_DATA_CACHE); copy it too`
  printWarnings([{ code: 'hub-not-packed', where: names.join(', '), text }])
}
