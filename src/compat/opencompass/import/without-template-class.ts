type Entry = Readonly<Record<string, unknown>>

/** Templates of OpenCompass that are classes: their loader writes the text into the column `prompt`. */
const classes: Readonly<Record<string, { loader: string; template: Entry }>> = {
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
const judgeClasses: Readonly<Record<string, Entry>> = {
  InverseIFEvalJudgePromptTemplate: {
    messages: [
      { role: 'system', content: '{judge_system_prompt}' },
      { role: 'user', content: '{judge_prompt_template}' },
    ],
  },
}

/** A dataset whose judge's template is a class, with the messages that it writes. */
export function withoutJudgeClass(entry: Entry): Entry {
  const evaluation = objectOf(entry.eval_cfg)
  const evaluator = objectOf(evaluation.evaluator)
  const found = judgeClasses[className(objectOf(evaluator.prompt_template).type)]
  return found ? { ...entry, eval_cfg: { ...evaluation, evaluator: { ...evaluator, prompt_template: found } } } : entry
}

/** A dataset whose prompt template is a class, with a template that we have; any other dataset as it is. */
export function withoutTemplateClass(entry: Entry): Entry {
  const infer = objectOf(entry.infer_cfg)
  const found = classes[className(objectOf(infer.prompt_template).type)]
  if (!found || found.loader !== className(entry.type)) return entry
  const reader = objectOf(entry.reader_cfg)
  const columns = Array.isArray(reader.input_columns) ? reader.input_columns : []
  return {
    ...entry,
    with_prompt: true,
    reader_cfg: { ...reader, input_columns: [...columns, 'prompt'] },
    infer_cfg: { ...infer, prompt_template: found.template },
  }
}

function className(type: unknown): string {
  return typeof type === 'string' ? type.slice(type.lastIndexOf('.') + 1) : ''
}

function objectOf(value: unknown): Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Entry) : {}
}
