import { closeSync, mkdirSync, openSync, renameSync, writeFileSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type PyValue, stringifyJson } from '@rolecall/core/internal/python'
import { openCompassMarkdown, openCompassSummary } from '../../compat/publish/opencompass-summary.ts'
import { detailsType, openCompassDetail, openCompassMetrics, openCompassPrediction } from '../../compat/publish/opencompass-work-dir.ts'
import type { PublishedPair, PublishedRun } from '../../compat/publish/published-run.ts'
import { openPublishedRun } from './open-published-run.ts'
import { layOut, type RunInfo } from './run-layout.ts'

/**
 * Writes `predictions/<model>/<dataset>.json`, `results/<model>/<dataset>.json` and `summary/summary_<time>.{csv,md}` as OpenCompass does;
 * returns their names. `time` is that of the run's folder.
 */
export async function writeWorkDir(run: PublishedRun, folder: string, time: string): Promise<{ to: string; rows?: number }[]> {
  const written: { to: string; rows?: number }[] = []
  const files = layOut(run.pairs.map(({ result }) => result))
  for (const [index, pair] of run.pairs.entries()) {
    const { predictions, results } = files[index]!
    written.push(...(await writePair(pair, folder, predictions.replace(/l$/, ''), results)))
  }
  for (const [ending, text] of [
    ['csv', openCompassSummary(run)],
    ['md', openCompassMarkdown(run)],
  ]) {
    const to = `summary/summary_${time}.${ending}`
    mkdirSync(join(folder, 'summary'), { recursive: true })
    writeFileSync(join(folder, to), text!)
    written.push({ to })
  }
  return written
}

/** Writes the files of the layout that a run was started with, beside its own; returns notes. */
export async function writeLayout(folder: string, { options, started }: Pick<RunInfo, 'options' | 'started'>): Promise<string[]> {
  // A shard has only some of the rows: `merge` writes them.
  if (options.layout !== 'opencompass' || options.shard !== undefined) return []
  const notes = new Set<string>()
  const run = await openPublishedRun(folder, (text) => notes.add(`--layout opencompass: ${text}`), { unscored: true })
  await writeWorkDir(run, folder, timeOf(started))
  return [...notes]
}

/** `20260131_235959`, as OpenCompass names its work dirs. */
export function timeOf(started: string): string {
  const date = new Date(started)
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString()
  return local.slice(0, 19).replace(/[-:]/g, '').replace('T', '_')
}

/** Rows are written one by one: an object by row number, and the metrics followed by the details by row number. */
async function writePair(
  pair: PublishedPair,
  folder: string,
  predictions: string,
  results: string,
): Promise<{ to: string; rows: number }[]> {
  const metrics = openCompassMetrics(pair.result)
  const answers = openPart(join(folder, predictions))
  const details = metrics.length === 0 ? undefined : openPart(join(folder, results))
  answers.write('{')
  const head = metrics.map(([name, value]) => `${entry(name, value, 4)},`).join('')
  details?.write(`{${head}\n    "details": {${entry('type', detailsType(pair), 8)}`)
  let rows = 0
  for await (const row of pair.rows()) {
    answers.write(`${rows === 0 ? '' : ','}${entry(String(rows), openCompassPrediction(pair, row), 4)}`)
    details?.write(`,${entry(String(rows), openCompassDetail(pair, row), 8)}`)
    rows++
  }
  answers.close('\n}\n')
  details?.close('\n    }\n}\n')
  return [{ to: predictions, rows }, ...(details ? [{ to: results, rows }] : [])]
}

/** A key and its value, starting on a new indented line. */
function entry(key: string, value: PyValue, indent: number): string {
  const space = ' '.repeat(indent)
  const text = stringifyJson(value, { indent: 4, ensureAscii: false }).replaceAll('\n', `\n${space}`)
  return `\n${space}${JSON.stringify(key)}: ${text}`
}

/** A file that is named `.part` until it is complete. */
function openPart(path: string): { write(text: string): void; close(end: string): void } {
  mkdirSync(dirname(path), { recursive: true })
  const file = openSync(`${path}.part`, 'w')
  const write = (text: string) => {
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
  }
  return {
    write,
    close(end) {
      write(end)
      closeSync(file)
      renameSync(`${path}.part`, path)
    },
  }
}
