import { Command } from 'commander'
import { tokenize } from '../../tokenize/tokenize.ts'
import type { Tokenizer } from '../../tokenize/tokenizer.ts'
import { loadOrExample, type ViewSelection, viewAll } from '../render/collect-views.ts'
import { withSelection } from '../render/selection-flags.ts'
import { originOf, originPaint } from '../render/show-pieces.ts'
import { heading, legend } from '../render/show-view.ts'
import type { View } from '../render/view.ts'
import { colors, printable, terminalWidth, WrappedLines } from '../terminal.ts'
import { countByOrigin } from './count-by-origin.ts'
import { tokenizerFor } from './tokenizer-for.ts'

type Options = ViewSelection & { tokenizer?: string; json: boolean }

export const tokensCommand = withSelection(new Command('tokens'))
  .description('print the tokens of chosen prompts with their ids')
  .option(
    '--tokenizer <path>',
    "a model's folder, tokenizer.json or tokenizer.model; by default the model's tokenizer_path, else the shipped one",
  )
  .option('--json', 'print ids and tokens with their spans as JSON', false)
  .addHelpText(
    'after',
    `
Examples:
  rolecall tokens                                 the shipped example with the shipped tokenizer
  rolecall tokens --tokenizer ~/models/qwen3      with a model's own
  rolecall tokens --json | jq '.[0].ids'          the ids, for programs`,
  )
  .action(async (config: string | undefined, options: Options) => {
    const loaded = await loadOrExample(config)
    const views = await viewAll(loaded, options)
    const tokenized = views.map((view) => ({ view, tokenizer: tokenizerFor(view, options.tokenizer, loaded.folder) }))
    if (options.json) process.stdout.write(`${JSON.stringify(tokenized.map(asJson), null, 2)}\n`)
    else process.stdout.write(`${[...tokenized.map(show), legend(views)].join('\n\n')}\n`)
  })

type Tokenizable = { view: View; tokenizer: Tokenizer }

function asJson({ view: { rendered, markers, tokens: needed, ...view }, tokenizer }: Tokenizable) {
  const { prompt } = rendered
  if (prompt.kind === 'chat') return { ...view, ids: null, why: 'only the server knows how it writes messages' }
  const { ids, tokens } = tokenize(prompt, tokenizer, { markers, tokens: needed })
  return { ...view, tokenizer: tokenizer.name, ids, tokens: tokens.map((token) => ({ ...token, text: tokenizer.tokenOf(token.id) })) }
}

function show({ view, tokenizer }: Tokenizable): string {
  const { prompt } = view.rendered
  const width = Math.min(terminalWidth(), 120)
  const lines = prompt.kind === 'chat' ? [] : showTokens(prompt, view, tokenizer, width - 2)
  return [
    heading(view, width),
    ...lines.map((line) => `${colors.dim('│')} ${line}`),
    colors.dim('╰─'),
    `   ${countByOrigin(view, tokenizer)}`,
  ].join('\n')
}

/** Each token as the text it covers, with its id behind it; a new line after a token that ends with a newline. */
function showTokens(
  prompt: View['rendered']['prompt'] & { kind: 'completion' },
  { markers, tokens: needed }: View,
  tokenizer: Tokenizer,
  width: number,
): string[] {
  const { tokens, notes } = tokenize(prompt, tokenizer, { markers, tokens: needed })
  const text = prompt.pieces.map((piece) => ('text' in piece ? piece.text : '')).join('')
  const lines = new WrappedLines(width)
  for (const { id, span, pieces, partial } of tokens) {
    const covered = pieces && !partial ? text.slice(...span) : (tokenizer.tokenOf(id) ?? '')
    const isAnswer =
      pieces !== undefined && prompt.answer !== undefined && pieces[0] >= prompt.answer.start && pieces[0] < prompt.answer.end
    const paint = pieces ? originPaint[originOf(prompt.pieces[pieces[0]]!, isAnswer)] : colors.dim
    lines.add(printable(covered.replaceAll('\n', '⏎').replaceAll('\t', '→').replaceAll(' ', '·')), paint)
    lines.add(`[${id}]`, colors.dim)
    if (covered.endsWith('\n')) lines.newline()
  }
  return [...lines.end().map(({ text: line }) => line), ...notes.map((note) => `${colors.yellow('note')} ${note.text}`)]
}
