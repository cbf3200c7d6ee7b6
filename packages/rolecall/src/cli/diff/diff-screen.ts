import { quoteWord } from '../../node/platform.ts'
import type { Cause, CauseKind, PromptDiff } from '../../workbench/diff/diff-prompts.ts'
import { countText } from '../screen/amounts.ts'
import type { NextStep, ScreenBlock } from '../screen/blocks.ts'
import { ownCommand } from '../screen/own-command.ts'

/** Causes visible in the text or ids of a prompt; others are fully described by their text. */
const inText: ReadonlySet<CauseKind> = new Set(['markup', 'content', 'left-out', 'order', 'tokens'])

/** Characters shown of each side of an example. */
const longestExample = 160

/** A comparison: counts first, then each cause with example rows. */
export function diffScreen(
  { pairs, same, neither, causes, tokens }: PromptDiff,
  names: readonly [string, string],
  unit: string,
): ScreenBlock[] {
  const counts = [`${same} the same`, `${pairs - same - neither} differ`, ...(neither > 0 ? [`${neither} refused by both`] : [])]
  const width = Math.max(0, ...causes.map((cause) => share(cause).length))
  return [
    {
      kind: 'group',
      blocks: [
        { kind: 'parts', parts: [`${names[0]} → ${names[1]}`, `${countText(pairs, unit)}: ${counts.join(', ')}`], tone: 'strong' },
        ...(tokens
          ? [
              {
                kind: 'prose' as const,
                text: `${countText(tokens.first, 'token')} in the first, ${tokens.second.toLocaleString('en')} in the second, ${tokens.common.toLocaleString('en')} in common at the start and the end`,
              },
            ]
          : []),
      ],
    },
    ...causes.map((cause) => causeBlock(cause, width)),
  ]
}

function share({ count, of }: Cause): string {
  return `${count} of ${of}`
}

function causeBlock(cause: Cause, width: number): ScreenBlock {
  const examples = cause.examples.flatMap(({ name, first, second }): ScreenBlock[] => [
    ...(cause.examples.length > 1 ? [{ kind: 'prose' as const, text: name, tone: 'quiet' as const }] : []),
    ...(inText.has(cause.kind) ? [line('−', 'bad', first), line('+', 'good', second)] : []),
  ])
  return {
    kind: 'group',
    blocks: [
      { kind: 'label', label: share(cause).padStart(width), tone: 'attention', texts: [cause.text] },
      { kind: 'indented', by: width + 2, blocks: examples },
    ],
  }
}

function line(sign: string, tone: 'good' | 'bad', text: string): ScreenBlock {
  const shown = text.replaceAll('\n', '⏎')
  return {
    kind: 'label',
    label: sign,
    tone,
    texts: [shown.length > longestExample ? `${shown.slice(0, longestExample - 1)}…` : shown],
    gap: 1,
  }
}

/** More examples of each cause. */
export function nextAfterDiff(
  { causes }: PromptDiff,
  what: readonly string[],
  { config, chats, examples }: { config?: string; chats?: string; examples: number },
): NextStep[] {
  if (!causes.some(({ kind, count }) => inText.has(kind) && count > examples)) return []
  const flags = [
    ...(config === undefined ? [] : ['--config', config]),
    ...(chats === undefined ? [] : ['--chats', chats]),
    '--examples',
    String(Math.max(3, examples + 2)),
  ]
  return [{ command: [ownCommand(), 'diff', ...[...what, ...flags].map((word) => quoteWord(word))].join(' '), shows: 'more examples' }]
}
