import type { Conversion, Difference, Proof, StopsAndPrefix } from '../../workbench/convert/index.ts'
import { colors, printable } from '../terminal.ts'

/** The report of a conversion: what was compared, what differs and why. */
export function showProof({ proof, target, layout, stopsAndPrefix, notCarried }: Conversion, tokenizer: string | undefined): string {
  const { same, refused, total, losses, extras } = proof
  const by = tokenizer === undefined ? 'byte by byte' : `byte by byte and by the ids of ${tokenizer}`
  const isEqual = losses.length === 0 && extras.length === 0
  const head = isEqual
    ? `${colors.green('equal')}: ${count(total, 'generated conversation')}, ${by} (${same} alike, ${refused} refused by both)`
    : `${losses.length === 0 ? colors.green('nothing is lost') : colors.yellow('not equal')}: ${same} of ${total} generated conversations alike ${by}, ${refused} refused by both`
  return [
    `${layout.name} → ${target}: ${head}`,
    ...losses.flatMap((loss) => showDifference(loss, colors.yellow('lost '))),
    ...extras.flatMap((extra) => showDifference(extra, colors.dim('more '))),
    ...showStopsAndPrefix(stopsAndPrefix, notCarried),
  ].join('\n')
}

function showDifference({ outcome, conversations, count: number, why, example }: Difference, mark: string): string[] {
  const quoted = (text: string) => printable(JSON.stringify(text))
  const shown = {
    different: [`source     ${quoted(example.first)}`, `converted  ${quoted(example.second)}`],
    'other-ids': [`source     ${example.first}`, `converted  ${example.second}`],
    'refused-by-second': [`source     ${quoted(example.first)}`, 'converted  refuses it'],
    'refused-by-first': ['source     refuses it', `converted  ${quoted(example.second)}`],
  }[outcome]
  return [
    `  ${mark} ${count(number, 'conversation')} ${conversations}`,
    `        ${printable(why)}`,
    ...[`e.g. ${example.messages}`, ...shown].map((line) => `        ${colors.dim(line)}`),
  ]
}

const places: Readonly<Record<keyof StopsAndPrefix, (stopsAndPrefix: StopsAndPrefix) => string>> = {
  prefixIds: ({ prefixIds }) =>
    `every prompt starts with the token ids ${JSON.stringify(prefixIds)}: let the tokenizer add them (add_bos_token)`,
  bos: () => 'the tokenizer adds BOS, if it does so by default: servers that render chat templates often do not',
  stopTexts: ({ stopTexts }) => `generation stops at the texts ${JSON.stringify(stopTexts)}: send them as "stop"`,
  stopTokens: ({ stopTokens }) => `generation stops at the tokens ${JSON.stringify(stopTokens)}: eos_token_id in generation_config.json`,
  stopIds: ({ stopIds }) => `generation stops at the token ids ${JSON.stringify(stopIds)}: eos_token_id in generation_config.json`,
}

/** Settings that the server of the model needs. */
function showStopsAndPrefix(stopsAndPrefix: StopsAndPrefix, keys: readonly (keyof StopsAndPrefix)[]): string[] {
  return keys.map((key) => `  ${colors.dim('also')} ${places[key](stopsAndPrefix)}`)
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

/** The proof as JSON. */
export function proofAsJson({ same, refused, total, byIds, losses, extras }: Proof): object {
  return { equal: losses.length === 0 && extras.length === 0, total, same, refusedByBoth: refused, byIds, losses, extras }
}
