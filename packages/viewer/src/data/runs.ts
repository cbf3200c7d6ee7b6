import { parseJson } from '@rolecall/core/internal/python'
import type { RowRecord } from 'rolecall/internal/evaluation/run/record/run-record'
import type { TextField } from 'rolecall/internal/server/viewer/grid/filter-terms'
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
  type WhyView,
} from 'rolecall/internal/server/viewer/viewer-data'
import type { GroupReport } from 'rolecall/internal/workbench/why/explain-group'
import { load } from './load.ts'

export async function loadState(run: number, signal?: AbortSignal): Promise<RunStatus> {
  return (await load(`data/runs/${run}/state.json`, signal)).json()
}

export async function loadScores(run: number, pair: number, signal?: AbortSignal): Promise<ScoreColumn> {
  return (await load(`data/runs/${run}/${pair}/scores.json`, signal)).json()
}

/** The values by which a pair's rows are sorted and filtered. */
export async function loadColumns(run: number, pair: number, signal?: AbortSignal): Promise<RowColumns> {
  return (await load(`data/runs/${run}/${pair}/columns.json`, signal)).json()
}

/** Lengths of prompts and answers and latencies on a dataset, by its index in the run. */
export async function loadLengths(run: number, dataset: number, signal?: AbortSignal): Promise<RunLengths> {
  return (await load(`data/runs/${run}/lengths/${dataset}.json`, signal)).json()
}

/** A page of a pair's rows in short form. */
export async function loadRecordList(run: number, pair: number, part: number, signal?: AbortSignal): Promise<RecordList> {
  return (await load(`data/runs/${run}/${pair}/list/${part}.json`, signal)).json()
}

export async function loadRunLines(signal?: AbortSignal): Promise<RunLine[]> {
  return (await load('data/runs.json', signal)).json()
}

/** Two sides compared: `0` is a run, `0.1` its second model. */
export async function loadComparison(first: string, second: string, signal?: AbortSignal): Promise<ComparedSides> {
  return (await load(`data/compare/${first}-${second}.json`, signal)).json()
}

/** Why two pairs differ: `0.1-2.0` are the second pair of the first run and the first pair of the third. */
export async function loadWhy(
  sides: string,
  metric: string | undefined,
  second: string | undefined,
  signal?: AbortSignal,
): Promise<WhyView> {
  const wanted = new URLSearchParams({ ...(metric === undefined ? {} : { metric }), ...(second === undefined ? {} : { second }) })
  return (await load(`data/why/${sides}.json?${wanted}`, signal)).json()
}

/** Why all datasets, or a group of them, differ: `0.1-2.0` are the second model of the first run and the first model of the third. */
export async function loadGroupWhy(sides: string, group: string | undefined, signal?: AbortSignal): Promise<GroupReport> {
  return (await load(`data/why/groups/${sides}.json${group === undefined ? '' : `?group=${encodeURIComponent(group)}`}`, signal)).json()
}

/** The record at a position, parsed like Python's JSON. */
export async function loadRecord(site: Site, run: number, pair: number, place: number, signal?: AbortSignal): Promise<RowRecord> {
  return readRecord(await loadRecordText(site, run, pair, place, signal))
}

/** A record as JSON: unchanged rows are equal. */
export async function loadRecordText(site: Site, run: number, pair: number, place: number, signal?: AbortSignal): Promise<string> {
  const part = Math.floor(place / site.rowsPerFile)
  const texts = (await (await load(`data/runs/${run}/${pair}/records/${part}.json`, signal)).json()) as string[]
  return texts[place - part * site.rowsPerFile]!
}

export function readRecord(text: string): RowRecord {
  return parseJson(text) as RowRecord
}

/** Where the answers of a row were extracted; unknown in exported sites. */
export async function loadExtracted(site: Site, run: number, pair: number, place: number, signal?: AbortSignal) {
  if (site.exported !== undefined) return undefined
  return (await load(`data/runs/${run}/${pair}/extracted/${place}.json`, signal)).json() as Promise<([number, number] | null)[]>
}

/** A search query for rows. */
export type Search = { text: string; isPattern: boolean; field?: TextField }

/** Found rows, and what could not be searched. */
export type Found = { places: number[]; lacks?: 'inputs' | 'rest' }

/** The positions of rows that contain a text. Exported sites search the row lists, which hold the first characters of each field. */
export async function findRows(
  site: Site,
  [run, pair]: readonly [run: number, pair: number],
  { text, isPattern, field = 'any' }: Search,
  count: number,
  signal: AbortSignal,
): Promise<Found> {
  if (site.exported === undefined) {
    const found = (await (
      await load(
        `data/runs/${run}/${pair}/find.json?text=${encodeURIComponent(text)}${isPattern ? '&pattern' : ''}${field === 'any' ? '' : `&in=${field}`}`,
        signal,
      )
    ).json()) as { places: number[]; hasInputs: boolean }
    return { places: found.places, ...(found.hasInputs ? {} : { lacks: 'inputs' }) }
  }
  const pattern = isPattern ? new RegExp(text, 'iu') : undefined
  const wanted = text.toLowerCase()
  const matches = (one: string) => (pattern ? pattern.test(one) : one.toLowerCase().includes(wanted))
  const places: number[] = []
  for (let part = 0; part * listPageSize < count && !signal.aborted; part++) {
    const { lines } = await loadRecordList(run, pair, part)
    for (const [index, { id, prediction, gold = '', error = '', asked = '' }] of lines.entries()) {
      const searched = { any: [String(id), prediction, gold, error, asked], question: [asked], reply: [prediction] }
      if (searched[field].some(matches)) places.push(part * listPageSize + index)
    }
  }
  return { places, lacks: 'rest' }
}
