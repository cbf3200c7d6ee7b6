import type { ConfigTexts } from './config-texts.ts'
import { asYaml } from './read-pane.ts'

/** An example to start from. */
export type Example = { name: string; group: string; state: ConfigTexts }

type Case = {
  name: string
  model: object
  dataset?: { infer_cfg?: { retriever?: object }; [key: string]: unknown }
  row?: object
  examples?: readonly object[]
  mode?: 'gen' | 'ppl'
  chat?: object
  expected: object
}

const documents = [
  ['000 · OpenCompass, Meta Prompt', () => import('../../../../../proof/cases/document-000.json')],
  ['001 · AISBench, Meta Template', () => import('../../../../../proof/cases/document-001.json')],
  ['002 · OpenCompass, Prompt 模板', () => import('../../../../../proof/cases/document-002.json')],
  ['003 · MLC-LLM, Conversation', () => import('../../../../../proof/cases/document-003.json')],
  ['004 · InternLM, Chat Format', () => import('../../../../../proof/cases/document-004.json')],
] as const

/** The examples of the five documents, as in the tests, including those that are errors. */
export async function documentExamples(): Promise<Example[]> {
  const read = await Promise.all(
    documents.map(async ([group, load]) => ({ group, cases: (await load()).default.cases as readonly unknown[] as readonly Case[] })),
  )
  return read.flatMap(({ group, cases }) => cases.map((one) => ({ group, name: one.name, state: stateOf(one) })))
}

function stateOf({ model, dataset, row, examples = [], mode, chat }: Case): ConfigTexts {
  if (chat) return { model: asYaml(model), dataset: asYaml(chat), row: '{}', mode: '' }
  const retriever = { ...dataset?.infer_cfg?.retriever, type: 'FixKRetriever', fix_id_list: examples.map((_, index) => index) }
  const shown = examples.length === 0 ? dataset : { ...dataset, train_rows: examples, infer_cfg: { ...dataset?.infer_cfg, retriever } }
  return { model: asYaml(model), dataset: asYaml(shown), row: asYaml(row ?? {}), mode: mode ?? '' }
}
