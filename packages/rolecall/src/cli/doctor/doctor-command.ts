import { PromptError } from '@rolecall/core/internal/errors'
import { Command } from 'commander'
import type { ScreenBlock } from '../screen/blocks.ts'
import { printScreen } from '../screen/print-screen.ts'
import { type DoctorReport, doctorReport } from './doctor-report.ts'

export const doctorCommand = new Command('doctor')
  .description('why the scores of a run are low, from its replies alone; without a run: versions, packages and caches, for bug reports')
  .argument('[run]', "a run's folder, a folder of runs (its latest is used), or the config that was run")
  .option(
    '--try',
    'with a run: score its replies with the proposed check, and write the new score beside the old, into summary/tried.json',
    false,
  )
  .option('--offline', 'do not contact the Hugging Face hub', false)
  .option('--json', 'print as JSON', false)
  .addHelpText(
    'after',
    `
The report has no secrets: only the names of environment variables, addresses without passwords and parameters, paths without the user name.

With a run, no model is asked: replies are scored again in other ways, one half of the rows choosing and the other measuring, and replies, gold
answers and rows are examined. Each finding has its rows, what it would gain, and the change of the config.

Examples:
  rolecall doctor
  rolecall doctor outputs/qa          the latest run in the folder
  rolecall doctor outputs/qa --try    the score with the proposed check
  rolecall doctor --offline --json > doctor.json`,
  )
  .action(async (run: string | undefined, { offline, json, try: tries }: { offline: boolean; json: boolean; try: boolean }) => {
    if (run !== undefined) return (await import('./score-doctor.ts')).examineScores(run, { json, tries })
    if (tries)
      throw new PromptError('missing', {
        where: '--try',
        problem: 'there is no run to try changes on',
        fix: 'name one: rolecall doctor RUN --try',
      })
    const report = await doctorReport({ offline })
    if (json) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
    else printScreen(reportBlocks(report))
  })

function reportBlocks({ rolecall, machine, peers, caches, hub, environment }: DoctorReport): ScreenBlock[] {
  const { memory, disk } = machine
  const limit = memory.limit === null ? '' : `, limited to ${sizeText(memory.limit)}`
  const lines: [name: string, text: string][] = [
    ['rolecall', `${rolecall.version} in ${rolecall.folder}`],
    ['config', rolecall.config ?? 'none in this folder or above'],
    ['node', `${machine.node}, ${machine.platform}; terminal: ${machine.terminal}`],
    ['processor', `${machine.cores} ${machine.cores === 1 ? 'core' : 'cores'}, ${machine.processor}`],
    [
      'memory',
      `${sizeText(memory.total)}, ${sizeText(memory.free)} free${limit}; disk: ${disk === null ? 'unknown' : `${sizeText(disk)} free`} here`,
    ],
    ['hub', `${hub.address}${hub.proxy === null ? '' : ` through ${hub.proxy}`}: ${hub.state} (${hub.detail})`],
    ...caches.map(({ what, folder, files, bytes, isWhole }): [string, string] => [
      'cache',
      `${folder}: ${what}, ${isWhole ? '' : 'more than '}${sizeText(bytes)} in ${files.toLocaleString('en-US')} ${files === 1 ? 'file' : 'files'}`,
    ]),
    ['variables', environment.join(' ') || 'none that Rolecall reads'],
  ]
  const label = ([name, text]: [name: string, text: string]): ScreenBlock => ({
    kind: 'label',
    label: name.padEnd(10),
    tone: 'quiet',
    texts: [text],
    gap: 1,
  })
  return [
    { kind: 'group', blocks: lines.map(label) },
    {
      kind: 'group',
      blocks: [
        { kind: 'prose', text: 'optional packages' },
        { kind: 'indented', by: 2, blocks: peers.flatMap(peerBlocks) },
        { kind: 'prose', text: 'There are no secrets above: paste it into a bug report.', tone: 'quiet' },
      ],
    },
  ]
}

function peerBlocks({ feature, versions, install }: DoctorReport['peers'][number]): ScreenBlock[] {
  const isAllMissing = Object.values(versions).every((version) => version === null)
  const names = isAllMissing ? ['missing'] : Object.entries(versions).map(([name, version]) => `${name} ${version ?? 'missing'}`)
  return [
    { kind: 'label', label: `${feature}:`, tone: install === null ? 'good' : 'quiet', texts: [names.join(', ')], gap: 1 },
    ...(install === null
      ? []
      : [
          {
            kind: 'indented' as const,
            by: 2,
            blocks: [{ kind: 'label' as const, label: '→', tone: 'quiet' as const, texts: [install], gap: 1 }],
          },
        ]),
  ]
}

/** A size in binary units, such as `3.3 MiB`. */
function sizeText(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  const value = bytes / 1024 ** power
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[power]}`
}
