import { isDict } from '../../base/python/index.ts'

/** Environment variables by name. */
type Variables = Readonly<Record<string, string | undefined>>

type Fields = Record<string, unknown>

/**
 * OpenCompass's judge for evaluators whose `judge_cfg` is empty: the model on a server that `OC_JUDGE_MODEL`, `OC_JUDGE_API_KEY` and
 * `OC_JUDGE_API_BASE` name; undefined if the first is not set.
 */
export function defaultJudge({ OC_JUDGE_MODEL: path, OC_JUDGE_API_BASE: address }: Variables): Fields | undefined {
  if (!path) return undefined
  return {
    type: 'openai',
    path,
    key_env: 'OC_JUDGE_API_KEY',
    base_url: address ?? 'https://api.openai.com/v1/',
    meta_template: {
      round: [
        { role: 'HUMAN', api_role: 'HUMAN' },
        { role: 'BOT', api_role: 'BOT', generate: true },
      ],
    },
    query_per_second: 16,
    temperature: 0.001,
    max_out_len: 16384,
    max_seq_len: 49152,
  }
}

/** A dataset whose empty `judge_cfg` is OpenCompass's default judge. */
export function withDefaultJudge<Dataset extends { eval_cfg?: { evaluator?: unknown } | undefined }>(
  dataset: Dataset,
  variables: Variables,
): Dataset {
  const evaluator = fieldsOf(dataset.eval_cfg?.evaluator)
  const judge = defaultJudge(variables)
  if (!evaluator || !judge) return dataset
  const inner = fieldsOf(evaluator.llm_evaluator)
  const filled = inner && isEmpty(inner.judge_cfg) ? { ...evaluator, llm_evaluator: { ...inner, judge_cfg: judge } } : undefined
  const made = isEmpty(evaluator.judge_cfg) ? { ...evaluator, judge_cfg: judge } : filled
  return made ? { ...dataset, eval_cfg: { ...dataset.eval_cfg, evaluator: made } } : dataset
}

function fieldsOf(value: unknown): Fields | undefined {
  return isDict(value) ? (value as Fields) : undefined
}

function isEmpty(value: unknown): boolean {
  return isDict(value) && Object.keys(value).length === 0
}
