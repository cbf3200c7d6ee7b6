import { dirname, resolve } from 'node:path'
import { PromptError } from '@rolecall/core/internal/errors'
import type { DatasetConfig } from '../../evaluation/config/config-schema.ts'
import { selectByName } from '../../evaluation/config/select-by-name.ts'
import type { Compared, ComparedDataset } from '../../node/with-python/compare-opencompass.ts'
import { exitCodes, setExitCode } from '../exit-codes.ts'
import { printJson } from '../print-json.ts'
import { ownCommand } from '../screen/own-command.ts'
import { colors, printable, printWarnings } from '../terminal.ts'

export type CompareConfigFlags = {
  opencompass?: string
  withPython?: string | true
  datasets?: string
  rows: number
  json: boolean
}

/** The most rows of a dataset that are compared value by value. */
const mostRows = 10_000

/** Shows whether OpenCompass makes the same rows, prompts and scores of a config. */
export async function compareConfig(
  named: string | undefined,
  { opencompass: config, withPython, datasets, rows, json }: CompareConfigFlags,
): Promise<void> {
  if (config === undefined || withPython === undefined || named !== undefined) {
    const problem =
      config === undefined
        ? '--with-python runs the classes of an OpenCompass config, and none is named'
        : 'a config is compared in your own Python, and with nothing else'
    throw new PromptError('missing', {
      where: 'compare',
      problem,
      fix: `${ownCommand()} compare --opencompass CONFIG --with-python [PATH]`,
    })
  }
  const { openConfig } = await import('../../node/config/open-config.ts')
  const { findCheckout } = await import('../../node/own-classes.ts')
  const { registerPlugIns } = await import('../../node/plug-ins.ts')
  const { PythonWorkerHost } = await import('../../node/with-python/python-worker-host.ts')
  const { compareWithOpenCompass } = await import('../../node/with-python/compare-opencompass.ts')
  registerPlugIns()
  const opened = await openConfig(config, {})
  if (opened === undefined) throw new PromptError('no-file', { where: config, problem: 'there is no such config', fix: 'check the path' })
  const { loaded } = opened
  const folder = dirname(resolve(config))
  const chosen: DatasetConfig[] = selectByName(loaded.config.datasets as DatasetConfig[], datasets, '--datasets')
  const python = withPython === true || withPython === 'true' ? undefined : withPython
  const host = new PythonWorkerHost({ python, paths: [folder, process.cwd()], checkout: findCheckout(folder) })
  printWarnings([
    {
      code: 'own-python',
      where: '--with-python',
      text: `${config} and the classes that it names are executed by ${host.executable}, with your rights`,
    },
  ])
  const found: ComparedDataset[] = []
  try {
    for await (const each of compareWithOpenCompass(
      host,
      { file: resolve(config), folder: loaded.folder, datasets: chosen },
      { rows: mostRows, prompts: rows },
    )) {
      found.push(each)
      if (!json) process.stdout.write(`${shown(each)}\n`)
    }
  } finally {
    host.close()
  }
  const different = found.filter((each) => partsOf(each).some(([, { kind }]) => kind === 'different'))
  const failure =
    different.length === 0
      ? undefined
      : {
          code: 'differs',
          problem: `${different.length} of ${found.length} datasets differ from OpenCompass: ${different.map(({ dataset }) => dataset).join(', ')}`,
          exit_code: exitCodes['check-failed'].code,
        }
  if (json) return printJson(found, failure)
  const equal = found.filter((each) => partsOf(each).every(([, { kind }]) => kind === 'equal')).length
  process.stdout.write(
    `\n${equal} of ${found.length} datasets are equal in rows, prompts and scores; ${different.length} differ, the others were compared in part\n`,
  )
  setExitCode(failure)
}

function partsOf({ rows, prompts, scores }: ComparedDataset): [string, Compared][] {
  return [
    ['rows', rows],
    ['prompts', prompts],
    ['scores', scores],
  ]
}

function shown(compared: ComparedDataset): string {
  const lines = partsOf(compared).map(([part, result]) => `  ${part.padEnd(8)}${textOf(result)}`)
  return [printable(compared.dataset), ...lines].join('\n')
}

function textOf(result: Compared): string {
  switch (result.kind) {
    case 'equal':
      return `${result.count} equal${result.shows === undefined ? '' : printable(` (${result.shows})`)}`
    case 'different':
      return colors.red(`differ: ${printable(result.at)}`)
    case 'not-compared':
      return `not compared: ${printable(result.why)}`
    default:
      return result satisfies never
  }
}
