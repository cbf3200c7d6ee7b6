import { isAbsolute, join, relative, resolve } from 'node:path'
import { PromptError } from '@rolecall/core/internal/errors'
import type { PyValue } from '@rolecall/core/internal/python'
import { choosePairs } from '../../evaluation/run/choose-pairs.ts'
import { isSamePair, modelText, pairText } from '../../evaluation/run/record/pair-name.ts'
import type { PairSetup, RowMetric } from '../../evaluation/run/record/pair-setup.ts'
import { type WhyRule, type WhySide, whyRow } from '../../workbench/why/why-row.ts'
import { scoringPeers } from '../jieba-words.ts'
import { pathSteps } from '../platform.ts'
import { withGuardedTemplates } from '../templates/guard-config.ts'
import { TextSpool } from '../text-spool.ts'
import { foreignSetup } from './foreign/setup-file.ts'
import { ownSetup } from './own-setup.ts'
import { recordedConfig } from './recorded-config.ts'
import { recordedPrompts } from './recorded-prompts.ts'
import { openRecords, type Records } from './records/records.ts'
import { unreadableLines } from './records/unreadable-lines.ts'
import { type PairFiles, readResult, readRunInfo } from './run-layout.ts'
import { ruleOf } from './why-rule.ts'

/** Which pair and metric of a run to explain; `pair` is its number. */
export type WhySelection = {
  model?: string | undefined
  dataset?: string | undefined
  pair?: number | undefined
  metric?: string | undefined
}

/** A run's folder, the name to show for it, and what to explain of it. */
export type NamedSide = WhySelection & { folder: string; name: string }

export type OpenedSide = { side: WhySide; metrics: readonly string[]; notes: readonly string[]; close(): void }

/** Opens one model on one dataset of a run as a side of `why`. */
export async function openWhySide({ folder, name, metric, ...wanted }: NamedSide): Promise<OpenedSide> {
  const pair = choosePair(readRunInfo(folder).pairs, name, wanted)
  const foreign = foreignSetup(folder)
  const ofPair = foreign?.pairs.find((one) => isSamePair(one, pair))
  const setup = ofPair?.setup ?? (await ownSetup(folder, pair))
  const records = openRecords(join(folder, pair.predictions))
  let prompts: TextSpool | undefined
  const close = () => {
    records.close()
    prompts?.close()
  }
  try {
    const metrics = metricsOf(records, setup)
    const chosen = chooseMetric(metrics, metric, name)
    const notes = [...(foreign?.notes ?? []).map(({ text }) => text), ...unreadableLines(folder, [pair])]
    prompts = foreign || records.count === 0 ? undefined : await missingPrompts(folder, pair, records, (text) => notes.push(text))
    const reported = ofPair ? ofPair.reported[chosen] : ownReported(folder, pair, chosen)
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

function choosePair(pairs: readonly PairFiles[], name: string, { model, dataset, pair: number }: WhySelection): PairFiles {
  const found = pairs.filter(
    (pair, index) =>
      (model === undefined || modelText(pair) === model) &&
      (dataset === undefined || pair.dataset === dataset) &&
      (number === undefined || index === number),
  )
  if (found.length === 1) return found[0]!
  throw new PromptError(found.length === 0 ? 'no-pair' : 'several-pairs', {
    where: name,
    problem:
      found.length === 0 ? `it has no such model and dataset` : `it has ${found.length} models and datasets, and one is compared at a time`,
    fix: `choose with --model and --dataset, or ${name}#NAME: ${pairs.map(pairText).join(', ')}`,
  })
}

/** The main metric of an own run as its rows have it: percentages are shares. */
function ownReported(folder: string, pair: PairFiles, metric: string): number | undefined {
  const result = readResult(folder, pair)
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
async function missingPrompts(
  folder: string,
  files: PairFiles,
  records: Records,
  note: (text: string) => void,
): Promise<TextSpool | undefined> {
  if (records.read(0, 1)[0]!.prompts !== undefined) return undefined
  const loaded = withGuardedTemplates(await recordedConfig(folder))
  const pair = choosePairs(loaded.config, readRunInfo(folder).options, scoringPeers()).find(({ name }) => isSamePair(name, files))
  if (!pair) return undefined
  const spool = new TextSpool()
  try {
    for await (const { sent } of recordedPrompts(folder, files, pair, loaded.folder, note)) spool.add(sent?.text)
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
