import { dictEntries, dictFromEntries, dictGet, isDict, type PyDict, type PyValue } from '../../../packages/core/src/base/python/index.ts'

/** One run of a dataset class on files. */
export type LoaderVector = {
  loader: string
  settings: PyDict
  files: Record<string, string | Uint8Array>
  /** The `reader_cfg` for runs through `BaseDataset`. */
  reader: PyDict | undefined
  /** Undefined if the class fails. */
  expected: PyValue | undefined
  /** Columns whose lists come from a Python set. */
  unordered: readonly string[]
  unorderedRows: boolean
  kind: string
  /** What stood in for the tokenizer of a model. */
  tokenizer: string | undefined
  /** `random.seed` just before loading. */
  seed: number | undefined
}

export function asVector(json: PyValue): LoaderVector {
  if (!isDict(json)) throw new Error('a vector is an object')
  const failed = dictGet(json, 'error') !== undefined
  return {
    loader: String(dictGet(json, 'loader')),
    settings: dictGet(json, 'kwargs') as PyDict,
    files: Object.fromEntries(dictEntries(dictGet(json, 'files') as PyDict).map(([path, content]) => [path, contentOf(content)])),
    reader: dictGet(json, 'reader_cfg') as PyDict | undefined,
    expected: failed ? undefined : values(dictGet(json, 'expected') ?? null),
    unordered: (dictGet(json, 'unordered') ?? []) as readonly string[],
    unorderedRows: dictGet(json, 'unorderedRows') === true,
    kind: String(dictGet(json, 'kind')),
    tokenizer: dictGet(json, 'tokenizer') as string | undefined,
    seed: dictGet(json, 'seedBefore') as number | undefined,
  }
}

function contentOf(content: PyValue): string | Uint8Array {
  return typeof content === 'string' ? content : Buffer.from(String(dictGet(content as PyDict, 'base64')), 'base64')
}

/** Values that JSON cannot represent: NaN and infinities, and dates, which Rolecall keeps as the text of Python's `str`. */
function values(value: PyValue): PyValue {
  if (Array.isArray(value)) return value.map(values)
  if (!isDict(value)) return value
  const number = dictGet(value, '$number')
  if (number !== undefined) return Number(number)
  const date = dictGet(value, '$date')
  if (date !== undefined) return String(date).replace('T', ' ')
  const bytes = dictGet(value, '$base64')
  if (bytes !== undefined) return Buffer.from(String(bytes), 'base64').toString('utf8')
  return dictFromEntries(dictEntries(value).map(([key, one]) => [key, values(one)]))
}
