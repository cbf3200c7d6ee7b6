import { Command } from 'commander'
import { datasetPresets } from '../../compat/benchmarks/index.ts'
import { colors } from './terminal.ts'

export const presetsCommand = new Command('presets')
  .description('list the known benchmarks and the files each of them reads')
  .option('--json', 'print the list as JSON', false)
  .addHelpText(
    'after',
    `
Examples:
  rolecall presets
  rolecall run --preset mmlu --data ~/data/mmlu                 by generation, with five examples
  rolecall run --preset mmlu --data ~/data/mmlu --mode ppl      by perplexity
  rolecall render --preset gsm8k --data ~/data/gsm8k --shots 0  show the prompts`,
  )
  .action(({ json }: { json: boolean }) => {
    const list = datasetPresets.map(({ name, does, modes, shots, layouts }) => ({
      name,
      does,
      modes,
      shots,
      files: layouts.map(({ test }) => test),
    }))
    process.stdout.write(json ? `${JSON.stringify(list, null, 2)}\n` : `${list.map(shown).join('\n\n')}\n`)
  })

function shown({
  name,
  does,
  modes,
  shots,
  files,
}: {
  name: string
  does: string
  modes: readonly string[]
  shots: number
  files: string[]
}) {
  const ways = modes.map((mode) => (mode === 'ppl' ? 'perplexity' : 'generation')).join(' or ')
  const lines = [
    `${colors.bold(name)}  ${does}`,
    `  by ${ways}, ${shots} ${shots === 1 ? 'example' : 'examples'}`,
    `  ${colors.dim(files.join('\n  '))}`,
  ]
  return lines.join('\n')
}
