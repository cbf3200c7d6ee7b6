import { distinctModels, isSameModel, modelText } from 'rolecall/internal/evaluation/run/record/pair-name'
import type { GroupResult } from 'rolecall/internal/evaluation/run/record/run-record'
import { FigureTable } from '../../parts/figure-table.tsx'
import { visibleText } from '../../prompt/visible-text.tsx'
import { modelName } from '../../texts/model-name.ts'
import { runTexts } from '../../texts/run.ts'
import { unitName } from '../../texts/units.ts'
import type { RunPageProps } from './run-page.tsx'
import { ScoreCell } from './score-cell.tsx'

/** Several datasets as one metric, the headline of a run with groups. */
export function Groups({ state }: RunPageProps) {
  const { groups = [] } = state.summary ?? {}
  if (groups.length === 0) return null
  const ui = runTexts()
  const models = distinctModels(groups)
  const names = [...new Set(groups.map(({ group }) => group))]
  return (
    <FigureTable label={ui.groups} names={[ui.group, ...models.map((model) => visibleText(modelName(model), false))]}>
      {names.map((name) => {
        const own = groups.filter(({ group }) => group === name)
        return (
          <tr key={name}>
            <th scope="row">
              {visibleText(name, false)}
              <small>{weightText(own[0]!)}</small>
            </th>
            {models.map((model) => (
              <td key={modelText(model)}>
                <GroupFigure figure={own.find((one) => isSameModel(one, model))} all={own} />
              </td>
            ))}
          </tr>
        )
      })}
    </FigureTable>
  )
}

function GroupFigure({ figure, all }: { figure: GroupResult | undefined; all: readonly GroupResult[] }) {
  if (!figure) return <span class="quiet">–</span>
  const { value, interval, unit } = figure
  return (
    <span class="figure">
      <ScoreCell {...{ value, interval, unit, all }} />
    </span>
  )
}

/** The weighting and members of a group. */
function weightText({ weightedBy, scored = 0, datasets, unit }: GroupResult): string {
  const ui = runTexts()
  const measured = unitName(unit)
  return [measured, ui.weighted(weightedBy, weightedBy === 'rows' ? scored : datasets.length)].filter((text) => text !== '').join(' · ')
}
