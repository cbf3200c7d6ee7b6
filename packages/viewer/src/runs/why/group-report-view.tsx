import { distinctModels, isSameModel, pairText } from 'rolecall/internal/evaluation/run/record/pair-name'
import type { Site } from 'rolecall/internal/server/viewer/viewer-data'
import type { GroupCause, GroupReport, GroupSubject } from 'rolecall/internal/workbench/why/explain-group'
import { loadGroupWhy } from '../../data/runs.ts'
import { useLoad } from '../../data/use-load.ts'
import { Choice } from '../../parts/choice.tsx'
import { ErrorBox } from '../../parts/error-box.tsx'
import { FigureTable } from '../../parts/figure-table.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { visibleText } from '../../prompt/visible-text.tsx'
import { hrefOf, type Route, useQuery } from '../../route.ts'
import { modelName } from '../../texts/model-name.ts'
import { whyTexts } from '../../texts/why.ts'
import type { Side } from '../compare/sides.ts'
import { useRunState } from '../use-run.ts'
import { causeKey } from './listed-rows.ts'
import { Waterfall } from './waterfall.tsx'
import { whyNumbers } from './why-numbers.ts'
import type { SidePair } from './why-sides.ts'

type GroupReportProps = {
  site: Site
  route: Route
  sides: readonly [Side, Side]
  pairs: readonly [readonly SidePair[], readonly SidePair[]]
  chosen: readonly [SidePair, SidePair]
}

/** Why all datasets of two models differ, or a group of them: causes over all datasets, and the part of each dataset. */
export function GroupReportView({ site, route, sides, pairs, chosen }: GroupReportProps) {
  const ui = whyTexts()
  const change = useQuery(route)
  const models = sides.map(({ run }, place) => ({
    run,
    number: distinctModels(site.runs[run]!.pairs).findIndex((model) => isSameModel(model, chosen[place]!)),
  }))
  const path = models.map(({ run, number }) => `${run}.${number}`).join('-')
  const { group } = route.query
  const loaded = useLoad((signal) => loadGroupWhy(path, group, signal), [path, group])
  const states = [useRunState(sides[0].run).state, useRunState(sides[1].run).state]
  const groups = [...new Set(states.flatMap((state) => (state?.summary?.groups ?? []).map((one) => one.group)))]
  const report = loaded.value
  /** The address of a dataset's explanation; `rows` lists those of a cause. */
  const hrefTo = (dataset: { first: string; second: string }, rows?: string) => {
    const names = [dataset.first, dataset.second].map((name, place) => {
      const pair = pairs[place]!.find((one) => one.dataset === name && isSameModel(one, chosen[place]!))
      return pair ? pairText(pair) : ''
    })
    const { first = '', second = '' } = route.query
    const query = { first, second, a: names[0]!, b: names[1]!, ...(rows === undefined ? {} : { rows }) }
    return hrefOf({ page: route.page, query })
  }
  return (
    <>
      <div class="compare-bar">
        {sides.map((side, place) => (
          <p key={place} class="quiet">
            {place === 0 ? ui.first : ui.second}: {visibleText(side.name, false)}
          </p>
        ))}
        {groups.length > 1 && (
          <Choice
            label={ui.group}
            value={report?.first.group ?? ''}
            options={[...new Set([...groups, report?.first.group ?? ''])].map((name) => [name, name] as const)}
            onChange={(value) => change({ group: value })}
          />
        )}
      </div>
      {loaded.error ? <ErrorBox error={loaded.error} /> : report ? null : <Skeleton lines={6} />}
      {report && !loaded.error && (
        <div class="why-report" aria-busy={loaded.isLoading}>
          <Shown report={report} hrefTo={hrefTo} names={chosen.map(modelName)} />
        </div>
      )}
    </>
  )
}

type HrefTo = (dataset: { first: string; second: string }, rows?: string) => string

function Shown({ report, hrefTo, names }: { report: GroupReport; hrefTo: HrefTo; names: readonly string[] }) {
  const ui = whyTexts()
  const { shown, signed } = whyNumbers(report)
  const subject = (which: string, model: string, { group, datasets, rows, score, weighting }: GroupSubject) => (
    <tr key={which}>
      <th scope="row">{which}</th>
      <td>{visibleText(`${model} · ${group}`, false)}</td>
      <td>{ui.weightings[weighting]}</td>
      <td class="number">{shown(score)}</td>
      <td>{ui.ofDatasets(datasets, rows)}</td>
    </tr>
  )
  return (
    <>
      <FigureTable
        label={ui.title}
        names={[ui.columns.side, ui.group, ui.weighting, ui.columns.score, ui.columns.rows]}
        class="why-subjects why-groups"
      >
        {subject(ui.first, names[0]!, report.first)}
        {subject(ui.second, names[1]!, report.second)}
      </FigureTable>
      <p class="why-difference">
        {ui.difference} <b>{signed(report.difference)}</b>
      </p>
      {report.causes.length === 0 ? (
        <p>{ui.nothing}</p>
      ) : (
        <Waterfall
          {...{ report, shown, signed }}
          rowsOf={(cause) => <DatasetsOf {...{ cause, report, signed, hrefTo }} />}
          chosen={undefined}
        />
      )}
      <FigureTable label={ui.datasets} names={[ui.datasets, ui.first, ui.second, ui.part]} class="of-figures why-datasets">
        {report.datasets.map(({ first, second, scores, effect }) => (
          <tr key={`${first} ${second}`}>
            <th scope="row">
              <a href={hrefTo({ first, second })}>{visibleText(first === second ? first : `${first} / ${second}`, false)}</a>
            </th>
            <td class="number">{shown(scores[0])}</td>
            <td class="number">{shown(scores[1])}</td>
            <td class="number">{signed(effect)}</td>
          </tr>
        ))}
      </FigureTable>
      {report.notes.length > 0 && (
        <details class="why-notes">
          <summary>
            {ui.notes} ({report.notes.length})
          </summary>
          <ul lang="en">
            {report.notes.map((note) => (
              <li key={note}>{visibleText(note, false)}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

type DatasetsOfProps = { cause: GroupCause; report: GroupReport; signed: (value: number) => string; hrefTo: HrefTo }

const most = 6

/** The part of a cause in each dataset, largest first; each shows its rows. */
function DatasetsOf({ cause, report, signed, hrefTo }: DatasetsOfProps) {
  const ui = whyTexts()
  const parts = [...cause.datasets].sort((one, other) => Math.abs(other.effect) - Math.abs(one.effect))
  return (
    <>
      {parts.slice(0, most).map(({ dataset, effect }) => (
        <a key={dataset} href={hrefTo(report.datasets.find(({ first }) => first === dataset)!, causeKey(cause))}>
          {visibleText(dataset, false)} {signed(effect)}
        </a>
      ))}
      {parts.length > most && <span class="quiet">{ui.moreDatasets(parts.length - most)}</span>}
    </>
  )
}
