import { Command } from 'commander'
import { colors, printable } from '../terminal.ts'
import { type DoctorReport, doctorReport } from './doctor-report.ts'

export const doctorCommand = new Command('doctor')
  .description('print versions, optional packages, caches and the reachability of the hub, for bug reports')
  .option('--offline', 'do not contact the Hugging Face hub', false)
  .option('--json', 'print as JSON', false)
  .addHelpText(
    'after',
    `
The report has no secrets: only the names of environment variables, addresses without passwords and parameters, paths without the user name.

Examples:
  rolecall doctor
  rolecall doctor --offline --json > doctor.json`,
  )
  .action(async ({ offline, json }: { offline: boolean; json: boolean }) => {
    const report = await doctorReport({ offline })
    process.stdout.write(json ? `${JSON.stringify(report, null, 2)}\n` : `${printable(showReport(report))}\n`)
  })

function showReport({ rolecall, machine, peers, caches, hub, environment }: DoctorReport): string {
  const { memory, disk } = machine
  const limit = memory.limit === null ? '' : `, limited to ${sizeText(memory.limit)}`
  const lines: [name: string, text: string][] = [
    ['rolecall', `${rolecall.version} in ${rolecall.folder}`],
    ['config', rolecall.config ?? 'none in this folder or above'],
    ['node', `${machine.node}, ${machine.platform}`],
    ['processor', `${machine.cores} ${machine.cores === 1 ? 'core' : 'cores'}, ${machine.processor}`],
    ['memory', `${sizeText(memory.total)}, ${sizeText(memory.free)} free${limit}`],
    ['disk', disk === null ? 'unknown' : `${sizeText(disk)} free in this folder`],
    ['terminal', machine.terminal],
    ['hub', `${hub.address}${hub.proxy === null ? '' : ` through ${hub.proxy}`}: ${hub.state} (${hub.detail})`],
    ...caches.map(({ what, folder, files, bytes, isWhole }): [string, string] => [
      'cache',
      `${folder}: ${what}, ${isWhole ? '' : 'more than '}${sizeText(bytes)} in ${files.toLocaleString('en-US')} ${files === 1 ? 'file' : 'files'}`,
    ]),
    ['variables', environment.join(' ') || 'none that Rolecall reads'],
  ]
  return [...lines.map(([name, text]) => `${name.padEnd(10)} ${text}`), '', 'optional packages', ...peers.map(peerLine)].join('\n')
}

function peerLine({ feature, versions, install }: DoctorReport['peers'][number]): string {
  const names = Object.entries(versions).map(([name, version]) => `${name} ${version ?? colors.dim('missing')}`)
  return `  ${feature}: ${names.join(', ')}${install === null ? '' : `\n    ${colors.dim('→')} ${install}`}`
}

/** A size in binary units, such as `3.3 MiB`. */
function sizeText(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  const value = bytes / 1024 ** power
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[power]}`
}
