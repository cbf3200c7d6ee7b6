import { compareCodePoints, isDict, isList, PyFloat, type PyValue, stringifyJson } from '@rolecall/core/internal/python'
import { sha256 } from '../../../python/library/sha256.ts'

type Entry = { readonly [key: string]: PyValue } | ReadonlyMap<string, PyValue>

/**
 * OpenCompass's `prompt_hash` of a dataset, whose first six digits appear in the names of its config files: equal hashes mean equal
 * prompts. Classes are hashed with the module they were imported from.
 *
 * @example promptHash({ infer_cfg: { retriever: { type: 'ZeroRetriever' }, inferencer: { type: 'GenInferencer' } } }).slice(0, 6) // => '79b635'
 */
export function promptHash(dataset: Entry | readonly Entry[]): string {
  if (Array.isArray(dataset) && dataset.length !== 1) return joinHashes((dataset as readonly Entry[]).map(promptHash))
  const [only] = Array.isArray(dataset) ? (dataset as readonly Entry[]) : [dataset as Entry]
  const infer = toMap(toMap(only).get('infer_cfg'))
  const readsRows = infer.has('reader_cfg')
  if (readsRows) useReader(infer, toMap(toMap(only).get('reader_cfg')))
  const retriever = toMap(infer.get('retriever'))
  if (retriever.has('fix_id_list')) {
    const inferencer = toMap(infer.get('inferencer'))
    inferencer.set('fix_id_list', retriever.get('fix_id_list')!)
    retriever.delete('fix_id_list')
    infer.set('retriever', retriever)
    infer.set('inferencer', inferencer)
  }
  return hashOf(stringifyJson(sorted(infer)))
}

/** The hash of several datasets, computed from their hashes. */
export function joinHashes(hashes: readonly string[]): string {
  return hashes.length === 1 ? hashes[0]! : hashOf(hashes.join(','))
}

/** Configs for the first releases have their reader_cfg inside the infer_cfg. */
function useReader(infer: Map<string, PyValue>, reader: Map<string, PyValue>): void {
  const inner = toMap(infer.get('reader_cfg'))
  infer.set(
    'reader',
    new Map<string, PyValue>([
      ['type', 'DatasetReader'],
      ['input_columns', reader.get('input_columns') ?? null],
      ['output_column', reader.get('output_column') ?? null],
    ]),
  )
  const retriever = toMap(infer.get('retriever'))
  if (inner.has('train_split')) retriever.set('index_split', inner.get('train_split')!)
  if (inner.has('test_split')) retriever.set('test_split', inner.get('test_split')!)
  infer.set('retriever', retriever)
  for (const [key, value] of infer) {
    const part = toMap(value)
    const type = part.get('type')
    if (typeof type === 'string') infer.set(key, part.set('type', type.split('.').at(-1)!))
  }
}

/** A mutable copy. */
function toMap(value: PyValue | undefined): Map<string, PyValue> {
  if (value instanceof Map) return new Map(value)
  return isDict(value) ? new Map(Object.entries(value)) : new Map()
}

/** Sorts keys like json.dumps; the vectors have no numeric keys. */
function sorted(value: PyValue): PyValue {
  if (value === null || typeof value !== 'object' || value instanceof PyFloat) return value
  if (isList(value)) return value.map(sorted)
  return new Map([...toMap(value)].sort(([a], [b]) => compareCodePoints(a, b)).map(([key, item]) => [key, sorted(item)] as const))
}

function hashOf(text: string): string {
  return sha256(new TextEncoder().encode(text))
}
