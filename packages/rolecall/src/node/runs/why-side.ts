import { isAbsolute, relative, resolve } from 'node:path'
import { PromptError } from '@rolecall/core/internal/errors'
import type { PyValue } from '@rolecall/core/internal/python'
import { isSamePair, modelText } from '../../evaluation/run/record/pair-name.ts'
import type { PairSetup, RowMetric } from '../../evaluation/run/record/pair-setup.ts'
import { type WhyRule, type WhySide, whyRow } from '../../workbench/why/why-row.ts'
import { pathSteps } from '../platform.ts'
import { TextSpool } from '../text-spool.ts'
import type { Records } from './records/records.ts'
import { openRun, type PairChoice, type RunPair } from './run-reader.ts'
import { ruleOf } from './why-rule.ts'

/** Which pair and metric of a run to explain. */
export type WhySelection = PairChoice & { metric?: string | undefined }

/** A run's folder, the name to show for it, and what to explain of it. */
export type NamedSide = WhySelection & { folder: string; name: string }

export type OpenedSide = { side: WhySide; metrics: readonly string[]; notes: readonly string[]; close(): void }

/** Opens one model on one dataset of a run as a side of `why`. */
export async function openWhySide({ folder, name, metric, ...wanted }: NamedSide): Promise<OpenedSide> {
  const run = openRun(folder)
  const pair = run.pair(wanted, name)
  const setup = await pair.setup()
  const records = pair.scoredRecords()
  let prompts: TextSpool | undefined
  const close = () => {
    records.close()
    prompts?.close()
  }
  try {
    const metrics = metricsOf(records, setup)
    const chosen = chooseMetric(metrics, metric, name)
    const notes = run.notes([pair]).map(({ text }) => text)
    prompts = run.foreign || records.count === 0 ? undefined : await missingPrompts(pair, records, (text) => notes.push(text))
    const foreign = run.foreign?.pairs.find((one) => isSamePair(one, pair))
    const reported = foreign ? foreign.reported[chosen] : ownReported(pair, chosen)
    const side: WhySide = {
      name: shownName(name),
      model: modelText(pair),
      dataset: pair.dataset,
      metric: chosen,
      setup,
      count: records.count,
      direction: pair.figure?.direction,
      ...(reported === undefined ? {} : { reported }),
      row: (place) => {
        const record = records.read(place, place + 1)[0]!
        return whyRow(record, chosen, prompts?.read(place))
      },
    }
    const rule = provenRule(side, ruleOf(setup, chosen))
    return { side: { ...side, rule }, metrics, notes, close }
  } catch (error) {
    close()
    throw error
  }
}

/** Relative, or without the folders above, which say something about this machine: explanations are published. */
export function shownName(name: string): string {
  const near = relative(process.cwd(), name)
  if (near !== '' && !near.startsWith('..') && !isAbsolute(near)) return near
  return pathSteps(resolve(name)).names.slice(-2).join('/')
}

/** The main metric of an own run as its rows have it: percentages are shares. */
function ownReported(pair: RunPair, metric: string): number | undefined {
  const result = pair.result()
  if (result?.value === undefined || result.metric !== metric) return undefined
  return result.unit === 'percent' ? result.value / 100 : result.value
}

/** All metrics of the rows: those of the setup, and epochs of the first row. */
function metricsOf(records: Records, { scoring }: PairSetup): string[] {
  const first = records.count > 0 ? records.read(0, 1)[0]!.details?.metrics : undefined
  return [...new Set([...Object.keys(scoring), ...Object.keys((first ?? {}) as Record<string, RowMetric & PyValue>)])]
}

function chooseMetric(metrics: readonly string[], wanted: string | undefined, name: string): string {
  if (wanted === undefined) return metrics[0] ?? 'score'
  const found = metrics.find((one) => one === wanted || one === wanted.replace(/,none$/, ''))
  if (found !== undefined) return found
  throw new PromptError('no-metric', { where: name, problem: `it has no metric "${wanted}"`, fix: `choose one of ${metrics.join('; ')}` })
}

/** Prompts that an own run did not record are rendered again, into a temporary file. */
async function missingPrompts(pair: RunPair, records: Records, note: (text: string) => void): Promise<TextSpool | undefined> {
  if (records.read(0, 1)[0]!.prompts !== undefined) return undefined
  const spool = new TextSpool()
  try {
    for await (const { sent } of pair.prompts(note, records.rows())) spool.add(sent?.text)
    return spool
  } catch (error) {
    spool.close()
    throw error
  }
}

/** At most this many rows prove a rule. */
const provenBy = 500

/** A rule that reproduces every verdict of the same run, else none. */
function provenRule(side: WhySide, rule: WhyRule | undefined): WhyRule | undefined {
  if (!rule) return undefined
  for (let place = 0; place < Math.min(side.count, provenBy); place++) {
    const row = side.row(place)
    if (row.reply === undefined || row.score === undefined) continue
    if (rule(row.reply, row)?.score !== row.score) return undefined
  }
  return rule
}
