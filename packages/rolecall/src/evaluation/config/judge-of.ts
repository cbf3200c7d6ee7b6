import { isDict } from '@rolecall/core/internal/python'

type Fields = Record<string, unknown>
type Judged = { eval_cfg?: { evaluator?: unknown } | undefined }

/** The judge that the evaluator of a dataset names, itself or in its `llm_evaluator`, with its place in the dataset. */
export function judgeOf({ eval_cfg: evaluation }: Judged): { judge: Fields; place: string } | undefined {
  const evaluator = fieldsOf(evaluation?.evaluator)
  const inner = fieldsOf(evaluator?.llm_evaluator)
  const judge = fieldsOf((inner ?? evaluator)?.judge_cfg)
  return judge && { judge, place: `eval_cfg.evaluator.${inner ? 'llm_evaluator.' : ''}judge_cfg` }
}

/** The dataset with its judge changed; the dataset itself if it names none. */
export function withChangedJudge<Dataset extends Judged>(dataset: Dataset, change: (judge: never) => object): Dataset {
  const found = judgeOf(dataset)
  if (!found) return dataset
  const evaluator = dataset.eval_cfg!.evaluator as Fields
  const judge_cfg = change(found.judge as never)
  const changed = isDict(evaluator.llm_evaluator)
    ? { ...evaluator, llm_evaluator: { ...(evaluator.llm_evaluator as Fields), judge_cfg } }
    : { ...evaluator, judge_cfg }
  return { ...dataset, eval_cfg: { ...dataset.eval_cfg, evaluator: changed } }
}

function fieldsOf(value: unknown): Fields | undefined {
  return isDict(value) ? (value as Fields) : undefined
}
