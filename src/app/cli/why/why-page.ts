import { gain } from '../../../evaluation/score/evaluate/metric.ts'
import type { AskedCause } from '../../../workbench/why/ask-causes.ts'
import { whySteps } from '../../../workbench/why/cause-ledger.ts'
import type { WhyReport, WhySubject } from '../../../workbench/why/explain.ts'
import { isShare } from '../../../workbench/why/is-share.ts'
import type { WhyRow, WhySide } from '../../../workbench/why/why-row.ts'
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
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text(`Why ${first.name} and ${second.name} differ`)}</title>
<style>${style}</style>
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

function askedPart(asked: readonly AskedCause[], report: WhyReport): string {
  const { lines, legend } = askedLines(asked, report)
  return `<h2>Asked</h2><ul>${lines.map((line) => `<li>${text(line)}</li>`).join('')}</ul><p class="dim">${text(legend)}</p>`
}

function subject(which: string, { name, harness, model, dataset, metric, score, scored }: WhySubject, asPoints: boolean): string {
  const value = score === undefined ? '–' : (asPoints ? 100 * score : score).toFixed(asPoints ? 1 : 3)
  return `<tr><td>${which}</td><td>${text(name)}</td><td>${text(harness)}</td><td>${text(`${model}, ${dataset}, ${metric}`)}</td><td class="number">${value}</td><td class="number">${scored}</td></tr>\n`
}

/** Each bar starts where the one before it ended. */
function bars(report: WhyReport, asPoints: boolean): string {
  const { causes, difference } = report
  const ends = causes.map((_, index) => causes.slice(0, index + 1).reduce((sum, { effect }) => sum + effect, 0))
  const [least, greatest] = [Math.min(0, ...ends), Math.max(0, ...ends)]
  const percent = (value: number) => `${(100 * (value - least)) / (greatest - least || 1)}%`
  const rows = causes.map((cause, index) => {
    const [from, to] = [ends[index - 1] ?? 0, ends[index]!]
    const place = `left:${percent(Math.min(from, to))};right:calc(100% - ${percent(Math.max(from, to))})`
    const bar = `<div class="bar"><i class="${gain(0, cause.effect, report.direction) < 0 ? 'down' : 'up'}" style="${place}"></i></div>`
    return `<tr><td class="dim">${cause.step}</td><td><a href="#cause-${index}">${text(cause.cause)}</a></td><td class="number">${signed(cause.effect, asPoints)}</td><td>${bar}</td><td>${text(countsOf(cause, report))}</td></tr>`
  })
  return `${rows.join('\n')}<tr><td></td><th>together</th><td class="number">${signed(difference, asPoints)}</td><td></td><td></td></tr>`
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
