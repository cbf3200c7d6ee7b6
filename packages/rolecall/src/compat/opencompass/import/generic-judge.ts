import { byClass, fieldsOf, type ImportedEntry } from './imported-entry.ts'

/** Evaluators that query a model themselves → the same with GenericLLMEvaluator; undefined if it cannot be. */
const judges: Readonly<Record<string, (evaluator: ImportedEntry, entry: ImportedEntry) => ImportedEntry | undefined>> = {
  ATLASLLMEvaluator: withOneJudge,
  GaoKaoMATHEvaluator: withModuleText,
}

/** A dataset that a model judges, with GenericLLMEvaluator in place of a class that does the same; any other dataset as it is. */
export function withGenericJudge(entry: ImportedEntry): ImportedEntry {
  const evaluation = fieldsOf(entry.eval_cfg)
  const evaluator = fieldsOf(evaluation.evaluator)
  const made = byClass(judges, evaluator.type)?.(evaluator, entry)
  return made ? { ...entry, eval_cfg: { ...evaluation, evaluator: { ...made, type: 'GenericLLMEvaluator' } } } : entry
}

/** ATLAS lets several judges vote; with one judge, its verdict is the vote. */
function withOneJudge({ judge_cfg: given, pred_postprocessor: clean, ...evaluator }: ImportedEntry): ImportedEntry | undefined {
  const { judgers = [given] } = fieldsOf(given)
  if (!Array.isArray(judgers) || judgers.length !== 1) return undefined
  const judge = fieldsOf(judgers[0])
  // Its configs have "xxx" where the user's server belongs: then the judge is the default one.
  const isNamed = [judge.openai_api_base ?? judge.base_url].flat().some((url) => /^https?:/.test(String(url)))
  return { ...evaluator, judge_cfg: isNamed ? judge : {}, pred_postprocessor: { ...fieldsOf(clean), only_answers: true } }
}

/** The judge of GaoKaoMATH sees the question as the model did, in the prompt of its module. */
function withModuleText(
  { model_name: path, url, with_postprocess: extracts, temperature = 1e-6, max_tokens: most = 8192, wording }: ImportedEntry,
  entry: ImportedEntry,
): ImportedEntry | undefined {
  const { EVAL_PROMPT: text } = fieldsOf(wording)
  const question = firstTurn(fieldsOf(fieldsOf(fieldsOf(entry.infer_cfg).prompt_template).template))
  if (extracts === true || typeof text !== 'string' || question === undefined) return undefined
  const fields: Readonly<Record<string, string>> = { question, gold_answer: '{obj_gold}', answer: '{prediction}' }
  const prompt = text.replace(/\{\{|\}\}|\{(\w+)\}/g, (found, name?: string) => (name === undefined ? found[0]! : (fields[name] ?? found)))
  return {
    judge_cfg: {
      type: 'openai',
      path,
      base_url: [url].flat()[0],
      key: 'EMPTY',
      query_per_second: 2,
      temperature,
      max_seq_len: most,
      max_out_len: 512,
      meta_template: {
        round: [
          { role: 'HUMAN', api_role: 'HUMAN' },
          { role: 'BOT', api_role: 'BOT', generate: true },
        ],
      },
    },
    prompt_template: { template: { round: [{ role: 'HUMAN', prompt }] } },
    dict_postprocessor: { type: 'boxed_yes' },
  }
}

function firstTurn({ begin = [], round = [] }: ImportedEntry): string | undefined {
  const { prompt } = fieldsOf([begin, round].flat()[0])
  return typeof prompt === 'string' ? prompt : undefined
}
