import { isSignificant, isTooFew, mostAgainstEach } from 'rolecall/internal/evaluation/run/record/compare-models'
import { distinctModels, isSameModel } from 'rolecall/internal/evaluation/run/record/pair-name'
import type { ModelComparison } from 'rolecall/internal/evaluation/run/record/run-record'
import { FigureTable } from '../../parts/figure-table.tsx'
import { Toggle } from '../../parts/toggle.tsx'
import { visibleText } from '../../prompt/visible-text.tsx'
import { hrefOf, useLinked } from '../../route.ts'
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
  const { comparisons = [], groupComparisons = [] } = state.summary ?? {}
  const [shows, setShows] = useLinked('p')
  if (comparisons.length === 0) return null
  const tested = comparisons.filter(({ adjusted }) => adjusted !== undefined)
  const below = (value: (one: ModelComparison) => number) => tested.filter((one) => value(one) < 0.05).length
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
    <Section
      name="comparisons"
      title={ui.comparisons(
        comparisons.filter(isSignificant).length,
        comparisons.filter((one) => !isTooFew(one)).length,
        comparisons.filter(isTooFew).length,
      )}
      isOpen={false}
    >
      <p class="quiet">
        {ui.comparedPairs(models.length, comparisons.length, models.length > mostAgainstEach ? modelName(models[0]!) : undefined)}
      </p>
      {tested.length > 1 && (
        <p>
          {ui.adjustment(
            below(({ p }) => p!),
            tested.length,
            below(({ adjusted }) => adjusted!.p),
          )}{' '}
          <Toggle on={shows === 'raw'} onChange={(on) => setShows(on ? 'raw' : undefined)}>
            {words.showRaw}
          </Toggle>
        </p>
      )}
      <ComparedTable label={words.title} comparisons={comparisons} href={href} />
      {groupComparisons.length > 0 && (
        <ComparedTable label={ui.groupComparisons} comparisons={groupComparisons} href={() => undefined} isGroups />
      )}
    </Section>
  )
}

type ComparedTableProps = {
  label: string
  comparisons: readonly ModelComparison[]
  href: (one: ModelComparison) => string | undefined
  isGroups?: boolean
}

function ComparedTable({ label, comparisons, href, isGroups = false }: ComparedTableProps) {
  const [ui, words] = [runTexts(), compareTexts()]
  return (
    <FigureTable
      label={label}
      names={[isGroups ? ui.group : words.dataset, words.first, words.second, words.difference, words.interval]}
      class="compared-table"
    >
      {comparisons.map((one, index) => (
        <tr key={index}>
          <th scope="row">
            {isGroups ? visibleText(one.dataset, false) : <a href={href(one)}>{visibleText(one.dataset, false)}</a>}
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
  )
}
