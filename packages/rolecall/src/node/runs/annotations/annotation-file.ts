import { accessSync, closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats, statSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { PromptError } from '@rolecall/core/internal/errors'
import { z } from 'zod'
import { type AnnotationLine, isBlank, reviewVerdicts } from '../../../evaluation/run/record/annotation.ts'
import type { PairName } from '../../../evaluation/run/record/pair-name.ts'
import { readWholeText } from '../../read-whole-file.ts'
import { onDisk } from '../disk-error.ts'
import { fileInRun } from '../file-in-run.ts'
import { foreignAnnotations } from '../foreign/result-files.ts'
import { sourceOfImported } from '../foreign/setup-file.ts'
import { runFiles } from '../run-layout.ts'

const annotationVersion = 1

export const annotationLimits = { note: 20_000, tag: 80, tags: 30, excluded: 200 } as const

/** The parts of an annotation that a reviewer writes. */
export const annotationParts = {
  verdict: z.enum(reviewVerdicts),
  tags: z.array(z.string().max(annotationLimits.tag)).max(annotationLimits.tags),
  note: z.string().max(annotationLimits.note),
  excluded: z.string().max(annotationLimits.excluded),
}

const lineSchema = z.object({
  version: z.literal(annotationVersion),
  at: z.string(),
  model: z.string(),
  format: z.string().optional(),
  dataset: z.string(),
  row: z.number().int().nonnegative(),
  row_hash: z.string(),
  answer_hash: z.string(),
  verdict: annotationParts.verdict.optional(),
  star: z.literal(true).optional(),
  tags: annotationParts.tags.optional(),
  note: annotationParts.note.optional(),
  excluded: annotationParts.excluded.optional(),
})

/** No reviewer writes more. */
const mostBytes = 256 << 20

const problems: Readonly<Record<string, string>> = { EROFS: 'the disk is read-only', ENOENT: 'the folder does not exist' }

type PairAnnotations = ReadonlyMap<number, AnnotationLine>

/** The annotations of a run's rows, in a file beside its records that only grows. */
export class AnnotationFile {
  readonly path: string
  #read: { stamp: string; pairs: ReadonlyMap<string, PairAnnotations>; unreadable: number } | undefined

  /** `folder` is that of a run. Annotations of another harness's results are beside these: their run folder is only a cache. */
  constructor(folder: string) {
    const source = sourceOfImported(folder)
    this.path = source === undefined ? fileInRun(folder, runFiles.annotations) : foreignAnnotations(source)
  }

  /** The current annotations of a pair by row. */
  of(pair: PairName): PairAnnotations {
    return this.#current().pairs.get(keyOf(pair)) ?? new Map()
  }

  /** Lines that are no annotations, or that a newer version wrote. */
  get unreadable(): number {
    return this.#current().unreadable
  }

  /** Changes whenever annotations do. */
  get stamp(): string {
    return this.#current().stamp
  }

  /** Why nothing can be read; undefined if it can, or if there is no file yet. */
  readProblem(): string | undefined {
    return unreadableAs(statSync(this.path, { throwIfNoEntry: false }))
  }

  /** Why nothing can be written; undefined if it can. */
  problem(): string | undefined {
    const found = statSync(this.path, { throwIfNoEntry: false })
    const problem = unreadableAs(found)
    if (problem !== undefined) return problem
    try {
      accessSync(found ? this.path : dirname(this.path), constants.W_OK)
      return undefined
    } catch (error) {
      return problems[(error as NodeJS.ErrnoException).code ?? ''] ?? 'permission denied'
    }
  }

  /** The whole file, lines of newer versions included; empty if there is none. */
  text(): string {
    const found = lstatSync(this.path, { throwIfNoEntry: false })
    if (found?.isSymbolicLink()) throw this.#isLink()
    const problem = this.readProblem()
    if (problem !== undefined) throw this.#error(`the annotations cannot be read: ${problem}`, 'remove or replace the file')
    return found ? readWholeText(this.path) : ''
  }

  /** Appends one line, in one write: several viewers may be open. */
  append(line: Omit<AnnotationLine, 'version'>): Promise<void> {
    const text = `${JSON.stringify({ version: annotationVersion, ...line })}\n`
    return onDisk(
      () => this.path,
      async () => {
        const descriptor = this.#open()
        try {
          writeSync(descriptor, endsInLine(descriptor) ? text : `\n${text}`)
        } finally {
          closeSync(descriptor)
        }
      },
    )
  }

  /** A link may lead out of the folder, into a file of the user: a downloaded run may contain one. */
  #open(): number {
    const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW = 0 } = constants
    try {
      return openSync(this.path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, 0o666)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ELOOP') throw error
      throw this.#isLink()
    }
  }

  #isLink(): PromptError {
    return this.#error('this is a link', 'replace it by the file itself')
  }

  #error(problem: string, fix: string): PromptError {
    return new PromptError('bad-annotations', { where: this.path, problem, fix })
  }

  #current() {
    const found = statSync(this.path, { throwIfNoEntry: false })
    const stamp = found ? `${found.ino} ${found.size} ${found.mtimeMs}` : ''
    if (this.#read?.stamp !== stamp)
      this.#read = { stamp, ...(found && !unreadableAs(found) ? this.#parse() : { pairs: new Map(), unreadable: 0 }) }
    return this.#read
  }

  #parse() {
    const pairs = new Map<string, Map<number, AnnotationLine>>()
    let unreadable = 0
    for (const text of readWholeText(this.path).split('\n')) {
      if (text.trim() === '') continue
      const line = readLine(text)
      if (!line) {
        unreadable++
        continue
      }
      const rows = pairs.get(keyOf(line)) ?? new Map<number, AnnotationLine>()
      pairs.set(keyOf(line), rows)
      if (isBlank(line)) rows.delete(line.row)
      else rows.set(line.row, line)
    }
    return { pairs, unreadable }
  }
}

/** A device does not end, and a downloaded run may link to one. */
function unreadableAs(found: Stats | undefined): string | undefined {
  if (found && !found.isFile()) return 'not a file'
  return found && found.size > mostBytes ? `larger than ${mostBytes >> 20} MiB` : undefined
}

function readLine(text: string): AnnotationLine | undefined {
  try {
    return lineSchema.safeParse(JSON.parse(text)).data as AnnotationLine | undefined
  } catch {
    return undefined
  }
}

function keyOf({ model, format, dataset }: PairName): string {
  return JSON.stringify([model, format ?? null, dataset])
}

/** A crash or an editor may leave a last line without its end. */
function endsInLine(descriptor: number): boolean {
  const { size } = fstatSync(descriptor)
  const last = Buffer.alloc(1)
  return size === 0 || (readSync(descriptor, last, 0, 1, size - 1) === 1 && last.toString() === '\n')
}
