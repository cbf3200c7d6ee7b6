import { byClass, className, fieldsOf, type ImportedEntry } from './imported-entry.ts'

/** Templates of OpenCompass that are classes: their loader writes the text into the column `prompt`. */
const classes: Readonly<Record<string, { loader: string; template: ImportedEntry }>> = {
  OlympiadBenchTemplate: {
    loader: 'OlympiadBenchDataset',
    template: { type: 'PromptTemplate', template: { round: [{ role: 'HUMAN', prompt: '{prompt}' }] } },
  },
  OlympiadBenchRawTemplate: {
    loader: 'OlympiadBenchDataset',
    template: { type: 'RawPromptTemplate', messages: [{ role: 'user', content: '{prompt}' }] },
  },
}

/** Templates of judges that are classes: the judge's messages are columns of the row. */
const judgeClasses: Readonly<Record<string, ImportedEntry>> = {
  InverseIFEvalJudgePromptTemplate: {
    messages: [
      { role: 'system', content: '{judge_system_prompt}' },
      { role: 'user', content: '{judge_prompt_template}' },
    ],
  },
}

/** A dataset whose judge's template is a class, with the messages that it writes. */
export function withoutJudgeClass(entry: ImportedEntry): ImportedEntry {
  const evaluation = fieldsOf(entry.eval_cfg)
  const evaluator = fieldsOf(evaluation.evaluator)
  const found = byClass(judgeClasses, fieldsOf(evaluator.prompt_template).type)
  return found ? { ...entry, eval_cfg: { ...evaluation, evaluator: { ...evaluator, prompt_template: found } } } : entry
}

/** A dataset whose prompt template is a class, with a template that we have; any other dataset as it is. */
export function withoutTemplateClass(entry: ImportedEntry): ImportedEntry {
  const infer = fieldsOf(entry.infer_cfg)
  const found = byClass(classes, fieldsOf(infer.prompt_template).type)
  if (!found || found.loader !== className(entry.type)) return entry
  const reader = fieldsOf(entry.reader_cfg)
  const columns = Array.isArray(reader.input_columns) ? reader.input_columns : []
  return {
    ...entry,
    with_prompt: true,
    reader_cfg: { ...reader, input_columns: [...columns, 'prompt'] },
    infer_cfg: { ...infer, prompt_template: found.template },
  }
}

/** A dataset whose evaluator runs the tests of EvalPlus, which its loader adds to the rows. */
export function withEvalPlus(entry: ImportedEntry): ImportedEntry {
  const { type, metric } = fieldsOf(fieldsOf(entry.eval_cfg).evaluator)
  return className(type) === 'HumanEvalPlusEvaluator' || metric === 'MBPPPlus' ? { ...entry, with_evalplus: true } : entry
}
