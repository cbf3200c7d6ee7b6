import { fileURLToPath } from 'node:url'
import type { Note } from '../../../packages/core/src/base/errors/note.ts'
import { dictHas, type PyDict, pyRepr } from '../../../packages/core/src/base/python/index.ts'
import { customDataset } from '../../../packages/rolecall/src/compat/opencompass/import/custom-dataset.ts'
import { BadData } from '../../../packages/rolecall/src/compat/opencompass/loaders/bad-data.ts'
import type { LoaderTokenizer } from '../../../packages/rolecall/src/compat/opencompass/loaders/files.ts'
import {
  asRead,
  filesOf,
  isTable,
  type Loaded,
  load,
  loaderNamed,
  type ReaderSettings,
} from '../../../packages/rolecall/src/compat/opencompass/loaders/index.ts'
import { loaderTokenizer } from '../../../packages/rolecall/src/compat/opencompass/loaders/loader-tokenizer.ts'
import { PromptError } from '../../../packages/rolecall/src/index.ts'
import { loadTokenizer } from '../../../packages/rolecall/src/node/models/load-tokenizer.ts'
import { agrees, type Outcome, outcomeLater, outcomeOf as outcomeNow, show } from '../outcome.ts'
import { plain } from '../scoring/vector.ts'
import { type Suite, trial } from '../suite.ts'
import { failed, unless, type Verdict } from '../verdict.ts'
import { asVector, type LoaderVector } from './vector.ts'

/** The rows that OpenCompass's dataset classes produce from files. */
export const loaderRuns: Suite = {
  name: 'loaders',
  recognises: (vector) => ['loader', 'kwargs', 'files'].every((key) => dictHas(vector, key)),
  async examine(json) {
    const vector = asVector(json)
    if (dictHas(json as PyDict, 'wordLists')) return { kind: 'unsupported', why: 'the word lists of wonderwords are not installed' }
    const ours = await outcomeOf(vector)
    if (!loaderNamed(vector.loader)) return judgeUnknown(vector, ours)
    if ('error' in ours && ours.error.message.includes('of its judge is missing'))
      return { kind: 'unsupported', why: "the judge's prompts are read from a checkout of OpenCompass, which is not here" }
    const expected = vector.expected === undefined ? undefined : { value: shownRows(vector.expected, vector) }
    return trial(ours, (result) =>
      unless(
        agrees(result, expected)
          ? undefined
          : `${vector.loader} ${pyRepr(vector.settings)}\n  ours ${show(result)}\n  expected ${expected ? show(expected) : 'an error'}`,
      ),
    )
  },
}

/** Without its file, a dataset is only described; a run is refused, as in OpenCompass. */
function refuseAssumed({ code, where, text }: Note): void {
  throw new PromptError(code, { where: where ?? 'the dataset', problem: text, fix: 'give the file' })
}

/** Dataset entries without `type`, and the config that OpenCompass derives from the columns of their file. */
export const customEntries: Suite = {
  name: 'loaders',
  recognises: (vector) => ['given_entry', 'files'].every((key) => dictHas(vector, key)),
  examine(json) {
    const vector = plain(json) as { given_entry: { path: string }; files: Record<string, string>; expected?: unknown }
    const { given_entry: entry, files, expected } = vector
    const ours = outcomeNow(() => JSON.stringify(customDataset(entry, (path) => files[path], refuseAssumed)))
    const promised = expected === undefined ? undefined : { value: JSON.stringify(expected) }
    return trial(ours, (result) =>
      unless(
        agrees(result, promised)
          ? undefined
          : `${JSON.stringify(entry)}\n  ours ${show(result)}\n  expected ${promised?.value ?? 'an error'}`,
      ),
    )
  },
}

/** An unknown loader must be rejected by name. */
function judgeUnknown({ loader }: LoaderVector, ours: Outcome): Verdict {
  const isRefused = 'error' in ours && ours.error.code === 'unknown-loader' && ours.error.message.includes(loader)
  return isRefused ? { kind: 'unsupported', why: loader } : failed(`${loader} is not known and was not refused`)
}

function outcomeOf(vector: LoaderVector): Promise<Outcome> {
  const { loader, settings, files, reader, tokenizer, seed } = vector
  return outcomeLater(async () => {
    const { abbr, n, k: _, ...own } = settings as Record<string, never>
    const given = { ...filesOf(files), tokenizer: async () => tokenizerOf(tokenizer), ...(seed === undefined ? {} : { seed }) }
    const loaded = await load(loader, own, given)
    return shownRows(reader ? asRead(loaded, { abbr, n, reader_cfg: reader } as ReaderSettings) : rowsOf(loaded), vector)
  })
}

/** `utf8-bytes`: a token is a byte; `tiny-chat`: the embedded model's tokenizer. */
function tokenizerOf(name: string | undefined): LoaderTokenizer | undefined {
  if (name === 'utf8-bytes')
    return {
      encode(text) {
        if (text.includes('<|endoftext|>')) throw new BadData('the text contains a special token')
        return [...new TextEncoder().encode(text)]
      },
      decode: (ids) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(ids)),
    }
  return name === 'tiny-chat'
    ? loaderTokenizer(loadTokenizer(fileURLToPath(new URL('../../../packages/rolecall/embedded-model/tokenizer.json', import.meta.url))))
    : undefined
}

function rowsOf(loaded: Loaded): unknown {
  return isTable(loaded) ? loaded.rows : Object.fromEntries(Object.entries(loaded).map(([split, { rows }]) => [split, rows]))
}

/**
 * Split → its rows, each as Python's `repr`, which shows column order and number types; lists that come from a set or a directory listing
 * may be in any order.
 */
export function shownRows(value: unknown, { unordered, unorderedRows }: Pick<LoaderVector, 'unordered' | 'unorderedRows'>): unknown {
  if (!Array.isArray(value)) {
    const splits = value instanceof Map ? [...value] : Object.entries(value as object)
    return Object.fromEntries(splits.map(([split, rows]) => [split, shownRows(rows, { unordered, unorderedRows })]))
  }
  const rows = value.map((row: PyDict) => pyRepr(unordered.length === 0 ? row : withSortedLists(row, unordered)))
  return unorderedRows ? rows.sort() : rows
}

function withSortedLists(row: PyDict, columns: readonly string[]): PyDict {
  return Object.fromEntries(
    Object.entries(row as Record<string, never>).map(([name, value]) => [
      name,
      columns.includes(name) && Array.isArray(value) ? [...value].sort() : value,
    ]),
  )
}
