import { limits, PromptError } from '@rolecall/core/internal/errors'
import type { SkipPart } from './foreign-result.ts'
import { fieldsOf, type JsonFields, longLine, numberedLines, parseForeignJson, tryJson } from './foreign-values.ts'
import { jsonElements } from './json-elements.ts'

/** A part of a file that should be a row: a line, an element of a document, a member of an archive. */
type RowPart = { place: string; text: string }

/** The lines of a text in chunks, without empty ones. */
export function* lineParts(chunks: Iterable<string>): Generator<RowPart> {
  for (const { number, text } of numberedLines(chunks)) yield { place: `line ${number}`, text }
}

/** The elements at a path of a JSON document. A document that is cut off ends after its last whole element. */
export function* elementParts(chunks: Iterable<string>, path: readonly string[], file: string, skip: SkipPart): Generator<RowPart> {
  const reading = jsonElements(chunks, path)
  let next = reading.next()
  for (; !next.done; next = reading.next()) yield { place: [...path, next.value.key].join('.'), text: next.value.text }
  if (tryJson(next.value) === undefined) skip({ file, place: 'the end', problem: 'the file is cut off or damaged' })
}

/** Parses parts as JSON objects; damaged ones are skipped and reported. */
export function* rowFields(parts: Iterable<RowPart>, file: string, skip: SkipPart): Generator<JsonFields> {
  for (const { place, text } of parts) {
    const fields = fieldsIn(text, file)
    if (typeof fields === 'string') skip({ file, place, problem: fields })
    else yield fields
  }
}

/** The fields of a row, or why there are none. */
export function fieldsIn(text: string, file: string): JsonFields | string {
  if (text === longLine) return `the line is longer than ${limits.lineBytes.toLocaleString('en-US')} characters`
  try {
    const value = parseForeignJson(text, file)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? fieldsOf(value) : 'it is not a JSON object'
  } catch (error) {
    if (error instanceof PromptError) return error.problem
    throw error
  }
}

/** The lines that are whole samples by `isSample`, before they are parsed, and of one block; `skip` is called for other lines. */
export function* sampleParts(
  parts: Iterable<RowPart>,
  file: string,
  isSample: (text: string) => boolean,
  isOfBlock: (text: string) => boolean,
  skip: SkipPart,
): Generator<RowPart> {
  for (const part of parts) {
    if (!isSample(part.text)) {
      const fields = fieldsIn(part.text, file)
      skip({ file, place: part.place, problem: typeof fields === 'string' ? fields : 'it is not a sample' })
    } else if (isOfBlock(part.text)) yield part
  }
}
