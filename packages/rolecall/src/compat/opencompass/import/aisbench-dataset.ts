import { isDict } from '@rolecall/core/internal/python'
import { className, fieldsOf, type ImportedEntry } from './imported-entry.ts'

/** Categories of the Berkeley Function Calling Leaderboard whose calls are run, or compared as source text of another language. */
const notCompared = /^multi_turn|java/

/**
 * A dataset of AISBench in our own terms: tool calls (`BFCLDataset`), messages with parts (`MMPromptTemplate`), judges
 * (`judge_infer_cfg`). Any other dataset is returned as it is.
 */
export function fromAisBench(entry: ImportedEntry): ImportedEntry {
  return withParts(withJudgedAnswers(withTools(entry)))
}

/** The rows of BFCL have their messages and tools in columns. */
function withTools(entry: ImportedEntry): ImportedEntry {
  const evaluation = fieldsOf(entry.eval_cfg)
  const [category, evaluator] = [entry.category, className(fieldsOf(evaluation.evaluator).type)]
  if (className(entry.type) !== 'BFCLDataset' || typeof category !== 'string' || notCompared.test(category)) return entry
  if (evaluator !== 'BFCLSingleTurnEvaluator' && evaluator !== 'BFCLRelevanceEvaluator') return entry
  return {
    ...entry,
    reader_cfg: { input_columns: ['messages'], output_column: 'ground_truth', tools_column: 'tools' },
    infer_cfg: { prompt_template: { messages: [{ expand_column: 'messages' }] }, inferencer: { type: 'GenInferencer' } },
    eval_cfg: { ...evaluation, evaluator: { type: 'BFCLEvaluator', category } },
  }
}

/** AISBench asks the judge as a second dataset, whose template calls the answer {model_answer}; `--judge` names the model. */
function withJudgedAnswers(entry: ImportedEntry): ImportedEntry {
  const { judge_infer_cfg: judged, ...rest } = entry
  const evaluation = fieldsOf(entry.eval_cfg)
  const evaluator = className(fieldsOf(evaluation.evaluator).type)
  if (!isDict(judged) || (evaluator !== 'LLMJudgeCorrectEvaluator' && evaluator !== 'AALCRJudgeEvaluator')) return entry
  const template = JSON.stringify((judged as ImportedEntry).prompt_template).replaceAll('{model_answer}', '{prediction}')
  return {
    ...rest,
    eval_cfg: {
      evaluator: {
        type: 'GenericLLMEvaluator',
        judge_cfg: {},
        prompt_template: JSON.parse(template) as unknown,
        dict_postprocessor: evaluator === 'AALCRJudgeEvaluator' ? { type: 'correct_word' } : fieldsOf(evaluation.pred_postprocessor),
      },
    },
  }
}

/** Loaders write the parts of a row in the row's order, by the templates of `prompt_mm`. */
function withParts(entry: ImportedEntry): ImportedEntry {
  const infer = fieldsOf(entry.infer_cfg)
  const given = fieldsOf(infer.prompt_template)
  const round = fieldsOf(given.template).round
  const turn = Array.isArray(round) && round.length === 1 ? fieldsOf(round[0]) : {}
  if (className(given.type) !== 'MMPromptTemplate' || !isDict(turn.prompt_mm)) return entry
  return {
    ...entry,
    with_parts: turn.prompt_mm,
    reader_cfg: { ...fieldsOf(entry.reader_cfg), input_columns: ['content'] },
    infer_cfg: { ...infer, prompt_template: { messages: [{ role: 'user', content: ['{content}'] }] } },
  }
}
