import { Command } from 'commander'
import { type DatasetPreset, datasetPresets } from '../compat/benchmarks/index.ts'
import { shownSize } from '../node/hub/shown-size.ts'
import { colors } from './terminal.ts'

export const presetsCommand = new Command('presets')
  .description('list the known benchmarks, where they come from and the files each of them reads')
  .option('--json', 'print the list as JSON', false)
  .addHelpText(
    'after',
    `
Examples:
  rolecall list presets
  rolecall run --preset gsm8k --base-url http://127.0.0.1:8000/v1  downloads its files from Hugging Face
  rolecall run --preset mmlu --data ~/data/mmlu                 by generation, with five examples
  rolecall run --preset mmlu --data ~/data/mmlu --mode ppl      by perplexity
  rolecall render --preset gsm8k --data ~/data/gsm8k --shots 0  show the prompts`,
  )
  .action(async ({ json }: { json: boolean }) => {
    const { cachedSize } = await import('../node/hub/hub-contents.ts')
    const list = datasetPresets.map(({ name, does, modes, shots, layouts, hub }) => ({
      name,
      does,
      modes,
      shots,
      files: layouts.map(({ test }) => test),
      ...(hub ? { hub: { ...hub, cached_bytes: cachedSize(`hf://datasets/${hub.name}`) } } : {}),
    }))
    process.stdout.write(json ? `${JSON.stringify(list, null, 2)}\n` : `${list.map(shown).join('\n\n')}\n`)
  })

type Listed = Pick<DatasetPreset, 'name' | 'does' | 'modes' | 'shots'> & {
  files: string[]
  hub?: DatasetPreset['hub'] & { cached_bytes: number | undefined }
}

function shown({ name, does, modes, shots, files, hub }: Listed): string {
  const ways = modes.map((mode) => (mode === 'ppl' ? 'perplexity' : 'generation')).join(' or ')
  const lines = [
    `${colors.bold(name)}  ${does}`,
    `  by ${ways}, ${shots} ${shots === 1 ? 'example' : 'examples'}`,
    ...(hub ? [`  ${hub.name} on Hugging Face, ${sizes(hub)}, ${hub.licence}`] : ['  from your own files']),
    `  ${colors.dim(files.join('\n  '))}`,
  ]
  return lines.join('\n')
}

/** The size that is stated for the download, and that of the files in the cache. */
function sizes({ megabytes, cached_bytes: bytes }: NonNullable<Listed['hub']>): string {
  return `about ${megabytes} MB${bytes === undefined ? '' : ` (${shownSize(bytes)} in the cache)`}`
}
