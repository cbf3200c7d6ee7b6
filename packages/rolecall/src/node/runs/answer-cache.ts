import { closeSync, constants, fchmodSync, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { PromptError } from '@rolecall/core/internal/errors'
import { compactJson, parseCompactJson } from '@rolecall/core/internal/python'
import { readRowAnswer } from '../../evaluation/run/record/answer-schema.ts'
import type { RowAnswer } from '../../evaluation/run/record/run-record.ts'
import type { AnswerCache, AnswerCheck } from '../../evaluation/run/run-types.ts'
import { privateFolder } from './private-folder.ts'
import { KeyTable, keyWords } from './records/key-table.ts'
import { markUsed, shrinkCache } from './shrink-cache.ts'

/** The answer caches in a folder, one per model and settings, each opened once. */
export class AnswerCaches {
  readonly #folder: string
  readonly #open = new Map<string, FileCache>()
  /** Problems to report: an unusable cache costs time but never fails a run. */
  readonly problems = new Set<string>()

  constructor(folder: string) {
    this.#folder = join(folder, 'answers')
    try {
      privateFolder(this.#folder)
      shrinkCache(folder)
    } catch (error) {
      this.problems.add(notCached(error))
    }
  }

  for(settings: string): AnswerCache {
    const known = this.#open.get(settings) ?? new FileCache(this.#folder, `${settings}.jsonl`, this.problems)
    this.#open.set(settings, known)
    return known
  }
}

const lookAgainAfter = 1000
const headLength = 32 + 1 + 8 + 1
const blockSize = 1 << 20
/** No answer is longer than 256 MiB; JavaScript's strings end at twice that. */
const longestLine = 1 << 28
const newline = 0x0a

/**
 * Answers in one file that several processes may append to concurrently. A line is the question's 32 hex digits, a checksum and JSON;
 * each is appended in one write, so that lines do not interleave. Damaged lines are skipped.
 */
class FileCache implements AnswerCache {
  readonly #problems: Set<string>
  readonly #file: string
  readonly #places = new KeyTable((place, half) => this.#words[2 * place + half]!)
  #offsets = new Float64Array(256)
  #words = new Uint32Array(512)
  #count = 0
  #descriptor: number | undefined
  #covered = 0
  #looked = Number.NEGATIVE_INFINITY
  #invalid: string | undefined

  constructor(folder: string, name: string, problems: Set<string>) {
    this.#problems = problems
    this.#file = join(folder, name)
    try {
      privateFolder(folder)
      this.#descriptor = openOwn(this.#file)
      this.#endTornLine(this.#descriptor)
      markUsed(this.#file)
    } catch (error) {
      problems.add(notCached(error))
    }
  }

  find(question: string, check: AnswerCheck): RowAnswer | undefined {
    if (this.#descriptor === undefined) return undefined
    const words = keyWords(question)
    let place = this.#places.find(words)
    if (place === undefined && performance.now() - this.#looked > lookAgainAfter) {
      this.#look(this.#descriptor)
      place = this.#places.find(words)
    }
    const line = place === undefined ? undefined : this.#read(this.#descriptor, question, this.#offsets[place]!, this.#offsets[place + 1]!)
    if (line === undefined) return undefined
    const read = readLine(line)
    const problem = 'answer' in read ? check(read.answer) : read.problem
    if ('answer' in read && problem === undefined) return read.answer
    // The first reason is enough: a poisoned file may have a different one for every row.
    this.#invalid ??= problem
    this.#problems.add(`invalid cache entries were skipped (${this.#file}): ${this.#invalid}`)
    return undefined
  }

  add(question: string, { prompts: _, ...answer }: RowAnswer): void {
    if (this.#descriptor === undefined) return
    const json = compactJson(answer as never)
    const line = Buffer.from(`${question} ${checksum(json)} ${json}\n`)
    try {
      writeSync(this.#descriptor, line)
    } catch (error) {
      this.#problems.add(`answers are no longer cached for other runs: ${(error as Error).message}`)
      this.#descriptor = undefined
    }
  }

  /** Terminates a torn last line that a killed process may have left. */
  #endTornLine(descriptor: number): void {
    const { size } = fstatSync(descriptor)
    const last = Buffer.alloc(1)
    if (size > 0 && readSync(descriptor, last, 0, 1, size - 1) === 1 && last[0] !== newline) writeSync(descriptor, '\n')
  }

  /** Indexes the lines appended since the last look, by any process. */
  #look(descriptor: number): void {
    this.#looked = performance.now()
    const block = Buffer.allocUnsafe(blockSize)
    // Of a line that spans blocks, only the first digits and the length are kept: another program may have written a huge one.
    let [digits, length] = ['', 0]
    for (let position = this.#covered; ; ) {
      const read = readSync(descriptor, block, 0, blockSize, position)
      if (read === 0) break
      position += read
      for (let start = 0; start < read; ) {
        const newlineAt = block.subarray(0, read).indexOf(newline, start)
        const stop = newlineAt < 0 ? read : newlineAt + 1
        digits += block.toString('latin1', start, Math.min(stop, start + 16 - digits.length))
        length += stop - start
        start = stop
        if (newlineAt < 0) break
        this.#know(digits, length)
        digits = ''
        length = 0
      }
    }
  }

  #know(digits: string, length: number): void {
    if (this.#count + 2 > this.#offsets.length) {
      const [offsets, words] = [new Float64Array(2 * this.#offsets.length), new Uint32Array(2 * this.#words.length)]
      offsets.set(this.#offsets)
      words.set(this.#words)
      this.#offsets = offsets
      this.#words = words
    }
    this.#offsets[this.#count] = this.#covered
    this.#covered += length
    this.#offsets[this.#count + 1] = this.#covered
    if (length > headLength && /^[0-9a-f]{16}$/.test(digits)) {
      const words = keyWords(digits)
      this.#words.set(words, 2 * this.#count)
      this.#places.add(words, this.#count)
    } else if (length > 1) this.#damaged()
    this.#count++
  }

  /** The JSON of a line; undefined if it is damaged or answers another question. */
  #read(descriptor: number, question: string, start: number, end: number): string | undefined {
    if (end - start > longestLine) {
      this.#damaged()
      return undefined
    }
    const bytes = Buffer.allocUnsafe(end - start - 1)
    readSync(descriptor, bytes, 0, bytes.length, start)
    const line = bytes.toString('utf8')
    const json = line.slice(headLength)
    if (!line.startsWith(question) || line.slice(33, 41) !== checksum(json)) {
      // A different question with the same first 64 bits, or a damaged line.
      if (line.startsWith(question)) this.#damaged()
      return undefined
    }
    return json
  }

  #damaged(): void {
    this.#problems.add(`damaged cache entries were skipped (${this.#file})`)
  }
}

/** Opens a file that only this user can read. One of another user was there before the folder was closed to others. */
function openOwn(file: string): number {
  const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants
  const descriptor = openSync(file, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600)
  const found = fstatSync(descriptor)
  const isOwn = found.isFile() && (process.getuid === undefined || found.uid === process.getuid())
  if (isOwn && (found.mode & 0o077) !== 0) fchmodSync(descriptor, 0o600)
  if (isOwn) return descriptor
  closeSync(descriptor)
  throw new Error(`${file} is ${found.isFile() ? 'the file of another user' : 'not a file'}`)
}

function notCached(error: unknown): string {
  const text = error instanceof PromptError ? `${error.where}: ${error.problem}; ${error.fix}` : (error as Error).message
  return `answers are not cached for other runs: ${text}`
}

/** A checksum does not show who wrote a line, so its content is checked as well. */
function readLine(json: string): ReturnType<typeof readRowAnswer> {
  try {
    return readRowAnswer(parseCompactJson(json))
  } catch (error) {
    return { problem: (error as Error).message }
  }
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0')
}
