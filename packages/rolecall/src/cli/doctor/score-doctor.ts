import { relative } from 'node:path'
import type { ScoreFinding } from '../../evaluation/run/diagnose/score-finding.ts'
import { pairText } from '../../evaluation/run/record/pair-name.ts'
import { fixed, signed } from '../../evaluation/run/record/round.ts'
import { quoteWord } from '../../node/platform.ts'
import { type Diagnosis, diagnoseRun, type TriedRun, tryFindings } from '../../node/runs/diagnose-run.ts'
import { runAt } from '../../node/runs/find-run.ts'
import type { NextStep, ScreenBlock } from '../screen/blocks.ts'
import { ownCommand } from '../screen/own-command.ts'
import { printNext, printScreen } from '../screen/print-screen.ts'

/** Rows are named up to this number. */
const mostRows = 8

/** The rows of a pair that the hint after a run looks at, and the largest run that gets one. */
const hintRows = 500
const mostHintRows = 20_000

/** After a run: the command that explains its scores, if replies would be scored much better otherwise. */
export async function scoringHint(folder: string, shown: string, rows: number): Promise<NextStep[]> {
  if (rows > mostHintRows) return []
  const findings = (await diagnoseRun(folder, hintRows)).flatMap(({ findings: all }) => all.filter(({ gain }) => gain))
  const best = findings.toSorted((one, other) => (other.gain?.points ?? 0) - (one.gain?.points ?? 0))[0]
  return best ? [{ command: `${ownCommand()} doctor ${quoteWord(shown)}`, shows: `${best.rows.length} wrong replies may be right` }] : []
}

/** `doctor RUN`: why its scores may be low. */
export async function examineScores(name: string, { json, tries }: { json: boolean; tries: boolean }): Promise<void> {
  const folder = runAt(name)
  const diagnoses = await diagnoseRun(folder)
  const tried = tries ? await tryFindings(folder, diagnoses) : undefined
  if (json) {
    process.stdout.write(`${JSON.stringify({ run: folder, diagnoses, ...(tried ? { tried } : {}) }, null, 2)}\n`)
    return
  }
  const hasScoring = diagnoses.some(({ findings }) => findings.some(({ scoring }) => scoring))
  printScreen([...diagnoses.flatMap(diagnosisBlocks), ...clean(diagnoses), ...(tried ? triedBlocks(tried, diagnoses) : [])])
  if (hasScoring && !tried)
    printNext([{ command: `${ownCommand()} doctor ${quoteWord(name)} --try`, shows: 'the score with the change; the run stays as it is' }])
}

function diagnosisBlocks(diagnosis: Diagnosis): ScreenBlock[] {
  const { findings, value, unit, rows } = diagnosis
  if (findings.length === 0) return []
  const figure = value === undefined ? [] : [`${fixed(value, unit === 'percent' ? 1 : 4)}${unit === 'percent' ? ' %' : ` ${unit}`}`]
  return [
    { kind: 'group', blocks: [{ kind: 'parts', parts: [pairText(diagnosis), `${rows} rows`, ...figure] }, ...findings.map(findingBlock)] },
  ]
}

function findingBlock({ code, text, gain, fix, rows }: ScoreFinding): ScreenBlock {
  const shown = rows.slice(0, mostRows).join(', ')
  const more = rows.length > mostRows ? ` and ${rows.length - mostRows} more` : ''
  return {
    kind: 'label',
    label: code,
    tone: 'attention',
    texts: [text, ...(gain ? [gainText(gain)] : []), `fix: ${fix}`, `rows ${shown}${more}`],
  }
}

function gainText({ points, interval, p, tried, measuredOn, chosenOn, byChance }: NonNullable<ScoreFinding['gain']>): string {
  const probability = p < 0.001 ? 'p < 0.001' : `p = ${fixed(p, 3)}`
  const range = `[${signed(interval.low, 1)}, ${signed(interval.high, 1)}]`
  return `gain ${signed(points, 1)} points ${range} on ${measuredOn} rows, chosen among ${tried} on the other ${chosenOn}, ${probability} adjusted; it accepts ${fixed(100 * byChance, 1)} % of wrong gold answers`
}

function clean(diagnoses: readonly Diagnosis[]): ScreenBlock[] {
  const without = diagnoses.filter(({ findings }) => findings.length === 0)
  if (without.length === 0) return []
  const all = without.length === diagnoses.length
  const text = all ? 'Nothing was found that would explain low scores.' : `Nothing was found about ${without.map(pairText).join(', ')}.`
  return [{ kind: 'prose', text }]
}

function triedBlocks({ file, changes, results }: TriedRun, diagnoses: readonly Diagnosis[]): ScreenBlock[] {
  const lines = results.flatMap((result) => {
    const before = diagnoses.find(
      ({ model, format, dataset }) => model === result.model && format === result.format && dataset === result.dataset,
    )
    if (before?.value === undefined || result.value === undefined) return []
    return [{ cells: [{ text: pairText(result) }, { text: fixed(before.value, 1) }, { text: fixed(result.value, 1) }] }]
  })
  return [
    { kind: 'prose', text: changes.map(({ dataset, fix }) => `${dataset}: ${fix}`).join('; ') },
    { kind: 'grid', columns: [{ mayShorten: true }, { title: 'before', isNumber: true }, { title: 'tried', isNumber: true }], rows: lines },
    { kind: 'parts', parts: ['the run is unchanged', relative(process.cwd(), file) || file], tone: 'quiet' },
  ]
}
