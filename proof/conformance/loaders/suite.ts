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
import { loadedOf } from '../../../packages/rolecall/src/compat/own-python/python-dataset.ts'
import { PromptError } from '../../../packages/rolecall/src/index.ts'
import { loadTokenizer } from '../../../packages/rolecall/src/node/models/load-tokenizer.ts'
import { interpretedTrial, referenceCode, sourceMissing } from '../interpreted.ts'
import { agrees, type Outcome, outcomeLater, outcomeOf as outcomeNow, show } from '../outcome.ts'
import { plain } from '../scoring/vector.ts'
import { type Suite, type Trial, trial } from '../suite.ts'
import { failed, unless, type Verdict } from '../verdict.ts'
import { asVector, type LoaderVector } from './vector.ts'

/** The rows that OpenCompass's dataset classes produce from files. */
export const loaderRuns: Suite = {
  name: 'loaders',
  recognises: (vector) => ['loader', 'kwargs', 'files'].every((key) => dictHas(vector, key)),
  async examine(json) {
    const vector = asVector(json)
    if (dictHas(json as PyDict, 'wordLists')) return { kind: 'unsupported', why: 'the word lists of wonderwords are not installed' }
    if (!loaderNamed(vector.loader)) return interpreted(json as PyDict, vector)
    const ours = await outcomeOf(vector)
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

/** A class that is not written here is run from OpenCompass's own source; without that, it must be rejected by name. */
async function interpreted(json: PyDict, vector: LoaderVector): Promise<Trial | Verdict> {
  const reference = referenceCode()
  if (reference === undefined) {
    const ours = await outcomeOf(vector)
    const isRefused = 'error' in ours && ours.error.code === 'unknown-loader' && ours.error.message.includes(vector.loader)
    return isRefused ? sourceMissing : failed(`${vector.loader} is not known and was not refused`)
  }
  const run = async () => shown(loadedOf(await reference.rows(json), vector.loader), vector)
  const expected = vector.expected === undefined ? undefined : { value: shownRows(vector.expected, vector) }
  return interpretedTrial(vector.loader, run, (ours) => agrees(ours, expected), expected === undefined)
}

/** The rows as the vector compares them: as loaded, or as read with its settings. */
function shown(loaded: Loaded, vector: LoaderVector): unknown {
  const { abbr, n } = vector.settings as Record<string, never>
  return shownRows(vector.reader ? asRead(loaded, { abbr, n, reader_cfg: vector.reader } as ReaderSettings) : rowsOf(loaded), vector)
}

function outcomeOf(vector: LoaderVector): Promise<Outcome> {
  const { loader, settings, files, tokenizer, seed } = vector
  return outcomeLater(async () => {
    const { abbr: _, n: __, k: ___, ...own } = settings as Record<string, never>
    const given = { ...filesOf(files), tokenizer: async () => tokenizerOf(tokenizer), ...(seed === undefined ? {} : { seed }) }
    const loaded = await load(loader, own, given)
    return shown(loaded, vector)
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
