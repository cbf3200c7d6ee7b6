import { Command } from 'commander'
import { type DatasetPreset, datasetPresets } from '../compat/benchmarks/index.ts'
import { selectByName } from '../evaluation/config/select-by-name.ts'
import { shownSize } from '../node/hub/shown-size.ts'
import { countText } from './screen/amounts.ts'
import type { ScreenBlock } from './screen/blocks.ts'
import { ownCommand } from './screen/own-command.ts'
import { printNext, printScreen } from './screen/print-screen.ts'

export const presetsCommand = new Command('presets')
  .description('list the known benchmarks, where they come from and the files each of them reads')
  .argument('[name]', 'one of them, with its files and licence')
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
  .action(async (named: string | undefined, { json }: { json: boolean }) => {
    const { cachedSize } = await import('../node/hub/hub-contents.ts')
    const list = datasetPresets.map(({ name, does, modes, shots, layouts, hub }) => ({
      name,
      does,
      modes,
      shots,
      files: layouts.map(({ test }) => test),
      ...(hub ? { hub: { ...hub, cached_bytes: cachedSize(`hf://datasets/${hub.name}`) } } : {}),
    }))
    const [only] =
      named === undefined
        ? []
        : selectByName(
            list.map((preset) => ({ ...preset, abbr: preset.name })),
            named,
            'rolecall list presets',
          )
    if (json) return void process.stdout.write(`${JSON.stringify(only ?? list, null, 2)}\n`)
    printScreen(only ? presetBlocks(only) : listBlocks(list))
    const shown = only?.name ?? 'gsm8k'
    printNext([{ command: `${ownCommand()} render --preset ${shown}`, shows: 'its prompts' }])
  })

type Listed = Pick<DatasetPreset, 'name' | 'does' | 'modes' | 'shots'> & {
  files: string[]
  hub?: DatasetPreset['hub'] & { cached_bytes: number | undefined }
}

/** A line for each benchmark. */
function listBlocks(presets: readonly Listed[]): ScreenBlock[] {
  const rows = presets.map(({ name, does, modes, shots, hub }) => ({
    cells: [
      { text: name, tone: 'strong' as const },
      { text: hub ? `${hub.megabytes} MB` : '–' },
      { text: modes.map((mode) => (mode === 'ppl' ? 'perplexity' : 'generation')).join(', ') },
      { text: String(shots) },
      { text: does.replace(/^[^:]*: /, '') },
    ],
  }))
  const columns = [
    {},
    { title: 'download', isNumber: true },
    { title: 'by', mayDrop: true },
    { title: 'shots', isNumber: true },
    { title: 'what', mayCut: true },
  ]
  return [
    { kind: 'prose', text: countText(presets.length, 'known benchmark') },
    { kind: 'grid', columns, rows },
    { kind: 'prose', text: 'one with its files and licence: rolecall list presets NAME', tone: 'quiet' },
  ]
}

/** A benchmark with its source and its files. */
function presetBlocks({ name, does, modes, shots, files, hub }: Listed): ScreenBlock[] {
  const ways = modes.map((mode) => (mode === 'ppl' ? 'perplexity' : 'generation')).join(' or ')
  const source = hub ? `${hub.name} on Hugging Face, ${sizes(hub)}, ${hub.licence}` : 'your own files'
  const label = (text: string, texts: readonly string[]): ScreenBlock => ({ kind: 'label', label: text, tone: 'quiet', texts })
  return [
    { kind: 'parts', parts: [name, does], tone: 'strong' },
    {
      kind: 'group',
      blocks: [label('asked', [`by ${ways}, with ${countText(shots, 'example')}`]), label('from ', [source]), label('files', files)],
    },
  ]
}

/** The size that is stated for the download, and that of the files in the cache. */
function sizes({ megabytes, cached_bytes: bytes }: NonNullable<Listed['hub']>): string {
  return `about ${megabytes} MB${bytes === undefined ? '' : ` (${shownSize(bytes)} in the cache)`}`
}
