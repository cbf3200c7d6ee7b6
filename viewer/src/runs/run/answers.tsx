import { hasUnread } from '../../../../src/evaluation/run/record/answers-table.ts'
import type { Outcome, OutcomeCounts } from '../../../../src/evaluation/run/record/outcome.ts'
import { FigureTable } from '../../parts/figure-table.tsx'
import { visibleText } from '../../prompt/visible-text.tsx'
import { modelName } from '../../words/model-name.ts'
import { showNumber } from '../../words/numbers.ts'
import { runWords } from '../../words/run.ts'
import { verdictWords } from '../../words/verdicts.ts'
import { rowsHref } from '../links.ts'
import type { Show } from '../rows/choose-rows.ts'
import type { RunPageProps } from './run-page.tsx'
import { Section } from './section.tsx'

/** What is counted, what it is called, and which rows show it. */
const counted: readonly (readonly [count: keyof OutcomeCounts, outcome: Outcome, show: Show | undefined])[] = [
  ['answered', 'answered', undefined],
  ['notFound', 'not-found', 'not-found'],
  ['cut', 'cut', 'cut'],
  ['refused', 'refused', 'refused'],
  ['empty', 'empty', 'empty'],
  ['notDecided', 'not-decided', 'not-decided'],
  ['failed', 'failed', 'error'],
]

/** What became of the answers of each pair, by counts that lead to the rows; open where some could not be read. */
export function Answers({ site, number, state }: RunPageProps) {
  const told = runWords()
  const results = state.pairs.flatMap(({ result }, pair) => (result ? [{ pair, result }] : []))
  if (results.length === 0) return null
  const { outcomes } = verdictWords()
  const names = [told.pair, ...counted.map(([, outcome]) => outcomes[outcome]), told.reasoned]
  return (
    <Section name="answers" title={told.answers} isOpen={results.some(({ result }) => hasUnread(result))}>
      <FigureTable label={told.answers} names={names}>
        {results.map(({ pair, result }) => (
          <tr key={pair}>
            <th scope="row">{visibleText(`${modelName(result)} · ${result.dataset}`, false)}</th>
            {counted.map(([key, , show]) => (
              <td key={key}>
                {result.answers[key] === 0 ? (
                  '–'
                ) : (
                  <a href={rowsHref(site, number, pair, show === undefined ? {} : { show })}>{showNumber(result.answers[key])}</a>
                )}
              </td>
            ))}
            <td>{result.reasoned ? told.ofRows(result.reasoned, result.rows) : '–'}</td>
          </tr>
        ))}
      </FigureTable>
    </Section>
  )
}
