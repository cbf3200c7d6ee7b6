import { retrieverType } from '@rolecall/core/internal/conversation'
import { PromptError } from '@rolecall/core/internal/errors'
import type { EmbeddingSource } from './embedding-source.ts'
import { retrievers } from './retrievers.ts'

/** Reads `ROLECALL_EMBEDDINGS`: `MODEL@URL` or `energetic-ai`; undefined if it is not set. */
export function readEmbeddings(given: string | undefined): EmbeddingSource | undefined {
  return given === 'energetic-ai' ? given : modelAt(given, 'ROLECALL_EMBEDDINGS', ', or to energetic-ai')
}

/** Reads `ROLECALL_CE_MODEL`, `MODEL@URL`, as a model whose log-probabilities are requested; undefined if it is not set. */
export function readEntropyModel(given: string | undefined): object | undefined {
  const { model: path, base_url } = modelAt(given, 'ROLECALL_CE_MODEL') ?? {}
  return path === undefined ? undefined : { type: 'openai', path, base_url }
}

function modelAt(given: string | undefined, where: string, or = ''): { base_url: string; model: string } | undefined {
  if (!given) return undefined
  const [, model, url] = /^(.+)@(https?:\/\/.+)$/.exec(given.trim()) ?? []
  if (model !== undefined && url !== undefined) return { base_url: url, model }
  throw new PromptError('bad-url', {
    where,
    problem: `"${given}" has no model and URL`,
    fix: `set it to MODEL@http://127.0.0.1:8000/v1${or}`,
  })
}

type RetrieverEntry = { type?: string; choose?: unknown; embeddings?: unknown; ce_model?: unknown }

/** A dataset whose retriever compares embeddings, with a source where its config has none: OpenCompass loads an encoder by name. */
export function withEmbeddings<Dataset extends object>(dataset: Dataset, source: EmbeddingSource | undefined): Dataset {
  const { infer_cfg: infer } = dataset as { infer_cfg?: { retriever?: RetrieverEntry } }
  const { retriever } = infer ?? {}
  if (!source || !retriever || retriever.choose !== undefined || retriever.embeddings !== undefined) return dataset
  if (!retrievers[retrieverType(retriever)]?.needsEmbeddings) return dataset
  return { ...dataset, infer_cfg: { ...infer, retriever: { ...retriever, embeddings: source } } }
}

type EvaluatorEntry = { type?: unknown; embeddings?: unknown }

/** The same for a dataset whose evaluator compares texts by embeddings; `needs` says which evaluators do. */
export function withEvaluatorEmbeddings<Dataset extends object>(
  dataset: Dataset,
  source: EmbeddingSource | undefined,
  needs: (type: string) => boolean,
): Dataset {
  const { eval_cfg: evaluation } = dataset as { eval_cfg?: { evaluator?: EvaluatorEntry } }
  const { evaluator } = evaluation ?? {}
  if (!source || typeof evaluator?.type !== 'string' || evaluator.embeddings !== undefined || !needs(evaluator.type)) return dataset
  return { ...dataset, eval_cfg: { ...evaluation, evaluator: { ...evaluator, embeddings: source } } }
}

/** A dataset whose retriever measures how sure a model is, with this model where its config has none: OpenCompass loads gpt2-xl. */
export function withEntropyModel<Dataset extends object>(dataset: Dataset, model: object | undefined): Dataset {
  const { infer_cfg: infer } = dataset as { infer_cfg?: { retriever?: RetrieverEntry } }
  const { retriever } = infer ?? {}
  if (!model || !retriever || retriever.choose !== undefined || retriever.ce_model !== undefined) return dataset
  if (!retrievers[retrieverType(retriever)]?.needsModel) return dataset
  return { ...dataset, infer_cfg: { ...infer, retriever: { ...retriever, ce_model: model } } }
}
