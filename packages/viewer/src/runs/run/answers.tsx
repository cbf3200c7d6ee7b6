import { countKey, indexedOutcomes, type OutcomeCounts, outcomeNames } from 'rolecall/internal/evaluation/run/record/outcome'
import { FigureTable } from '../../parts/figure-table.tsx'
import { visibleText } from '../../prompt/visible-text.tsx'
import { modelName } from '../../texts/model-name.ts'
import { showNumber } from '../../texts/numbers.ts'
import { runTexts } from '../../texts/run.ts'
import { verdictTexts } from '../../texts/verdicts.ts'
import { rowsHref } from '../links.ts'
import type { RunPageProps } from './run-page.tsx'
import { Section } from './section.tsx'

const outcomes = Object.keys(outcomeNames) as (keyof OutcomeCounts)[]

/** Each outcome by the key of its count. */
const outcomeOf = new Map(indexedOutcomes.map((outcome) => [countKey(outcome), outcome]))

/** The outcomes of the answers of each pair, with links to the rows; the title counts those that could not be parsed. */
export function Answers({ site, number, state }: RunPageProps) {
  const ui = runTexts()
  const results = state.pairs.flatMap(({ result }, pair) => (result ? [{ pair, result }] : []))
  if (results.length === 0) return null
  const { outcomes: words } = verdictTexts()
  const names = [ui.pair, ...outcomes.map((key) => words[outcomeOf.get(key)!]), ui.reasoned]
  const unread = outcomes.flatMap((key) => {
    const count = results.reduce((sum, { result }) => sum + (key === 'answered' ? 0 : (result.answers[key] ?? 0)), 0)
    return count > 0 ? [`${showNumber(count)} ${words[outcomeOf.get(key)!]}`] : []
  })
  return (
    <Section name="answers" title={[ui.answers, ...unread].join(' · ')} isOpen={false}>
      <FigureTable label={ui.answers} names={names}>
        {results.map(({ pair, result }) => (
          <tr key={pair}>
            <th scope="row">{visibleText(`${modelName(result)} · ${result.dataset}`, false)}</th>
            {outcomes.map((key) => {
              const [answers, rows] = [result.answers[key] ?? 0, result.answerRows?.[key]]
              return (
                <td key={key}>
                  {answers === 0 ? (
                    '–'
                  ) : (
                    <a href={rowsHref(site, number, pair, { show: outcomeOf.get(key)! })}>
                      {rows === undefined ? showNumber(answers) : ui.answersInRows(answers, rows)}
                    </a>
                  )}
                </td>
              )
            })}
            <td>{result.reasoned ? ui.ofRows(result.reasoned, result.rows) : '–'}</td>
          </tr>
        ))}
      </FigureTable>
    </Section>
  )
}
