import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import type { Row } from '../dataset/row.ts'
import { PromptError } from '../prompt-error.ts'
import { isDict, isList, JsonSyntaxError, type PyValue, parseJson } from '../python/index.ts'

/** Streams the rows of a file: one JSON object a line (.jsonl), or a list of objects (.json). */
export async function* readRows(path: string): AsyncGenerator<Row> {
  if (/\.json$/i.test(path)) yield* readJson(path)
  else if (/\.(jsonl|ndjson)$/i.test(path)) yield* readJsonLines(path)
  else
    throw new PromptError('unknown-file-type', {
      where: path,
      problem: 'rows are read from .jsonl and .json files',
      fix: 'convert the file',
    })
}

async function* readJsonLines(path: string): AsyncGenerator<Row> {
  const stream = createReadStream(path, 'utf8')
  let number = 0
  try {
    for await (const line of createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })) {
      number++
      const text = number === 1 ? line.replace(/^\uFEFF/, '') : line
      if (text.trim() !== '') yield asRow(parse(text, `${path}:${number}`), `${path}:${number}`)
    }
  } catch (error) {
    throw asReadError(error, path)
  } finally {
    stream.destroy()
  }
}

async function* readJson(path: string): AsyncGenerator<Row> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw asReadError(error, path)
  })
  const rows = parse(text.replace(/^\uFEFF/, ''), path)
  if (!isList(rows))
    throw new PromptError('bad-row', {
      where: path,
      problem: 'the file is not a list of rows',
      fix: 'write [{ … }, { … }], or one object a line in a .jsonl file',
    })
  for (const [index, row] of rows.entries()) yield asRow(row, `${path}[${index}]`)
}

function parse(text: string, where: string): PyValue {
  try {
    return parseJson(text)
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error
    throw new PromptError('bad-row', { where, problem: `this is not JSON (${error.message})`, fix: 'correct the line' })
  }
}

function asRow(value: PyValue, where: string): Row {
  if (isDict(value)) return value
  throw new PromptError('bad-row', {
    where,
    problem: 'a row is an object with a value for each column',
    fix: 'write { "column": value, … }',
  })
}

function asReadError(error: unknown, path: string): unknown {
  const code = (error as NodeJS.ErrnoException | undefined)?.code
  if (code === 'ENOENT')
    return new PromptError('no-file', {
      where: path,
      problem: 'there is no such file',
      fix: 'check the path; it is relative to the config',
    })
  if (code === 'EISDIR') return new PromptError('no-file', { where: path, problem: 'this is a folder', fix: 'name the file with the rows' })
  return error
}
