import type { Distribution, RunLengths } from '../../../../src/app/server/viewer/viewer-data.ts'
import { loadLengths } from '../../data/runs.ts'
import { useLoad } from '../../data/use-load.ts'
import { Choice } from '../../parts/choice.tsx'
import { ErrorBox } from '../../parts/error-box.tsx'
import { FigureTable } from '../../parts/figure-table.tsx'
import { Histogram } from '../../plots/histogram.tsx'
import { visibleText } from '../../prompt/visible-text.tsx'
import { useLinked } from '../../route.ts'
import { modelName } from '../../words/model-name.ts'
import { showNumber } from '../../words/numbers.ts'
import { runWords } from '../../words/run.ts'
import { rowsHref } from '../links.ts'
import type { RunPageProps } from './run-page.tsx'
import { Section } from './section.tsx'

/** What is measured, and by what rows are sorted to see the extremes. */
const measured = [
  ['promptTokens', 'tokens'],
  ['replyTokens', 'tokens'],
  ['milliseconds', 'time'],
] as const satisfies readonly (readonly [keyof RunLengths, string])[]

/** Histograms of prompts, answers and waiting. They are read when they are opened: each row of the dataset is looked at. */
export function Lengths(props: RunPageProps) {
  if (props.state.pairs.every(({ rows }) => rows === 0)) return null
  return (
    <Section name="lengths" title={runWords().lengths} isOpen={false}>
      <OfDataset {...props} />
    </Section>
  )
}

function OfDataset({ site, number, state }: RunPageProps) {
  const told = runWords()
  const { pairs } = site.runs[number]!
  const datasets = [...new Set(pairs.map(({ dataset }) => dataset))]
  const [linked, link] = useLinked('lengths')
  const dataset = Math.max(0, datasets.indexOf(linked ?? ''))
  const loaded = useLoad((signal) => loadLengths(number, dataset, signal), [number, dataset, state.isLive])
  if (loaded.error) return <ErrorBox error={loaded.error} />
  const shown = pairs.flatMap((pair, index) => (pair.dataset === datasets[dataset] ? [{ pair, index }] : []))
  const lengths = loaded.value
  const known = lengths?.known.reduce((sum, { rows }) => sum + rows, 0) ?? 0
  return (
    <>
      {datasets.length > 1 && (
        <Choice
          label={told.dataset}
          value={datasets[dataset]!}
          options={datasets.map((name) => [name, name] as const)}
          onChange={(name) => link(name === datasets[0] ? undefined : name)}
        />
      )}
      {lengths ? (
        <FigureTable label={told.lengths} names={[told.model, told.promptTokens, told.replyTokens, told.milliseconds]} class="lengths">
          {shown.map(({ pair, index }) => (
            <tr key={index}>
              <th scope="row">{visibleText(modelName(pair), false)}</th>
              {measured.map(([key, sort]) => (
                <td key={key}>
                  <Spread distribution={lengths[key]} pair={index} href={rowsHref(site, number, index, { sort, descending: '1' })} />
                </td>
              ))}
            </tr>
          ))}
        </FigureTable>
      ) : (
        <p class="quiet" role="status">
          {told.reading}
        </p>
      )}
      {known > 0 && <p class="quiet">{told.known(known)}</p>}
    </>
  )
}

function Spread({ distribution, pair, href }: { distribution: Distribution; pair: number; href: string }) {
  const told = runWords()
  const own = distribution.pairs.find((one) => one.pair === pair)
  if (!own) return <span class="quiet">{told.noLengths}</span>
  const { from, step, bars, isOpen } = distribution
  const ends = (bar: number) => [from + bar * step, from + (bar + 1) * step - 1] as const
  const words = told.spread(own.median, own.nearlyAll, own.most)
  return (
    <>
      <Histogram
        label={words}
        counts={own.counts}
        title={(bar) => told.bar(ends(bar)[0], isOpen && bar === bars - 1 ? undefined : ends(bar)[1], own.counts[bar]!)}
      />
      <span class="ends" aria-hidden="true">
        <span>{showNumber(from)}</span>
        <span>
          {isOpen && '≥ '}
          {showNumber(isOpen ? ends(bars - 1)[0] : from + bars * step)}
        </span>
      </span>
      <small>
        {words} · <a href={href}>{told.highestFirst}</a>
      </small>
    </>
  )
}
