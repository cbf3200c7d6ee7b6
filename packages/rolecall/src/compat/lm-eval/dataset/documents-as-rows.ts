import type { Note } from '@rolecall/core/internal/errors'
import type { Value } from '@rolecall/core/internal/python'
import {
  dictEntries,
  dictFromEntries,
  dictGet,
  dictKeys,
  isDict,
  isList,
  makeDict,
  type PyValue,
  stringifyJson,
} from '@rolecall/core/internal/python'
import { PythonRandom } from '../../../python/library/random.ts'
import type { FunctionHost } from '../python/function-host.ts'
import type { Doc } from '../task/field.ts'
import { type ReadField, readFields } from '../task/fields-in-order.ts'
import { type FieldName, type KeptFields, keepFields } from '../task/kept-fields.ts'
import type { Task } from '../task/task.ts'
import type { TaskFunction } from '../task/task-function.ts'

/** The column that holds the indices of a row's examples. */
export const examplesColumn = 'fewshot_examples'

/** The column that holds what the fields of a document, and then of its examples, gave, if functions draw random numbers for them. */
const fieldsColumn = '__drawn_fields__'

/** Between the reading of a task and its requests, the harness makes a name of eight random letters three times, and does not use it. */
const namingDraws = 3 * 8

function afterNaming(generator: PythonRandom): PythonRandom {
  const later = new PythonRandom(generator)
  for (let drawn = 0; drawn < namingDraws; drawn++) later.random()
  return later
}

const isOwn = (name: string) => name === examplesColumn || name === fieldsColumn

/** Code that draws from the global generator of `random` or numpy; `random.Random` is a separate one. */
const drawingCode = /\bfrom\s+(?:numpy\.)?random\s+import\b|\bimport\s+(?:numpy\.)?random\s+as\b|\brandom\.(?!Random\b)[a-z]\w*\s*\(/

/**
 * The documents of a task as rows, and those that are examples. If its functions draw from the generator of `random`, the prompts depend
 * on the order of all calls: then the rows also hold what such fields gave in the order of lm-evaluation-harness.
 */
export function rowsOfTask(
  task: Task,
  { random }: Pick<FunctionHost, 'random'>,
  shots: number,
  examplesOf: (doc: Doc) => readonly Doc[],
  sources: Readonly<Record<string, string>>,
): { rows: string[]; pool: string[]; notes: readonly Note[] } {
  const used = new Map<Doc, number>()
  const [first] = functionsOf(task)
  const mayDraw = first !== undefined && Object.values(sources).some((text) => drawingCode.test(text))
  const generator = random.random
  if (mayDraw) random.random = afterNaming(generator)
  let isAnyDrawn = false
  const rows = task.docs.map((doc) => {
    const examples = examplesOf(doc)
    for (const example of examples) if (!used.has(example)) used.set(example, used.size)
    const entries: [string, Value][] = [...dictEntries(doc)]
    if (shots > 0) entries.push([examplesColumn, examples.map((example) => used.get(example)!)])
    const drawn = mayDraw ? drawnFieldsOf(task, doc, examples, () => first.draws().shared) : undefined
    if (drawn) entries.push([fieldsColumn, drawn])
    isAnyDrawn ||= drawn !== undefined
    return stringifyJson(makeDict(entries))
  })
  // The harness makes requests when all tasks are read: the next one goes on from here.
  random.random = generator
  return { rows, pool: [...used.keys()].map((doc) => stringifyJson(doc)), notes: isAnyDrawn ? [drawnFields] : [] }
}

/** What fields of a document and of its examples gave whose functions drew random numbers; undefined if none did. */
function drawnFieldsOf(task: Task, doc: Doc, examples: readonly Doc[], draws: () => number): Value[] | undefined {
  const drawn = new Set<FieldName>()
  const read: ReadField = (field, work) => {
    const before = draws()
    const value = work()
    if (draws() !== before) drawn.add(field)
    return value
  }
  const all = readFields(task, doc, examples, read)
  if (drawn.size === 0) return undefined
  return all.map((fields) =>
    makeDict([...drawn].flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name] as Value] as const]))),
  )
}

const drawnFields: Note = {
  code: 'prompts-vary',
  text: 'its functions draw random numbers whenever they are called: if the task runs alone, the prompts are those of lm-evaluation-harness. It draws again to score the answers; here they are scored with what was sent',
}

/** The functions that make the prompts of a task; those of a class have their own order. */
function functionsOf({ asked, examples, config }: Task): TaskFunction[] {
  if (config.own) return []
  const fields = [asked, examples].flatMap(({ textField, targetField, choiceField }) => [textField, targetField, choiceField])
  return fields.flatMap((field) => (field?.kind === 'function' ? [field.run] : []))
}

/** The document of a row: all columns of the dataset. */
export function docIn(row: Doc): Doc {
  const [own] = fieldsIn(row)
  const doc = row instanceof Map ? withoutColumns(row) : plainDoc(row)
  return own ? keepFields(doc, own) : doc
}

/** The fast way for rows that are plain objects, as nearly all are. */
function plainDoc(row: Doc): Doc {
  const { [examplesColumn]: _, [fieldsColumn]: __, ...doc } = row as Readonly<Record<string, PyValue>>
  return doc
}

function withoutColumns(row: Doc): Doc {
  return dictFromEntries(dictKeys(row).flatMap((name) => (isOwn(name) ? [] : [[name, dictGet(row, name) ?? null] as const])))
}

/** The examples of a row, among the documents that are examples. */
export function examplesIn(row: Doc, pool: readonly Doc[]): Doc[] {
  const numbers = dictGet(row, examplesColumn)
  if (!isList(numbers)) return []
  const [, ...fields] = fieldsIn(row)
  return numbers.map((number, place) => {
    const example = pool[Number(number)]!
    const own = fields[place]
    return own ? keepFields(dictFromEntries(dictEntries(example)), own) : example
  })
}

function fieldsIn(row: Doc): KeptFields[] {
  const given = dictGet(row, fieldsColumn)
  if (!isList(given)) return []
  return given.filter(isDict).map((one): KeptFields => {
    const [text, target, choices] = [dictGet(one, 'text'), dictGet(one, 'target'), dictGet(one, 'choices')]
    return {
      ...(text === undefined ? {} : { text }),
      ...(target === undefined ? {} : { target }),
      ...(isList(choices) ? { choices } : {}),
    }
  })
}
