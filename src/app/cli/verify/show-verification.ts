import type { Verification } from '../../../workbench/verify/index.ts'
import { colors, printable } from '../terminal.ts'

/** The report: counts, then the causes of differences with an example each. */
export function showVerification({ server, template, chats, requests, sameText, sameIds, refused, byCause, notes }: Verification): string {
  const who = [server.kind, server.version, server.model].filter((part) => part !== undefined).join(' ')
  const different = byCause.reduce((sum, { count }) => sum + count, 0)
  return [
    `${printable(who)} against ${printable(template)}: ${different === 0 ? colors.green('the same') : colors.yellow(`${different} ${different === 1 ? 'difference' : 'differences'}`)}`,
    `  ${chats} chats in ${requests} requests: ${sameText} the same by bytes, ${sameIds} by token ids, ${refused} refused by both`,
    ...byCause.flatMap(({ cause, what, fix, count, example }) => [
      `  ${colors.yellow(cause)} ${count}: ${what}`,
      `      ${colors.dim('→')} ${fix}`,
      ...[
        `e.g. ${example.chat}`,
        `ours    ${shown(example.ours, example.isOnlyIds)}`,
        `server  ${shown(example.theirs, example.isOnlyIds)}`,
      ].map((line) => `      ${colors.dim(line)}`),
    ]),
    ...notes.map((note) => `  ${colors.dim('note')} ${note}`),
  ].join('\n')
}

function shown(text: string, isIds: boolean): string {
  return isIds || text.startsWith('refused: ') ? printable(text) : printable(JSON.stringify(text))
}
