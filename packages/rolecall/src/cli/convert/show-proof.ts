import type { Conversion, Difference, Proof, StopsAndPrefix } from '../../workbench/convert/index.ts'
import { countText } from '../screen/amounts.ts'
import type { ScreenBlock, ScreenRow } from '../screen/blocks.ts'

/** The report of a conversion: what was compared, what differs and why, what else the server needs. */
export function proofScreen(
  { proof, target, layout, stopsAndPrefix, notCarried }: Conversion,
  { tokenizer, out }: { tokenizer?: string; out?: string },
): ScreenBlock[] {
  const { same, refused, total, losses, extras } = proof
  const by = tokenizer === undefined ? 'byte by byte' : `byte by byte and by the ids of ${tokenizer}`
  const isEqual = losses.length === 0 && extras.length === 0
  const refusals = refused > 0 ? `, ${refused.toLocaleString('en')} refused by both` : ''
  const verdict = isEqual
    ? `the same in ${(same + refused).toLocaleString('en')} of ${countText(total, 'generated conversation')}, ${by} (${same.toLocaleString('en')} written alike${refusals})`
    : `${losses.length === 0 ? 'nothing is lost' : 'not the same'}: ${same.toLocaleString('en')} of ${countText(total, 'generated conversation')} alike, ${by}${refusals}`
  const settings = settingRows(stopsAndPrefix, notCarried)
  return [
    { kind: 'label', label: `${layout.name} → ${target}:`, tone: isEqual ? 'good' : 'attention', texts: [verdict], gap: 1 },
    ...losses.map((loss) => differenceBlock(loss, 'lost')),
    ...extras.map((extra) => differenceBlock(extra, 'more')),
    {
      kind: 'group',
      blocks: [
        ...(out === undefined ? [] : [{ kind: 'prose' as const, text: `wrote ${out}` }]),
        ...(settings.length > 0
          ? [
              { kind: 'prose' as const, text: 'what the format says beside its text, to set where the model is served:' },
              { kind: 'indented' as const, by: 2, blocks: [{ kind: 'grid' as const, columns: [{}, { mayCut: true }], rows: settings }] },
            ]
          : []),
      ],
    },
  ]
}

function differenceBlock({ outcome, conversations, count, why, example }: Difference, mark: 'lost' | 'more'): ScreenBlock {
  const quoted = (text: string) => JSON.stringify(text)
  const [first = '', second = ''] = {
    different: [quoted(example.first), quoted(example.second)],
    'other-ids': [example.first, example.second],
    'refused-by-second': [quoted(example.first), 'refuses it'],
    'refused-by-first': ['refuses it', quoted(example.second)],
  }[outcome]
  const indent = mark.length + 2
  const shown = (label: string, text: string): ScreenBlock => ({ kind: 'label', label, tone: 'quiet', texts: [text] })
  return {
    kind: 'group',
    blocks: [
      {
        kind: 'label',
        label: mark,
        tone: mark === 'lost' ? 'attention' : 'quiet',
        texts: [`${countText(count, 'conversation')} ${conversations}`, why, `e.g. ${example.messages}`],
      },
      { kind: 'indented', by: indent, blocks: [shown('source   ', first), shown('converted', second)] },
    ],
  }
}

const places: Readonly<Record<keyof StopsAndPrefix, (stopsAndPrefix: StopsAndPrefix) => readonly [what: string, where: string]>> = {
  prefixIds: ({ prefixIds }) => [`every prompt starts with the token ids ${JSON.stringify(prefixIds)}`, 'add_bos_token of the tokenizer'],
  bos: () => ['the tokenizer adds BOS', 'add_bos_token: servers often do not add it to chats'],
  stopTexts: ({ stopTexts }) => [`generation stops at the texts ${JSON.stringify(stopTexts)}`, '"stop" of the request'],
  stopTokens: ({ stopTokens }) => [
    `generation stops at the tokens ${JSON.stringify(stopTokens)}`,
    'eos_token_id in generation_config.json',
  ],
  stopIds: ({ stopIds }) => [`generation stops at the token ids ${JSON.stringify(stopIds)}`, 'eos_token_id in generation_config.json'],
}

/** Settings that the server of the model needs. */
function settingRows(stopsAndPrefix: StopsAndPrefix, keys: readonly (keyof StopsAndPrefix)[]): ScreenRow[] {
  return keys.map((key) => {
    const [what, where] = places[key](stopsAndPrefix)
    return { cells: [{ text: what }, { text: where, tone: 'quiet' }] }
  })
}

/** The proof as JSON. */
export function proofAsJson({ same, refused, total, byIds, losses, extras }: Proof): object {
  return { equal: losses.length === 0 && extras.length === 0, total, same, refusedByBoth: refused, byIds, losses, extras }
}
