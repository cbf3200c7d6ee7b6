import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PromptError } from '@rolecall/core/internal/errors'
import { dictFromEntries, isDict, isList, type PyValue, pyStr } from '@rolecall/core/internal/python'
import type { DatasetConfig } from '../../evaluation/config/config-schema.ts'
import { diagnose } from '../../evaluation/run/diagnose/diagnose.ts'
import type { ScoreFinding } from '../../evaluation/run/diagnose/score-finding.ts'
import type { PairName } from '../../evaluation/run/record/pair-name.ts'
import type { PairResult, RowRecord } from '../../evaluation/run/record/run-record.ts'
import type { Pair } from '../../evaluation/run/run-pairs.ts'
import type { LoadedConfig } from '../config/load-config.ts'
import { fileInRun } from './file-in-run.ts'
import { openRun, type RunPair } from './run-reader.ts'
import { scoreRun } from './score-run.ts'

/** What was found about one model on one dataset. */
export type Diagnosis = PairName & { value: number | undefined; unit: string; rows: number; findings: readonly ScoreFinding[] }

/** More rows than this say nothing new. */
const mostRows = 20_000

/** Why the scores of a run may be low, from its records alone. */
export async function diagnoseRun(folder: string, most = mostRows): Promise<Diagnosis[]> {
  const run = openRun(folder)
  const found: Diagnosis[] = []
  for (const pair of run.pairs) {
    const result = pair.result()
    if (!pair.hasRecords || !result || result.baseline) continue
    const planned = run.foreign ? undefined : await pair.planned()
    const records = firstRecords(pair, most)
    const findings = diagnose({ records, isVerdict: isVerdict(result, records), acceptsGold: planned && goldTest(planned) })
    const { model, format, dataset } = pair
    found.push({ model, format, dataset, value: result.value, unit: result.unit, rows: records.length, findings })
  }
  return found
}

function firstRecords(pair: RunPair, most: number): RowRecord[] {
  const records: RowRecord[] = []
  for (const record of pair.scoredRows()) {
    records.push(record)
    if (records.length === most) break
  }
  return records
}

/** Only right and wrong by the gold answer can be scored otherwise. */
function isVerdict({ kind, isMeanOfRows }: PairResult, records: readonly RowRecord[]): boolean {
  return kind === 'verdict' && isMeanOfRows !== false && records.every(({ score }) => score === undefined || score === 0 || score === 1)
}

/** Whether a gold answer is right as the reply, where it could be one. */
function goldTest({ evaluator, read, inferencer }: Pair): ((gold: PyValue) => boolean) | undefined {
  const { goldIsNoReply, asks, runs, embeds, readsCalls, readsSamples, judgeLater, kind, needsReference } = evaluator
  const isOther = goldIsNoReply || asks || runs || embeds || readsCalls || readsSamples || judgeLater || inferencer.needs !== 'generate'
  if (isOther || kind !== 'verdict' || !needsReference) return undefined
  const row = dictFromEntries([])
  return (gold) => {
    const said = isList(gold) ? gold[0] : gold
    if (said === undefined || isDict(said)) return true
    try {
      const reference = typeof gold === 'string' ? read.reference(gold) : gold
      return evaluator.judge({ prediction: read.prediction(pyStr(said), row).value, reference, row }).score === 1
    } catch {
      return false
    }
  }
}

/** The score of a run after the proposed changes, in a file beside its summary. */
export type TriedRun = { file: string; changes: { dataset: string; fix: string }[]; results: readonly PairResult[] }

/** Scores a copy of the run with the changes that were found, for each dataset the one that gains most, and writes the summary beside the old one. */
export async function tryFindings(folder: string, diagnoses: readonly Diagnosis[]): Promise<TriedRun> {
  const best = new Map<string, ScoreFinding>()
  for (const { dataset, findings } of diagnoses)
    for (const finding of findings)
      if (finding.scoring && (finding.gain?.points ?? 0) > (best.get(dataset)?.gain?.points ?? 0)) best.set(dataset, finding)
  if (best.size === 0)
    throw new PromptError('nothing-to-try', {
      where: folder,
      problem: 'no change of scoring is proposed',
      fix: 'read the findings without --try: they concern models, prompts or rows',
    })
  const loaded = await openRun(folder).config()
  const copies = mkdtempSync(join(tmpdir(), 'rolecall-tried-'))
  try {
    const copy = join(copies, 'run')
    cpSync(folder, copy, { recursive: true })
    const { summary } = await scoreRun(copy, withScoring(loaded, best))
    const changes = [...best].map(([dataset, { fix }]) => ({ dataset, fix }))
    const file = fileInRun(folder, 'summary/tried.json')
    writeFileSync(file, `${JSON.stringify({ changes, summary }, null, 2)}\n`)
    return { file, changes, results: summary.results }
  } finally {
    rmSync(copies, { recursive: true, force: true })
  }
}

function withScoring(loaded: LoadedConfig, changes: ReadonlyMap<string, ScoreFinding>): LoadedConfig {
  const datasets = loaded.config.datasets.map((dataset) => {
    const scoring = changes.get(dataset.abbr ?? '')?.scoring
    return scoring === undefined ? dataset : { ...dataset, eval_cfg: scoring as DatasetConfig['eval_cfg'] }
  })
  return { ...loaded, config: { ...loaded.config, datasets: datasets as LoadedConfig['config']['datasets'] } }
}
