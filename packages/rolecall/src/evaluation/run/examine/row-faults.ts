import type { Row } from '@rolecall/core/internal/conversation'
import type { NoteCode } from '@rolecall/core/internal/errors'
import { compactJson, dictGet, dictKeys, isDict, isList, type PyValue, pyStr } from '@rolecall/core/internal/python'
import { templateFields } from '../ask/template-fields.ts'
import type { Pair } from '../plan-run.ts'
import { brokenAt } from './broken-text.ts'
import type { DataNote } from './data-note.ts'
import { quote } from './data-note.ts'
import { hashText, joinHashes } from './text-hash.ts'

/** Columns that number rows rather than describe them. */
const numbering = /^(?:id|idx|index|uid|uuid|qid|guid|number|row|.*_id)$/i
/** Columns with a list of options. */
const optionLists = /^(?:options|choices|candidates|endings)$/i
/** Texts of this many characters that occur in several rows are passages that questions share. */
const longText = 200
const fewestRows = 20
/** Places listed in a note. */
const mostListed = 5

/** Rows with a fault, and the first places. */
class Fault {
  rows = 0
  readonly places: string[] = []

  add(place: string): void {
    this.rows++
    if (this.places.length < mostListed) this.places.push(place)
  }

  get listed(): string {
    return `${this.places.join(', ')}${this.rows > this.places.length ? ', …' : ''}`
  }
}

/** Looks for faults in the rows of a dataset: equal rows, equal options, wrongly decoded text, gold answers in the question. */
export class RowFaults {
  readonly #name: string
  readonly #gold: string | undefined
  readonly #cluster: string | undefined
  /** The columns that templates show, without the gold answer; undefined if templates do not say. */
  readonly #shown: readonly string[] | undefined
  /** The first row with each question, by hash, and the gold answers of all rows: an object per row would cost as much as the hash. */
  readonly #first = new Map<number, number>()
  readonly #goldOf: (string | undefined)[] = []
  readonly #duplicates = new Fault()
  readonly #conflicts = new Fault()
  readonly #options = new Fault()
  readonly #broken = new Fault()
  /** Shown columns that have equalled the gold answer so far, and the gold answers. */
  #copies: readonly string[]
  readonly #golds = new Set<string>()
  readonly #long = new Map<string, { rows: number; texts: Set<number> }>()
  /** The columns with options, from the first row. */
  #optionColumns: ReturnType<typeof optionColumns> | undefined
  #rows = 0

  constructor({ dataset, name, inferencer }: Pair) {
    this.#name = name.dataset
    this.#gold = dataset.reader_cfg?.output_column || undefined
    this.#cluster = dataset.cluster
    const { asked } = templateFields(dataset)
    const shown = new Set(asked.flatMap(({ name: field, is }) => (is === 'text' || field === this.#gold ? [] : [field])))
    this.#shown = shown.size === 0 || inferencer.readsChats ? undefined : [...shown]
    this.#copies = this.#shown ?? []
  }

  add(row: Row, id: number): void {
    this.#rows++
    const gold = this.#gold === undefined ? undefined : textOf(dictGet(row, this.#gold))
    const columns = this.#shown ?? [...dictKeys(row)].filter((column) => column !== this.#gold && !numbering.test(column))
    let hash = 0
    let broken = gold === undefined ? -1 : brokenAt(gold)
    let column = this.#gold ?? ''
    for (const name of columns) {
      const text = textOf(dictGet(row, name))
      const own = hashText(text)
      hash = joinHashes(hash, own)
      if (broken < 0) {
        broken = brokenAt(text)
        column = name
      }
      if (text.length >= longText) this.#addLong(name, own)
    }
    if (broken >= 0) this.#broken.add(`row ${id} (${column}: ${quote(around(textOf(dictGet(row, column)), broken))})`)
    if (columns.length > 0) this.#addQuestion(hash, id, gold)
    this.#addOptions(row, id)
    if (gold === undefined) return
    if (this.#golds.size < 2) this.#golds.add(gold)
    if (this.#copies.length > 0) this.#copies = this.#copies.filter((name) => textOf(dictGet(row, name)) === gold)
  }

  #addQuestion(hash: number, id: number, gold: string | undefined): void {
    this.#goldOf[id] = gold
    const known = this.#first.get(hash)
    if (known === undefined) this.#first.set(hash, id)
    else if (this.#goldOf[known] === gold) this.#duplicates.add(`row ${id} is row ${known}`)
    else this.#conflicts.add(`rows ${known} and ${id}: ${quote(this.#goldOf[known] ?? null)} and ${quote(gold ?? null)}`)
  }

  #addLong(column: string, hash: number): void {
    const known = this.#long.get(column) ?? { rows: 0, texts: new Set() }
    this.#long.set(column, known)
    known.rows++
    known.texts.add(hash)
  }

  #addOptions(row: Row, id: number): void {
    this.#optionColumns ??= optionColumns(row)
    const { lists, letters } = this.#optionColumns
    let found: string | undefined
    for (const name of lists) found ??= twiceIn(listOf(dictGet(row, name)))
    if (letters.length > 1) found ??= twiceIn(letters.map((name) => dictGet(row, name)))
    if (found !== undefined) this.#options.add(`row ${id} (${quote(found)})`)
  }

  notes(): DataNote[] {
    const note = (code: NoteCode, key: string, { rows }: { rows: number }, text: string): DataNote[] =>
      rows === 0 ? [] : [{ code, where: `${this.#name} › ${key}`, rows, text }]
    const all = this.#rows
    const [copy] = this.#golds.size > 1 && all > 2 ? this.#copies : []
    return [
      ...note(
        'duplicate-rows',
        'path',
        this.#duplicates,
        `${this.#duplicates.rows} of ${all} rows repeat an earlier one: ${this.#duplicates.listed}`,
      ),
      ...note(
        'conflicting-gold',
        'path',
        this.#conflicts,
        `${this.#conflicts.rows} of ${all} rows ask what an earlier one asks, with another gold answer: ${this.#conflicts.listed}`,
      ),
      ...note(
        'duplicate-options',
        'path',
        this.#options,
        `${this.#options.rows} of ${all} rows have an option twice: ${this.#options.listed}`,
      ),
      ...note(
        'broken-characters',
        'path',
        this.#broken,
        `${this.#broken.rows} of ${all} rows have text that was decoded with the wrong encoding: ${this.#broken.listed}`,
      ),
      ...note(
        'answer-in-prompt',
        'infer_cfg',
        { rows: copy === undefined ? 0 : all },
        `{${copy}} shows the gold answer: it equals the column "${this.#gold}" in all ${all} rows`,
      ),
      ...this.#clusterNotes(),
    ]
  }

  /** Rows about the same passage are right or wrong together. */
  #clusterNotes(): DataNote[] {
    if (this.#cluster !== undefined) return []
    const shared = [...this.#long].filter(([, { rows, texts }]) => rows >= fewestRows && texts.size <= 0.8 * rows)
    return shared.slice(0, 1).map(([column, { rows, texts }]) => ({
      code: 'shared-passages',
      where: `${this.#name} › cluster`,
      rows,
      text: `${rows} rows share ${texts.size} values of "${column}": they are not independent, and intervals are too narrow; cluster: ${column} accounts for that`,
    }))
  }
}

function textOf(value: PyValue | undefined): string {
  return typeof value === 'string'
    ? value
    : value === undefined || value === null
      ? ''
      : typeof value === 'object'
        ? compactJson(value)
        : pyStr(value)
}

/** The columns with options: lists in columns named so, and columns named A, B, C … */
function optionColumns(row: Row): { lists: readonly string[]; letters: readonly string[] } {
  const names = [...dictKeys(row)]
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const missing = letters.findIndex((letter) => !names.includes(letter))
  return { lists: names.filter((name) => optionLists.test(name)), letters: letters.slice(0, missing < 0 ? letters.length : missing) }
}

function listOf(value: PyValue | undefined): readonly PyValue[] {
  const list = isDict(value) ? dictGet(value, 'text') : value
  return isList(list) ? list : []
}

/** An option that occurs twice. */
function twiceIn(options: readonly (PyValue | undefined)[]): string | undefined {
  const texts = new Set<string>()
  for (const one of options) {
    const text = textOf(one).trim()
    if (texts.has(text)) return text
    if (text !== '') texts.add(text)
  }
  return undefined
}

function around(text: string, at: number): string {
  return text.slice(Math.max(0, at - 12), at + 12)
}
