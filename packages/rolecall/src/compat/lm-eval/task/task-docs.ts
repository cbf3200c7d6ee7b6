import type { Row } from '@rolecall/core/internal/conversation'
import type { Note } from '@rolecall/core/internal/errors'
import { PromptError } from '@rolecall/core/internal/errors'
import {
  dictEntries,
  dictFromEntries,
  isDict,
  isListValue,
  type PyDict,
  type PyValue,
  pyEqual,
  type Value,
} from '@rolecall/core/internal/python'
import { fromAll } from '../../opencompass/loaders/table.ts'
import { DatasetValue } from '../python/dataset-value.ts'
import { FunctionMark } from '../yaml/function-mark.ts'
import type { Doc } from './field.ts'
import type { TaskConfig } from './task-config.ts'
import type { FindFunction } from './task-function.ts'

/** The unprocessed rows of a split; undefined if the dataset does not have the split. */
export type RowsOfSplit = (split: string) => readonly Row[] | undefined

export type TaskDocs = { docs: readonly Doc[]; pool: readonly Doc[] | undefined; notes: readonly Note[] }

/** The split that is evaluated. */
export function askedSplit({ splits, where }: TaskConfig): string {
  const split = splits.test ?? splits.validation
  if (split !== undefined) return split
  throw new PromptError('no-split', {
    where,
    problem: 'it names neither a test_split nor a validation_split',
    fix: 'name the split to evaluate',
  })
}

/** The split of the examples; undefined if the task lists its examples, or has none. */
export function exampleSplit({ fewshot, splits }: TaskConfig): string | undefined {
  if (fewshot.split !== undefined) return fewshot.split
  return fewshot.samples === undefined ? (splits.training ?? splits.validation ?? splits.test) : undefined
}

/**
 * The evaluated documents and the pool of examples, both after `process_docs`. lm-evaluation-harness reads the examples, the documents to
 * check the first of them, and the documents again for the requests: a `random.Random` of the module goes on from one reading to the next.
 */
export function docsOfTask(config: TaskConfig, rowsOf: RowsOfSplit, find: FindFunction): TaskDocs {
  const asked = askedSplit(config)
  const split = exampleSplit(config)
  const process = config.fewshot.split === undefined ? config.processDocs : config.fewshot.processDocs
  const examples = split === undefined ? undefined : read(split, process)
  const pool = examples?.docs ?? (config.fewshot.samples === undefined ? undefined : samplesOf(config, find))
  const isSame = split === asked && process === config.processDocs
  const checked = examples && isSame && !examples.drew ? examples : read(asked, config.processDocs)
  const { docs } = checked.drew ? read(asked, config.processDocs) : checked
  const isOther = checked.drew && !pyEqual(docs, checked.docs)
  return { docs, pool, notes: isOther ? [otherDocuments(config.processDocs!)] : [] }

  function read(name: string, mark: FunctionMark | undefined): { docs: readonly Doc[]; drew: boolean } {
    const before = mark && find(mark).draws().own
    const made = processed(rowsAt(name), mark, find)
    return { docs: made, drew: mark !== undefined && find(mark).draws().own !== before }
  }

  function rowsAt(name: string): readonly Row[] {
    const rows = rowsOf(name)
    if (rows !== undefined) return rows
    throw new PromptError('no-split', {
      where: config.where,
      problem: `the dataset has no split "${name}"`,
      fix: 'correct the name, or add its file',
    })
  }
}

function otherDocuments({ path }: FunctionMark): Note {
  const prompts = 'the prompts are those of a first run of lm-evaluation-harness, before its dataset cache is filled'
  const scores = 'which scores the answers with yet other documents, while they are scored with those of the prompts here'
  return { code: 'documents-vary', text: `${path} returns other documents each time it is called: ${prompts}, ${scores}` }
}

function processed(rows: readonly Row[], mark: FunctionMark | undefined, find: FindFunction): readonly Doc[] {
  if (mark === undefined) return rows
  const run = find(mark)
  const dataset = new DatasetValue(fromAll(rows.map((row) => new Map(dictEntries(row)))))
  return docsFrom(run.call([dataset]), mark)
}

function docsFrom(made: Value, mark: FunctionMark): readonly Doc[] {
  if (isListValue(made) && made.every((doc) => isDict(doc))) return made.map((doc) => dictFromEntries(dictEntries(doc as PyDict)))
  throw new PromptError('bad-documents', {
    where: mark.file,
    problem: `${mark.path} returns no documents`,
    fix: 'let it return a dataset, or a list of dicts',
  })
}

function samplesOf({ fewshot, where }: TaskConfig, find: FindFunction): readonly Doc[] {
  const samples = fewshot.samples instanceof FunctionMark ? find(fewshot.samples).call([]) : (fewshot.samples as Value)
  if (isListValue(samples) && samples.every((sample) => isDict(sample)))
    return samples.map((sample) => dictFromEntries(dictEntries(sample as PyDict) as [string, PyValue][]))
  throw new PromptError('bad-samples', {
    where: `${where} › fewshot_config.samples`,
    problem: 'it is not a list of documents',
    fix: 'write a list of maps, or a function that gives one',
  })
}
