import type { Verification } from '../../workbench/verify/index.ts'
import { countText } from '../screen/amounts.ts'
import type { ScreenBlock } from '../screen/blocks.ts'

/** Longer prompts are cut in examples; --json has them whole. */
const longestExample = 300

/** Whether a server writes what was expected; else the causes of differences with an example each. */
export function verificationScreen({
  server,
  template,
  chats,
  requests,
  sameText,
  sameIds,
  refused,
  byCause,
  notes,
}: Verification): ScreenBlock[] {
  const who = [server.kind, server.version, server.model].filter((part) => part !== undefined).join(' ')
  const different = byCause.reduce((sum, { count }) => sum + count, 0)
  const compared = [
    `${countText(chats, 'chat')} in ${countText(requests, 'request')}: ${sameText} the same by bytes`,
    ...(sameIds > 0 ? [`${sameIds} by token ids`] : []),
    ...(refused > 0 ? [`${refused} refused by both`] : []),
  ]
  return [
    {
      kind: 'group',
      blocks: [
        {
          kind: 'prose',
          text: `${who} against ${template}: ${different === 0 ? 'the same' : countText(different, 'difference')}`,
          tone: different === 0 ? 'good' : 'attention',
        },
        { kind: 'prose', text: compared.join(', ') },
      ],
    },
    ...byCause.map(
      ({ cause, what, fix, count, example }): ScreenBlock => ({
        kind: 'group',
        blocks: [
          { kind: 'label', label: String(count), tone: 'attention', texts: [`${what} (${cause})`] },
          {
            kind: 'indented',
            by: 2,
            blocks: [
              { kind: 'label', label: '→', tone: 'quiet', texts: [fix], gap: 1 },
              { kind: 'label', label: 'e.g.  ', tone: 'quiet', texts: [example.chat] },
              { kind: 'label', label: 'ours  ', tone: 'quiet', texts: [shown(example.ours, example.isOnlyIds)] },
              { kind: 'label', label: 'server', tone: 'quiet', texts: [shown(example.theirs, example.isOnlyIds)] },
            ],
          },
        ],
      }),
    ),
    ...(notes.length > 0 ? [{ kind: 'label' as const, label: 'note', tone: 'quiet' as const, texts: notes }] : []),
  ]
}

function shown(text: string, isIds: boolean): string {
  const line = isIds || text.startsWith('refused: ') ? text : JSON.stringify(text)
  return line.length > longestExample ? `${line.slice(0, longestExample - 1)}…` : line
}
