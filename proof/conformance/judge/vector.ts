import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dictGet, isDict, type PyDict, type PyValue, parseJson } from '../../../packages/core/src/base/python/index.ts'
import type { Row } from '../../../packages/core/src/prompt/conversation/row.ts'
import { plain } from '../scoring/vector.ts'

/** A dataset config with a model judge, the answers of the model under test, and the requests that the judge was sent. */
export type JudgeVector = {
  id: string
  dataset: { abbr: string; n?: number } & Record<string, unknown>
  /** Rows after the reader: with `subdivision` and `idx`, each repeated `n` times. */
  rows: Row[]
  predictions: string[]
  environment: Record<string, string>
  requests: Record<string, unknown>[]
}

export function asJudgeVector(json: PyDict): JudgeVector {
  const get = (key: string) => dictGet(json, key) ?? null
  return {
    id: String(get('id')),
    dataset: plain(get('dataset')) as JudgeVector['dataset'],
    rows: get('rows') as Row[],
    predictions: get('predictions') as string[],
    environment: plain(get('environment')) as Record<string, string>,
    requests: plain(get('requests')) as Record<string, unknown>[],
  }
}

const known = new Map<string, ReadonlyMap<string, JudgeVector>>()

/** The request vector of this id, from any file of the folder. */
export function requestVector(folder: string, id: string): JudgeVector | undefined {
  if (!known.has(folder)) known.set(folder, new Map(vectorsIn(folder).map((vector) => [vector.id, vector])))
  return known.get(folder)!.get(id)
}

function vectorsIn(folder: string): JudgeVector[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'))
  return files.flatMap((name) =>
    readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .filter((line) => line.includes('"predictions"'))
      .map((line): PyValue => parseJson(line))
      .flatMap((json) => (isDict(json) && dictGet(json, 'requests') !== undefined ? [asJudgeVector(json)] : [])),
  )
}
