import { isDict } from '@rolecall/core/internal/python'

/** Environment variables by name. */
type Variables = Readonly<Record<string, string | undefined>>

type Fields = Record<string, unknown>

const openAI = 'https://api.openai.com/v1/'

/** A judge with the settings of OpenCompass's default judge: this model on this server, with the key in `OC_JUDGE_API_KEY`. */
export function judgeNamed(path: string, url = openAI): Fields {
  return {
    type: 'openai',
    path,
    key_env: 'OC_JUDGE_API_KEY',
    base_url: url,
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

/**
 * OpenCompass's judge for evaluators whose `judge_cfg` is empty: the model on a server that `OC_JUDGE_MODEL`, `OC_JUDGE_API_KEY` and
 * `OC_JUDGE_API_BASE` name; undefined if the first is not set.
 */
export function defaultJudge({ OC_JUDGE_MODEL: path, OC_JUDGE_API_BASE: address }: Variables): Fields | undefined {
  return path ? judgeNamed(path, address) : undefined
}

type Judged = { eval_cfg?: { evaluator?: unknown } | undefined }

/** A dataset with this judge, if its evaluator queries one: `replace` also replaces a judge that its config names. */
export function withJudge<Dataset extends Judged>(dataset: Dataset, judge: Fields | undefined, { replace = false } = {}): Dataset {
  const evaluator = fieldsOf(dataset.eval_cfg?.evaluator)
  const made = evaluator && judge ? judgedBy(evaluator, judge, replace) : undefined
  return made ? { ...dataset, eval_cfg: { ...dataset.eval_cfg, evaluator: made } } : dataset
}

/** Whether the evaluator of a dataset queries a judge that its config does not name. */
export function lacksJudge(dataset: Judged): boolean {
  return withJudge(dataset, {}) !== dataset
}

/** Evaluators that query a judge even if their config has no `judge_cfg`, which OpenCompass takes from elsewhere. */
const judgedTypes = ['GenericLLMEvaluator', 'LMEvaluator']

function judgedBy(evaluator: Fields, judge: Fields, replace: boolean): Fields | undefined {
  const inner = fieldsOf(evaluator.llm_evaluator)
  if (inner) {
    const made = judgedBy({ type: judgedTypes[0], ...inner }, judge, replace)
    return made && { ...evaluator, llm_evaluator: made }
  }
  const queries = 'judge_cfg' in evaluator || judgedTypes.includes(String(evaluator.type).split('.').at(-1)!)
  return queries && (replace || isEmpty(evaluator.judge_cfg)) ? { ...evaluator, judge_cfg: judge } : undefined
}

function fieldsOf(value: unknown): Fields | undefined {
  return isDict(value) ? (value as Fields) : undefined
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (isDict(value) && Object.keys(value).length === 0)
}
