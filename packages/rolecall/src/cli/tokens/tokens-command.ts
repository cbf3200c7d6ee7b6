import type { Note } from '@rolecall/core/internal/errors'
import type { Prompt } from '@rolecall/core/internal/format'
import { maskOf } from '@rolecall/core/internal/masks'
import type { Tokenizer } from '@rolecall/core/internal/tokenizer'
import { missingMarkers, tokenize } from '@rolecall/core/internal/tokenizer'
import { Command } from 'commander'
import { type TrainedAnswer, trainedPart } from '../../workbench/training/trained-answer.ts'
import { withSelection } from '../flags.ts'
import { type LoadedSelection, loadOrExample, type ViewSelection, viewAll } from '../render/collect-views.ts'
import { heading, indented, legendBlock } from '../render/show-view.ts'
import type { View } from '../render/view.ts'
import type { ScreenBlock } from '../screen/blocks.ts'
import { noteBlocks } from '../screen/note-blocks.ts'
import { printScreen } from '../screen/print-screen.ts'
import { colors, printWarnings } from '../terminal.ts'
import { countByOrigin, showTokens, tokenizerFor } from './show-tokens.ts'

type Options = ViewSelection & { tokenizer?: string; json: boolean; mask: boolean }

export const tokensCommand = withSelection(new Command('tokens'))
  .description('print the tokens of prompts with their ids')
  .option(
    '--tokenizer <path>',
    "a model on a hub (ORG/NAME), a model folder, tokenizer.json or tokenizer.model (default: the model's tokenizer_path, else the built-in one)",
  )
  .option('--mask', 'show prompts with their answers, and which tokens a model would be trained on: those it writes itself', false)
  .option('--json', 'print ids and tokens with their spans as JSON', false)
  .addHelpText(
    'after',
    `
Examples:
  rolecall tokens                                 the shipped example with the shipped tokenizer
  rolecall tokens --tokenizer ~/models/qwen3      with a model's own
  rolecall tokens --mask                          which of them a model is trained on
  rolecall tokens --json | jq '.[0].ids'          the ids, for programs`,
  )
  .action(async (config: string | undefined, options: Options) => {
    const loaded = await loadOrExample(config, options)
    const { views, notes } = options.mask ? await maskedViews(loaded, options) : await viewAll(loaded, options)
    const tokenized = views.map((view) => ({ view, tokenizer: tokenizerFor(view, options.tokenizer) }))
    if (options.json) {
      printWarnings(notes)
      process.stdout.write(`${JSON.stringify(tokenized.map(asJson), null, 2)}\n`)
    } else {
      const shown = tokenized.map(shownTokens)
      const all = noteBlocks([...shown.flatMap(({ notes }) => notes), ...notes], '--json has all')
      printScreen([
        ...shown.map(({ block }) => block),
        legendBlock(views, 'control tokens'),
        ...(all.length > 0 ? [{ kind: 'group' as const, blocks: all }] : []),
      ])
    }
  })

type Tokenizable = { view: View & { trained?: TrainedAnswer }; tokenizer: Tokenizer }

function asJson({ view: { rendered, markers, tokens: needed, tokenizer: _, writer: __, trained, ...view }, tokenizer }: Tokenizable) {
  const { prompt } = rendered
  if (prompt.kind === 'chat') return { ...view, ids: null, why: 'only the server knows how it writes messages' }
  const { ids, tokens, notes } = tokenize(prompt, tokenizer, { markers, tokens: needed })
  const allNotes = notesOf(prompt, markers, tokenizer, notes)
  return {
    ...view,
    tokenizer: tokenizer.name,
    ids,
    tokens: tokens.map((token) => ({ ...token, text: tokenizer.tokenOf(token.id) })),
    ...(trained && ('span' in trained ? { mask: maskOf(tokens, [trained.span]) } : { mask: null, undecided: trained.why })),
    notes: allNotes,
  }
}

/** Wider lines of tokens are hard to read. */
const widestTokens = 120

function shownTokens({ view, tokenizer }: Tokenizable): { block: ScreenBlock; notes: Note[] } {
  const { prompt } = view.rendered
  const tokenized =
    prompt.kind === 'chat' ? undefined : { prompt, ...tokenize(prompt, tokenizer, { markers: view.markers, tokens: view.tokens }) }
  const { trained } = view
  const mask = tokenized && trained && 'span' in trained ? maskOf(tokenized.tokens, [trained.span]) : undefined
  const draw = (columns: number) => {
    const width = Math.min(columns, widestTokens)
    const lines = tokenized ? showTokens(tokenized.prompt, tokenized.tokens, tokenizer, width - 2, mask) : []
    return [
      heading(view, width),
      ...lines.map(({ text, continues }) => `${colors.dim(continues ? '┊' : '│')} ${text}`),
      colors.dim('╰─'),
      ...indented([countByOrigin(view, tokenizer), ...(trained ? [showTrained(trained, mask)] : [])], width),
    ]
  }
  return { block: { kind: 'drawn', draw }, notes: tokenized ? notesOf(prompt, view.markers, tokenizer, tokenized.notes) : [] }
}

/** The prompt's notes on its text, and those of the tokenizer. */
function notesOf(prompt: Prompt, markers: readonly string[], tokenizer: Tokenizer, notes: readonly Note[]): Note[] {
  const stops = prompt.stop.flatMap((stop) => ('token' in stop ? [stop.token] : []))
  const lookAlikes = prompt.notes.filter(({ code }) => code === 'marker-in-data')
  return [...lookAlikes, ...missingMarkers([...markers, ...stops], tokenizer), ...notes]
}

/** Prompts with their answers, and the part the model writes, which starts where the generative prompt ends. */
async function maskedViews(
  loaded: LoadedSelection,
  options: Options,
): Promise<{ views: (View & { trained: TrainedAnswer })[]; notes: Note[] }> {
  const generative = await viewAll(loaded, { ...options, mode: 'gen', label: undefined })
  const complete = await viewAll(loaded, { ...options, mode: 'ppl' })
  const key = ({ model, format, dataset, row }: View) => JSON.stringify([model, format, dataset, row])
  const prompts = new Map(generative.views.map((view) => [key(view), view.rendered.prompt]))
  const views = complete.views.map((view) => {
    const trained = trainedPart({ prompt: view.rendered.prompt, label: view.label }, prompts.get(key(view)), view.writer)
    return { ...view, trained }
  })
  return { views, notes: complete.notes }
}

function showTrained(trained: TrainedAnswer, mask: readonly (0 | 1)[] | undefined): string {
  if ('why' in trained) return colors.yellow(`which tokens are trained cannot be said: ${trained.why}`)
  const count = mask?.filter((one) => one === 1).length ?? 0
  return `${colors.underline(`${count} trained`)} (their ids have a *), ${(mask?.length ?? 0) - count} not`
}
