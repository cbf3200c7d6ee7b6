import type { ComponentChildren } from 'preact'
import { gain } from 'rolecall/internal/evaluation/score/evaluate/metric'
import type { WhyCause } from 'rolecall/internal/workbench/why/cause-ledger'
import { betterAndWorse, type WhyChange } from 'rolecall/internal/workbench/why/cause-rows'
import type { WhyReport } from 'rolecall/internal/workbench/why/explain'
import { visibleText } from '../../prompt/visible-text.tsx'
import { whyTexts } from '../../texts/why.ts'
import { causeKey, tagKind } from './listed-rows.ts'

type Cause = Pick<WhyCause, 'step' | 'cause' | 'detail' | 'effect'>

type WaterfallProps<One extends Cause> = {
  report: Pick<WhyReport, 'direction' | 'difference'> & { first: { score?: number }; second: { score?: number }; causes: readonly One[] }
  shown: (value: number) => string
  signed: (value: number) => string
  /** The address of a cause's rows, if there is one list of them. */
  hrefOf?: (cause: One) => string
  /** The rows of a cause, counted. */
  rowsOf: (cause: One) => ComponentChildren
  chosen: string | undefined
}

/** The causes as bars, each of which starts where the one before it ended. */
export function Waterfall<One extends Cause>({ report, shown, signed, hrefOf, rowsOf, chosen }: WaterfallProps<One>) {
  const ui = whyTexts()
  const { first, second, causes, difference } = report
  const from = first.score ?? 0
  const ends = causes.map((_, index) => causes.slice(0, index + 1).reduce((sum, { effect }) => sum + effect, from))
  const [least, greatest] = [Math.min(from, ...ends), Math.max(from, ...ends)]
  const at = (value: number) => `${(100 * (value - least)) / (greatest - least || 1)}%`
  return (
    <ol class="waterfall" aria-label={ui.waterfall}>
      <li class="fall-end">
        <b class="fall-name">{ui.first}</b>
        <span class="fall-effect">{first.score === undefined ? '–' : shown(first.score)}</span>
        <Bar from={at(from)} to={at(from)} kind="end" />
      </li>
      {causes.map((cause, index) => (
        <li key={causeKey(cause)} class={chosen === causeKey(cause) ? 'is-chosen' : ''}>
          <span class="fall-name">
            <small class="quiet">{ui.steps(cause.step)}</small>
            <b>{ui.cause(cause.cause)}</b>
          </span>
          {hrefOf ? (
            <a class="fall-effect" href={hrefOf(cause)}>
              {signed(cause.effect)}
            </a>
          ) : (
            <b class="fall-effect">{signed(cause.effect)}</b>
          )}
          <Bar
            from={at(ends[index - 1] ?? from)}
            to={at(ends[index]!)}
            kind={gain(0, cause.effect, report.direction) < 0 ? 'worse' : 'better'}
          />
          <p class="fall-rows">{rowsOf(cause)}</p>
          <Detail text={cause.detail} />
        </li>
      ))}
      <li class="fall-end">
        <b class="fall-name">{ui.second}</b>
        <span class="fall-effect">{second.score === undefined ? '–' : shown(second.score)}</span>
        <Bar from={at(ends.at(-1) ?? from)} to={at(ends.at(-1) ?? from)} kind="end" />
        <p class="fall-rows">
          {ui.together} <b>{signed(difference)}</b>
        </p>
      </li>
    </ol>
  )
}

function Bar({ from, to, kind }: { from: string; to: string; kind: string }) {
  const [low, high] = [from, to].sort((one, other) => Number.parseFloat(one) - Number.parseFloat(other)) as [string, string]
  return (
    <span class="fall-bar" aria-hidden="true">
      <i class={`is-${kind}`} style={{ left: low, right: `calc(100% - ${high})` }} />
    </span>
  )
}

/** What differs, in the words of the report: quotes of settings and texts stay as they are. */
function Detail({ text }: { text: string }) {
  if (text === '') return null
  const own = whyTexts().detail(text)
  return (
    <p class="fall-detail quiet" {...(own === undefined ? { lang: 'en' } : {})}>
      {visibleText((own ?? text).replaceAll('\n', '⏎'), false)}
    </p>
  )
}

type CauseRowsProps = { cause: WhyCause; report: WhyReport; hrefTo: (list: string, kind?: string) => string }

/** How many rows of a cause became better, worse or have another reply; each number shows them. */
export function CauseRows({ cause, report, hrefTo }: CauseRowsProps) {
  const ui = whyTexts()
  const { changed, unmatched, onlySecond, replies } = cause
  const { better, worse } = betterAndWorse(cause, report)
  const counts: [WhyChange, number][] = [
    ['one side only', unmatched.length + onlySecond.length],
    ['better', better.length],
    ['worse', worse.length],
    ['other reply', changed.length],
  ]
  const links = [
    ...counts.flatMap(([kind, rows]) => (rows === 0 ? [] : [[kind, ui.counts[kind](rows)] as const])),
    ...Object.entries(replies).map(([tag, rows]) => [tagKind(tag), ui.tag(tag, rows.length)] as const),
  ]
  if (links.length === 0) return <span class="quiet">{ui.noEffect}</span>
  return (
    <>
      {links.map(([kind, text]) => (
        <a key={kind} href={hrefTo(causeKey(cause), kind)}>
          {text}
        </a>
      ))}
    </>
  )
}
