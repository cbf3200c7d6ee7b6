import { hasUnread } from '../../../../src/evaluation/run/record/answers-table.ts'
import type { Outcome, OutcomeCounts } from '../../../../src/evaluation/run/record/outcome.ts'
import { FigureTable } from '../../parts/figure-table.tsx'
import { visibleText } from '../../prompt/visible-text.tsx'
import { modelName } from '../../texts/model-name.ts'
import { showNumber } from '../../texts/numbers.ts'
import { runTexts } from '../../texts/run.ts'
import { verdictTexts } from '../../texts/verdicts.ts'
import { rowsHref } from '../links.ts'
import type { Show } from '../rows/choose-rows.ts'
import type { RunPageProps } from './run-page.tsx'
import { Section } from './section.tsx'

/** The counts, their names, and filters for their rows. */
const counted: readonly (readonly [count: keyof OutcomeCounts, outcome: Outcome, show: Show | undefined])[] = [
  ['answered', 'answered', undefined],
  ['notFound', 'not-found', 'not-found'],
  ['cut', 'cut', 'cut'],
  ['refused', 'refused', 'refused'],
  ['empty', 'empty', 'empty'],
  ['toolCall', 'tool-call', 'tool-call'],
  ['noGold', 'no-gold', 'no-gold'],
  ['notDecided', 'not-decided', 'not-decided'],
  ['failed', 'failed', 'error'],
]

/** The outcomes of the answers of each pair, with links to the rows; open if some could not be parsed. */
export function Answers({ site, number, state }: RunPageProps) {
  const ui = runTexts()
  const results = state.pairs.flatMap(({ result }, pair) => (result ? [{ pair, result }] : []))
  if (results.length === 0) return null
  const { outcomes } = verdictTexts()
  const names = [ui.pair, ...counted.map(([, outcome]) => outcomes[outcome]), ui.reasoned]
  return (
    <Section name="answers" title={ui.answers} isOpen={results.some(({ result }) => hasUnread(result))}>
      <FigureTable label={ui.answers} names={names}>
        {results.map(({ pair, result }) => (
          <tr key={pair}>
            <th scope="row">{visibleText(`${modelName(result)} · ${result.dataset}`, false)}</th>
            {counted.map(([key, , show]) => (
              <td key={key}>
                {(result.answers[key] ?? 0) === 0 ? (
                  '–'
                ) : (
                  <a href={rowsHref(site, number, pair, show === undefined ? {} : { show })}>{showNumber(result.answers[key] ?? 0)}</a>
                )}
              </td>
            ))}
            <td>{result.reasoned ? ui.ofRows(result.reasoned, result.rows) : '–'}</td>
          </tr>
        ))}
      </FigureTable>
    </Section>
  )
}
