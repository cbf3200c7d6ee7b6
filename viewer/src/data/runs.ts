import {
  type ComparedSides,
  listPageSize,
  type RecordList,
  type RowColumns,
  type RunLengths,
  type RunLine,
  type RunStatus,
  type ScoreColumn,
  type Site,
} from '../../../src/app/server/viewer/viewer-data.ts'
import { parseJson } from '../../../src/base/python/index.ts'
import type { RowRecord } from '../../../src/evaluation/run/record/run-record.ts'
import { load } from './load.ts'

export async function loadState(run: number, signal?: AbortSignal): Promise<RunStatus> {
  return (await load(`data/runs/${run}/state.json`, signal)).json()
}

export async function loadScores(run: number, pair: number, signal?: AbortSignal): Promise<ScoreColumn> {
  return (await load(`data/runs/${run}/${pair}/scores.json`, signal)).json()
}

/** What the table of a pair's rows is sorted and filtered by. */
export async function loadColumns(run: number, pair: number, signal?: AbortSignal): Promise<RowColumns> {
  return (await load(`data/runs/${run}/${pair}/columns.json`, signal)).json()
}

/** How long prompts, answers and waiting were on a dataset, by its number among those of the run. */
export async function loadLengths(run: number, dataset: number, signal?: AbortSignal): Promise<RunLengths> {
  return (await load(`data/runs/${run}/lengths/${dataset}.json`, signal)).json()
}

const listsOnTheirWay = new Map<string, Promise<RecordList>>()

/** A part of a pair's rows in short; whoever asks for what is on its way waits for the same. */
export function loadRecordList(run: number, pair: number, part: number): Promise<RecordList> {
  const path = `data/runs/${run}/${pair}/list/${part}.json`
  const asked = listsOnTheirWay.get(path) ?? load(path).then((file) => file.json() as Promise<RecordList>)
  listsOnTheirWay.set(path, asked)
  const done = () => listsOnTheirWay.delete(path)
  asked.then(done, done)
  return asked
}

export async function loadRunLines(signal?: AbortSignal): Promise<RunLine[]> {
  return (await load('data/runs.json', signal)).json()
}

/** Two sides compared: `0` is a run, `0.1` its second model. */
export async function loadComparison(first: string, second: string, signal?: AbortSignal): Promise<ComparedSides> {
  return (await load(`data/compare/${first}-${second}.json`, signal)).json()
}

/** The record at a place, read as Python would. */
export async function loadRecord(site: Site, run: number, pair: number, place: number, signal?: AbortSignal): Promise<RowRecord> {
  const part = Math.floor(place / site.rowsPerFile)
  const texts = (await (await load(`data/runs/${run}/${pair}/records/${part}.json`, signal)).json()) as string[]
  return parseJson(texts[place - part * site.rowsPerFile]!) as unknown as RowRecord
}

/** What rows are searched for. */
export type Search = { text: string; isPattern: boolean }

/** The places of rows that have a text. An exported site has no server: there the lists are looked through, which have the first characters of each. */
export async function findRows(
  site: Site,
  [run, pair]: readonly [run: number, pair: number],
  { text, isPattern }: Search,
  count: number,
  signal: AbortSignal,
): Promise<number[]> {
  if (site.exported === undefined)
    return (await load(`data/runs/${run}/${pair}/find.json?text=${encodeURIComponent(text)}${isPattern ? '&pattern' : ''}`, signal)).json()
  const pattern = isPattern ? new RegExp(text, 'iu') : undefined
  const wanted = text.toLowerCase()
  const matches = (one: string) => (pattern ? pattern.test(one) : one.toLowerCase().includes(wanted))
  const places: number[] = []
  for (let part = 0; part * listPageSize < count && !signal.aborted; part++) {
    const { lines } = await loadRecordList(run, pair, part)
    for (const [index, { id, prediction, gold = '', error = '', asked = '' }] of lines.entries()) {
      if ([String(id), prediction, gold, error, asked].some(matches)) places.push(part * listPageSize + index)
    }
  }
  return places
}
