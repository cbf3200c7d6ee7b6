import { isSignificant } from '../../../../src/evaluation/run/record/compare-models.ts'
import { distinctModels, isSameModel } from '../../../../src/evaluation/run/record/pair-name.ts'
import type { ModelComparison } from '../../../../src/evaluation/run/record/run-record.ts'
import { FigureTable } from '../../parts/figure-table.tsx'
import { visibleText } from '../../prompt/visible-text.tsx'
import { hrefOf } from '../../route.ts'
import { compareTexts } from '../../texts/compare.ts'
import { modelName } from '../../texts/model-name.ts'
import { runTexts } from '../../texts/run.ts'
import { unitName } from '../../texts/units.ts'
import { Difference } from '../compare/difference.tsx'
import { modelSideKey } from '../compare/sides.ts'
import type { RunPageProps } from './run-page.tsx'
import { Section } from './section.tsx'

/** Pairwise comparisons of a run's models on the same rows: difference and significance. */
export function Comparisons({ site, number, state }: RunPageProps) {
  const { comparisons = [] } = state.summary ?? {}
  if (comparisons.length === 0) return null
  const [ui, words] = [runTexts(), compareTexts()]
  const models = distinctModels(site.runs[number]!.pairs)
  const keyOf = (model: string, format: string | undefined) => {
    const index = models.findIndex((one) => isSameModel(one, { model, format }))
    return index < 0 ? undefined : modelSideKey(site, number, models[index]!)
  }
  const href = ({ first, firstFormat, second, secondFormat, dataset }: ModelComparison) => {
    const [one, other] = [keyOf(first, firstFormat), keyOf(second, secondFormat)]
    return one === undefined || other === undefined ? undefined : hrefOf({ page: 'compare', query: { first: one, second: other, dataset } })
  }
  return (
    <Section name="comparisons" title={ui.comparisons(comparisons.filter(isSignificant).length, comparisons.length)} isOpen={false}>
      <FigureTable
        label={words.title}
        names={[words.dataset, words.first, words.second, words.difference, words.interval]}
        class="compared-table"
      >
        {comparisons.map((one, index) => (
          <tr key={index}>
            <th scope="row">
              <a href={href(one)}>{visibleText(one.dataset, false)}</a>
              <small>
                {unitName(one.unit)}
                {one.direction === 'lower' && ` · ${words.lowerIsBetter}`}
              </small>
            </th>
            <td>{visibleText(modelName({ model: one.first, format: one.firstFormat }), false)}</td>
            <td>{visibleText(modelName({ model: one.second, format: one.secondFormat }), false)}</td>
            <Difference comparison={one} />
          </tr>
        ))}
      </FigureTable>
    </Section>
  )
}
