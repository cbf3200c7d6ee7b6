import { closeSync, readdirSync, readSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { PromptError } from '@rolecall/core/internal/errors'
import type { ResultFiles } from '../../../compat/results/foreign-result.ts'
import { unpackZstd } from '../../../evaluation/dataset/parquet/parquet-rows.ts'
import { readArchive } from '../../hub/unzip.ts'
import { isInside } from '../../platform.ts'
import { readWholeText } from '../../read-whole-file.ts'
import { isLink, openRegular } from '../../regular-file.ts'

const blockSize = 1 << 20
const headSize = 1 << 16
/** Files of settings; rows are streamed. */
const largestText = 64 << 20
const mostFiles = 20_000

/** Annotations of our viewer are no results. */
const ownFile = 'rolecall-annotations.jsonl'

/** The file beside results that keeps what reviewers noted on their rows. */
export function foreignAnnotations(source: string): string {
  return statSync(source, { throwIfNoEntry: false })?.isDirectory() ? join(source, ownFile) : `${source}.${ownFile}`
}

/** The files below a folder, or a file with those that belong to it. */
export function resultFiles(path: string): ResultFiles {
  const isFolder = statSync(path).isDirectory()
  const root = isFolder ? path : dirname(path)
  return {
    names: isFolder ? namesIn(path) : [basename(path), ...siblingsOf(path)].sort(),
    head: (name) => withoutMark(head(join(root, name))),
    text: (name) => withoutMark(text(join(root, name))),
    chunks: (name) => chunks(join(root, name)),
    archive: async (name) => {
      const { compressors } = await import('hyparquet-compressors')
      const { names, content } = readArchive(join(root, name), { 93: (packed, size) => Buffer.from(unpackZstd(packed, size, compressors)) })
      return { names, text: (member) => content(member).toString('utf8') }
    },
  }
}

/** Without a byte order mark. */
function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text
}

/** Paths below a folder with `/`, sorted; hidden files are skipped. */
function namesIn(root: string): string[] {
  const found: string[] = []
  const visit = (folder: string, depth: number) => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      if (entry.name.startsWith('.') || entry.name === 'node_modules' || entry.name.endsWith(ownFile) || found.length >= mostFiles) continue
      const name = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory()) {
        if (depth > 0) visit(name, depth - 1)
      } else if (entry.isFile() || (entry.isSymbolicLink() && isLinkInside(join(root, name), root))) found.push(name)
    }
  }
  visit('', 8)
  return found.sort()
}

/** Whether a link leads to a file of the same folder or, in the cache of a hub, of its repository. Results may come from anywhere: others may lead to a file of the user. */
function isLinkInside(path: string, root: string): boolean {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false
  const [real, folder] = [realpathSync(path), realpathSync(root)]
  const [, repository] = /^(.*)[/\\]snapshots[/\\][0-9a-f]{40}(?:[/\\]|$)/.exec(folder) ?? []
  return isInside(real, folder) || (repository !== undefined && isInside(real, join(repository, 'blobs')))
}

/** The samples of a results file and the reverse: they share a time (lm-eval) or a name (Every Eval Ever). */
function siblingsOf(path: string): string[] {
  const own = basename(path)
  const time = /\d{4}-\d\d-\d\dT[\d.-]*\d/.exec(own)?.[0]
  const belongs = (name: string) => (time === undefined ? stemOf(name) === stemOf(own) : name.includes(time))
  const isOwn = (name: string) => !isLink(join(dirname(path), name)) || isLinkInside(join(dirname(path), name), dirname(path))
  return readdirSync(dirname(path)).filter(
    (name) => name !== own && isOwn(name) && !name.endsWith(ownFile) && /\.jsonl?$/.test(name) && belongs(name),
  )
}

function stemOf(name: string): string {
  return name.replace(/(?:_samples)?\.jsonl?$/, '')
}

function head(file: string): string {
  const descriptor = openRegular(file)
  try {
    const bytes = Buffer.alloc(headSize)
    return bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, headSize, 0))
  } finally {
    closeSync(descriptor)
  }
}

function text(file: string): string {
  const { size } = statSync(file)
  if (size > largestText)
    throw new PromptError('large-file', {
      where: file,
      problem: `this file of settings is larger than ${largestText >> 20} MiB`,
      fix: 'give the folder that the harness wrote, unchanged',
    })
  return readWholeText(file)
}

function* chunks(file: string): Generator<string> {
  const descriptor = openRegular(file)
  const decoder = new StringDecoder('utf8')
  const bytes = Buffer.allocUnsafe(blockSize)
  try {
    for (let isFirst = true; ; isFirst = false) {
      const read = readSync(descriptor, bytes, 0, blockSize, null)
      if (read === 0) break
      const chunk = decoder.write(bytes.subarray(0, read))
      yield isFirst ? withoutMark(chunk) : chunk
    }
    yield decoder.end()
  } finally {
    closeSync(descriptor)
  }
}
