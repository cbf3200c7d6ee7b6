import { inferencers } from '../infer/inferencers.ts'
import { PythonError } from '../jinja/python-error.ts'
import type { Value } from '../jinja/values/value.ts'
import { retrievers } from '../retrieve/retrievers.ts'
import { evaluators } from '../score/evaluate/evaluators.ts'
import { postprocessors } from '../score/postprocess/postprocessors.ts'
import type { ImportedEntry } from './import-config.ts'
import { promptHash } from './prompt-hash.ts'
import { isMutableDict } from './run/dicts.ts'
import { toPyValue } from './to-py-value.ts'

/** What an imported model or dataset can do here. */
export type EntryReport = {
  abbr: string
  /** What it needs from the user before it runs. Rendering needs only rows. */
  needs: string[]
  /** Names that Rolecall does not have; they are kept in the config. */
  missing: string[]
  /** Datasets only: OpenCompass's hash of the prompts. */
  promptHash?: string
}

const retrieverNames = ['ZeroRetriever', 'FixKRetriever', ...Object.keys(retrievers)]
const templates = ['PromptTemplate', 'RawPromptTemplate']
const rowFile = /\.(jsonl|json|csv|tsv)(\.gz)?$/

export function describeEntries(
  entries: readonly { value: Value; entry: ImportedEntry }[],
  kind: 'model' | 'dataset',
  modelTypes: readonly string[] = [],
): EntryReport[] {
  return entries.map(({ value, entry }, index) => {
    const abbr = typeof entry.abbr === 'string' ? entry.abbr : `${kind} ${index}`
    if (kind === 'model') return { abbr, needs: modelNeeds(entry), missing: unknown('type', entry.type, modelTypes) }
    const hash = isMutableDict(value) && value.has('infer_cfg') ? hashOf([value]) : {}
    return { abbr, ...describeDataset(entry), ...hash }
  })
}

/** OpenCompass's hash of the prompts; none where a part of them is known only to Python. */
export function hashOf(datasets: readonly Value[]): { promptHash?: string } {
  try {
    return { promptHash: promptHash(datasets.map(toPyValue) as never) }
  } catch (error) {
    if (!(error instanceof PythonError)) throw error
    return {}
  }
}

function modelNeeds({ type, path }: ImportedEntry): string[] {
  return type === 'openai' && (path === undefined || path === '') ? ['the name that the server has for the model, as "path"'] : []
}

function describeDataset({ infer_cfg, eval_cfg, path, rows, type }: ImportedEntry): Pick<EntryReport, 'needs' | 'missing'> {
  const infer = record(infer_cfg)
  const score = record(eval_cfg)
  const hasRows = Array.isArray(rows) || (typeof path === 'string' && rowFile.test(path))
  const loader = typeof type === 'string' ? ` that ${type} reads` : ''
  return {
    needs: hasRows
      ? []
      : [
          `a file with its rows as "path" (.jsonl, .json, .csv or .tsv), in place of ${typeof path === 'string' ? `"${path}"` : 'the data'}${loader}`,
        ],
    missing: [
      ...(infer_cfg === undefined ? ['infer_cfg'] : []),
      ...unknown('ice_template', record(infer.ice_template).type, templates),
      ...unknown('prompt_template', record(infer.prompt_template).type, templates),
      ...unknown('retriever', record(infer.retriever).type, retrieverNames),
      ...unknown('inferencer', record(infer.inferencer).type, Object.keys(inferencers)),
      ...unknown('evaluator', record(score.evaluator).type, [...evaluators.keys()]),
      ...['pred_postprocessor', 'dataset_postprocessor'].flatMap((key) =>
        unknown(key, typeof score[key] === 'string' ? score[key] : record(score[key]).type, [...postprocessors.keys()]),
      ),
    ],
  }
}

function unknown(role: string, name: unknown, known: readonly string[]): string[] {
  if (typeof name !== 'string' || known.includes(name.split('.').at(-1)!)) return []
  return [`${role} ${name}`]
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}
