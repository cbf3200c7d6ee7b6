import type { Distribution, RunLengths } from 'rolecall/internal/server/viewer/viewer-data'
import { loadLengths } from '../../data/runs.ts'
import { useLoad } from '../../data/use-load.ts'
import { Choice } from '../../parts/choice.tsx'
import { ErrorBox } from '../../parts/error-box.tsx'
import { FigureTable } from '../../parts/figure-table.tsx'
import { Histogram } from '../../plots/histogram.tsx'
import { visibleText } from '../../prompt/visible-text.tsx'
import { useLinked } from '../../route.ts'
import { modelName } from '../../texts/model-name.ts'
import { showNumber } from '../../texts/numbers.ts'
import { runTexts } from '../../texts/run.ts'
import { rowsHref } from '../links.ts'
import type { RunPageProps } from './run-page.tsx'
import { Section } from './section.tsx'

/** What is measured, and the sort order that shows the extremes. */
const measured = [
  ['promptTokens', 'tokens'],
  ['replyTokens', 'tokens'],
  ['milliseconds', 'time'],
] as const satisfies readonly (readonly [keyof RunLengths, string])[]

/** Histograms of prompt lengths, answer lengths and latency. Loaded when opened, because every row is read. */
export function Lengths(props: RunPageProps) {
  if (props.state.pairs.every(({ rows }) => rows === 0)) return null
  return (
    <Section name="lengths" title={runTexts().lengths} isOpen={false}>
      <OfDataset {...props} />
    </Section>
  )
}

function OfDataset({ site, number, state }: RunPageProps) {
  const ui = runTexts()
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
          label={ui.dataset}
          value={datasets[dataset]!}
          options={datasets.map((name) => [name, name] as const)}
          onChange={(name) => link(name === datasets[0] ? undefined : name)}
        />
      )}
      {lengths ? (
        <FigureTable label={ui.lengths} names={[ui.model, ui.promptTokens, ui.replyTokens, ui.milliseconds]} class="lengths">
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
          {ui.reading}
        </p>
      )}
      {known > 0 && <p class="quiet">{ui.known(known)}</p>}
    </>
  )
}

function Spread({ distribution, pair, href }: { distribution: Distribution; pair: number; href: string }) {
  const ui = runTexts()
  const own = distribution.pairs.find((one) => one.pair === pair)
  if (!own) return <span class="quiet">{ui.noLengths}</span>
  const { from, step, bars, isOpen } = distribution
  const ends = (bar: number) => [from + bar * step, from + (bar + 1) * step - 1] as const
  const words = ui.spread(own.median, own.nearlyAll, own.most)
  return (
    <>
      <Histogram
        label={words}
        counts={own.counts}
        title={(bar) => ui.bar(ends(bar)[0], isOpen && bar === bars - 1 ? undefined : ends(bar)[1], own.counts[bar]!)}
      />
      <span class="ends" aria-hidden="true">
        <span>{showNumber(from)}</span>
        <span>
          {isOpen && '≥ '}
          {showNumber(isOpen ? ends(bars - 1)[0] : from + bars * step)}
        </span>
      </span>
      <small>
        {words} · <a href={href}>{ui.highestFirst}</a>
      </small>
    </>
  )
}
