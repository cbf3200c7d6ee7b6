import { type Direction, gain } from '../../evaluation/score/evaluate/metric.ts'
import type { AskedCause } from '../../workbench/why/ask-causes.ts'
import { whySteps } from '../../workbench/why/cause-ledger.ts'
import type { WhyReport, WhySubject } from '../../workbench/why/explain.ts'
import type { GroupReport } from '../../workbench/why/explain-group.ts'
import { isShare } from '../../workbench/why/is-share.ts'
import type { WhyRow, WhySide } from '../../workbench/why/why-row.ts'
import { datasetName, groupCounts, scoreText } from './show-group.ts'
import { askedLines, countsOf, noiseLine, type RowOnSides, rowsOnSides, signed } from './show-why.ts'

const style = `
:root { color-scheme: light dark; --up: #1a7f37; --down: #cf222e; --line: #8884; --dim: #888 }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; width: 100% }
th, td { text-align: start; vertical-align: top; padding: .35rem .6rem; border-bottom: 1px solid var(--line) }
td.number { text-align: end; font-variant-numeric: tabular-nums; white-space: nowrap }
.bar { position: relative; height: .8rem; min-width: 12rem } .bar i { position: absolute; top: 0; bottom: 0; border-radius: 2px }
.up { background: var(--up) } .down { background: var(--down) }
.dim { color: var(--dim) } pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0; font: 13px/1.45 ui-monospace, monospace }
details { margin: .5rem 0 } summary { cursor: pointer }
`

/** One page with the waterfall and the rows of each cause; it loads nothing and runs no script. */
export function whyPage(report: WhyReport, sides: readonly [WhySide, WhySide], most: number, asked: readonly AskedCause[] = []): string {
  const asPoints = isShare(report)
  const { first, second, difference, causes, common, join, notes } = report
  return `${head(`Why ${first.name} and ${second.name} differ`)}
<h1>Why do these scores differ by ${signed(difference, asPoints)}?</h1>
<table><tr><th></th><th>results</th><th>harness</th><th>model, dataset, metric</th><th>score</th><th>rows</th></tr>
${subject('first', first, asPoints)}${subject('second', second, asPoints)}</table>
<p>${join.matched} rows joined by ${text(Object.keys(join.by).join(', '))}; ${join.onlyFirst.length} only in the first, ${join.onlySecond.length} only in the second, ${join.ambiguous.length} ambiguous.</p>
<h2>Causes</h2>
${causes.length === 0 ? '<p>Nothing differs.</p>' : `<table><tr><th>step</th><th>cause</th><th></th><th></th><th>rows</th></tr>${bars(report, asPoints)}</table>`}
<p class="dim">Steps: ${whySteps.join(', ')}. Each row's change of score goes to the first step that explains it; the parts add up to the difference.</p>
${common.comparison?.interval ? `<p>${text(noiseLine(common, asPoints))}.</p>` : ''}
<p>Same prompt, different answer: ${rowNumbers(report.samePromptOtherAnswer)}. Same answer, different verdict: ${rowNumbers(report.sameAnswerOtherVerdict)}.</p>
${asked.length === 0 ? '' : askedPart(asked, report)}
${notes.map((note) => `<p class="dim">Note: ${text(note)}</p>`).join('\n')}
<h2>Rows</h2>
${causes.map((cause, index) => causeRows(index, cause.cause, cause.detail, rowsOnSides(cause, sides, report, most))).join('\n')}
<p class="dim">Written by rolecall why.</p>
</html>
`
}

/** One page about two groups of datasets. */
export function groupPage(report: GroupReport): string {
  const asPoints = isShare(report)
  const { first, second, difference, direction, causes, datasets, notes } = report
  const subjects = [first, second].map(
    ({ name, model, group, datasets: count, rows, score, weighting }) =>
      `<tr><td>${text(name)}</td><td>${text(`${model}, ${group}`)}</td><td>mean of ${weighting === 'other' ? 'other weights' : weighting}</td><td class="number">${scoreText(score, asPoints)}</td><td>${count} datasets, ${rows} rows</td></tr>`,
  )
  const members = datasets.map(
    (one) =>
      `<tr><td>${text(datasetName(one))}</td><td class="number">${scoreText(one.scores[0], asPoints)} → ${scoreText(one.scores[1], asPoints)}</td><td class="number">${signed(one.effect, asPoints)}</td></tr>`,
  )
  const shown = causes.map((cause) => ({ step: cause.step, name: text(cause.cause), effect: cause.effect, counts: groupCounts(cause) }))
  return `${head(`Why ${first.name} and ${second.name} differ`)}
<h1>Why do these scores differ by ${signed(difference, asPoints)}?</h1>
<table><tr><th>results</th><th>model, group</th><th>score is</th><th>score</th><th></th></tr>${subjects.join('')}</table>
<h2>Causes</h2>
<table><tr><th>step</th><th>cause</th><th></th><th></th><th>rows</th></tr>${barRows(shown, difference, asPoints, direction)}</table>
<ul>${causes.map(({ cause, detail }) => `<li>${text(cause)}: ${text(detail)}</li>`).join('')}</ul>
<h2>Datasets</h2>
<table><tr><th>dataset</th><th>scores</th><th>part of the difference</th></tr>${members.join('')}</table>
${notes.map((note) => `<p class="dim">Note: ${text(note)}</p>`).join('\n')}
<p class="dim">Steps: ${whySteps.join(', ')}. The parts add up to the difference. Written by rolecall why.</p>
</html>
`
}

function askedPart(asked: readonly AskedCause[], report: WhyReport): string {
  const { lines, legend } = askedLines(asked, report)
  return `<h2>Asked</h2><ul>${lines.map((line) => `<li>${text(line)}</li>`).join('')}</ul><p class="dim">${text(legend)}</p>`
}

function subject(which: string, { name, harness, model, dataset, metric, score, scored }: WhySubject, asPoints: boolean): string {
  const value = score === undefined ? '–' : scoreText(score, asPoints)
  return `<tr><td>${which}</td><td>${text(name)}</td><td>${text(harness)}</td><td>${text(`${model}, ${dataset}, ${metric}`)}</td><td class="number">${value}</td><td class="number">${scored}</td></tr>\n`
}

function bars(report: WhyReport, asPoints: boolean): string {
  const shown = report.causes.map((cause, index) => ({
    step: cause.step,
    name: `<a href="#cause-${index}">${text(cause.cause)}</a>`,
    effect: cause.effect,
    counts: countsOf(cause, report),
  }))
  return barRows(shown, report.difference, asPoints, report.direction)
}

/** A cause as a line of the waterfall; `name` is HTML. */
type BarRow = { step: string; name: string; effect: number; counts: string }

/** Each bar starts where the one before it ended. */
function barRows(shown: readonly BarRow[], difference: number, asPoints: boolean, direction: Direction): string {
  const ends = shown.map((_, index) => shown.slice(0, index + 1).reduce((sum, { effect }) => sum + effect, 0))
  const [least, greatest] = [Math.min(0, ...ends), Math.max(0, ...ends)]
  const percent = (value: number) => `${(100 * (value - least)) / (greatest - least || 1)}%`
  const rows = shown.map(({ step, name, effect, counts }, index) => {
    const [from, to] = [ends[index - 1] ?? 0, ends[index]!]
    const place = `left:${percent(Math.min(from, to))};right:calc(100% - ${percent(Math.max(from, to))})`
    const bar = `<div class="bar"><i class="${gain(0, effect, direction) < 0 ? 'down' : 'up'}" style="${place}"></i></div>`
    return `<tr><td class="dim">${step}</td><td>${name}</td><td class="number">${signed(effect, asPoints)}</td><td>${bar}</td><td>${text(counts)}</td></tr>`
  })
  return `${rows.join('\n')}<tr><td></td><th>together</th><td class="number">${signed(difference, asPoints)}</td><td></td><td></td></tr>`
}

function head(title: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${text(title)}</title>
<style>${style}</style>`
}

function causeRows(index: number, cause: string, detail: string, rows: readonly RowOnSides[]): string {
  const shown = rows.map(
    ({ id, first, second, change }) =>
      `<details><summary>row ${id}: ${change}</summary><table>${side('first', first)}${side('second', second)}</table></details>`,
  )
  return `<h3 id="cause-${index}">${text(cause)}</h3><p>${text(detail)}</p>${shown.join('\n')}`
}

function side(which: string, row: WhyRow | undefined): string {
  if (!row) return `<tr><td>${which}</td><td>not there</td></tr>`
  const prompt =
    row.prompt === undefined
      ? '(not recorded)'
      : typeof row.prompt === 'string'
        ? row.prompt
        : row.prompt.map(({ role, content }) => `[${role}] ${content}`).join('\n')
  const verdict = `read ${row.pred ?? '–'} · gold ${row.gold ?? '–'} · score ${row.score ?? '–'}`
  return `<tr><td>${which}</td><td><pre>${text(prompt)}</pre></td><td><pre>${text(row.error ?? row.reply ?? '')}</pre><span class="dim">${text(verdict)}</span></td></tr>`
}

function rowNumbers(ids: readonly number[]): string {
  return ids.length === 0 ? 'none' : `${ids.length} rows (${ids.slice(0, 50).join(', ')}${ids.length > 50 ? ', …' : ''})`
}

function text(value: string): string {
  return value.replace(/[&<>"]/g, (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[character]!)
}
