import { limits } from '../../../base/errors/limits.ts'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { dictEntries, isDict, isList, type PyDict, type PyValue } from '../../../base/python/index.ts'
import { badRow, type FoundRows, parseOrTell } from './bad-row.ts'
import { textBlocks } from './text-blocks.ts'

/** A list of objects, alone or as the only list of an object (`{ "examples": [ … ] }`). The file is read as a whole. */
export async function* readJson(path: string): FoundRows {
  const blocks: string[] = []
  let length = 0
  for await (const { text, broken } of textBlocks(path)) {
    for (const error of broken.values()) throw error
    blocks.push(text)
    length += text.length
    if (length > limits.lineBytes.value)
      throw badRow(
        path,
        `the file has more than ${limits.lineBytes.value.toLocaleString('en-US')} characters, and is read as a whole`,
        'write one object a line, in a .jsonl file',
      )
  }
  const whole = parseOrTell(blocks.join(''), () => path, 'correct the file; one object a line is a .jsonl file')
  if (whole instanceof PromptError) throw whole
  const rows = isDict(whole) ? onlyList(whole) : whole
  if (!isList(rows)) throw badRow(path, 'the file is not a list of rows', 'write [{ … }, { … }], or one object a line in a .jsonl file')
  yield rows.map((row, index) =>
    isDict(row) ? row : badRow(`${path}[${index}]`, 'a row is an object with a value for each column', 'write { "column": value, … }'),
  )
}

/** Files often say something about themselves beside their rows. */
function onlyList(whole: PyDict): PyValue | undefined {
  const lists = dictEntries(whole).filter(([, value]) => isList(value) && value.length > 0 && value.every(isDict))
  return lists.length === 1 ? lists[0]![1] : undefined
}
