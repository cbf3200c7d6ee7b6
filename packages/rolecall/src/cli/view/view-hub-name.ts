import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Row } from '@rolecall/core/internal/conversation'
import { PromptError } from '@rolecall/core/internal/errors'
import { dictEntries } from '@rolecall/core/internal/python'
import { checkUserConfig } from '../../node/config/check-user-config.ts'
import { type LoadedConfig, withModelFiles } from '../../node/config/load-config.ts'
import { type HubName, parseHubName } from '../../node/hub/hub-name.ts'
import { isCertainName, localDatasetPaths, localFolder, localModelPath } from '../../node/hub/local-paths.ts'
import { foldersNamed } from '../../node/runs/find-run.ts'
import { hubReporter } from '../hub/report-hub.ts'
import { lookAtRows } from '../init/look-at-rows.ts'
import { readSample } from '../init/read-sample.ts'
import type { RowsLook } from '../init/rows-look.ts'
import { UnclearRows } from '../init/unclear-rows.ts'
import { datasetOf } from '../init/write-config.ts'
import { printWarnings } from '../terminal.ts'

/** What `view` shows of a repository on a hub: a model's chat template, published results, or prompts of a dataset's rows. */
export type HubView = { template: string } | { results: string } | { config: LoadedConfig }

/** Results that harnesses write: of Rolecall, lm-evaluation-harness, Inspect and OpenCompass. */
const isResult = /(?:^|\/)(?:results_[^/]*\.json|samples_[^/]*\.jsonl|summary[^/]*\.(?:json|csv)|run\.json)$|\.eval$/

/** Opens a name on a hub; undefined if the text is a path, or cannot be a name. */
export async function viewHubName(text: string): Promise<HubView | undefined> {
  const name = existsSync(text) || isPathOfRuns(text) ? undefined : parseHubName(text)
  if (name === undefined) return undefined
  return name.kind === 'models' ? modelView(text, name) : datasetView(text)
}

/** `outputs/mine` is a missing run if there is a folder `outputs` here, or where the runs of the nearest config are. */
function isPathOfRuns(text: string): boolean {
  return !isCertainName(text) && foldersNamed(text).some((folder) => existsSync(dirname(folder)))
}

async function modelView(text: string, { id }: HubName): Promise<HubView | undefined> {
  try {
    const template = await localModelPath(text, hubReporter())
    return template === text ? undefined : { template }
  } catch (error) {
    if (!(error instanceof PromptError) || error.code !== 'hub-no-repository') throw error
    const { code, where, problem, fix } = error
    throw new PromptError(code, { where, problem, fix: `${fix}; a dataset is hf://datasets/${id}` })
  }
}

async function datasetView(text: string): Promise<HubView | undefined> {
  const report = hubReporter()
  const isPart = parseHubName(text)?.path !== undefined
  const results = isPart ? undefined : await resultsIn(text)
  if (results !== undefined) return { results }
  const paths = await localDatasetPaths(text, {}, report)
  if (paths === undefined) return undefined
  const { rows, csv } = await readSample(paths[0]!, {})
  const dataset = { ...datasetOf({ path: text, ...(csv && { csv }), look: lookOf(rows, text) }), abbr: text }
  const folder = process.cwd()
  const config = checkUserConfig({ models: [{ abbr: 'chatml', format: 'chatml' }], datasets: [dataset] }, folder, `${text} › `)
  return { config: { file: text, folder, config: await withModelFiles(config, folder) } }
}

/** The folder with the results in a repository; undefined if it has rows only. */
async function resultsIn(text: string): Promise<string | undefined> {
  let hasResults = false
  const choose = (paths: readonly string[]) => {
    const found = paths.filter((path) => isResult.test(path))
    hasResults = found.length > 0
    // Otherwise the card alone is enough, which is needed for the rows, too.
    return hasResults ? found : paths.filter((path) => path === 'README.md')
  }
  try {
    const folder = await localFolder(text, choose, hubReporter())
    return hasResults ? folder : undefined
  } catch (error) {
    if (error instanceof PromptError && error.code === 'hub-no-file') return undefined
    throw error
  }
}

/** The prompt that `init` would write for these rows; all columns if that is unclear. */
function lookOf(rows: readonly Row[], text: string): RowsLook {
  try {
    return lookAtRows(rows)
  } catch (error) {
    if (!(error instanceof UnclearRows)) throw error
    const columns = rows[0] === undefined ? [] : dictEntries(rows[0]).map(([name]) => name)
    printWarnings([
      {
        code: 'view-columns',
        where: text,
        text: `${error.problem}: every column is shown; \`rolecall init --data ${text}\` writes a config with a prompt`,
      },
    ])
    return {
      is: 'rows',
      inputs: columns,
      system: '',
      prompt: columns.map((name) => `${name}: {${name}}`).join('\n'),
      isSaid: false,
      uses: [],
    }
  }
}
