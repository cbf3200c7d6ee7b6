import { isMutableDict, type MutableDict, newDict } from '../../../base/python/interpreter/containers.ts'
import type { Session } from '../../../base/python/interpreter/session.ts'
import type { Value } from '../../../base/python/values/value.ts'

type Entries = Readonly<Record<string, Value | undefined>>

/** What OpenCompass has for a judge that is given no prompt is a page of its own; this asks for the same verdict. */
const judgePrompt = `You grade answers. The right answer is given, so do not solve the question yourself. An answer is right if it means the same as the right one, however it is written, and if it leaves nothing of it out.

Question:
{question}

Right answer:
{answer}

Answer to grade:
{prediction}

Reply with A if the answer is right and with B if it is wrong, and with nothing else.`

/** How OpenCompass reads the letter of a choice where nothing else is given. */
const choicePattern = String.raw`(?i)ANSWER\s*:\s*([A-D])`

/** The evaluators of ChatML datasets by the names that OpenCompass gives them. */
const evaluators: Readonly<Record<string, (session: Session, given: MutableDict, tell: (text: string) => void) => Value>> = {
  math_evaluator: (session) => dict(session, { type: 'MATHVerifyEvaluator' }),
  mcq_rule_evaluator: choice,
  rule_evaluator: choice,
  llm_evaluator(session, given, tell) {
    const prompt = given.get('prompt')
    if (typeof prompt !== 'string')
      tell("the judge is given a prompt of Rolecall's own, as the config has none: write `prompt` for another")
    return dict(session, {
      type: 'GenericLLMEvaluator',
      prompt_template: dict(session, { template: typeof prompt === 'string' ? prompt : judgePrompt }),
      judge_cfg: given.get('judge_cfg'),
      dict_postprocessor: dict(session, { type: 'generic_llmjudge_postprocess' }),
    })
  },
  cascade_evaluator(session, given, tell) {
    const part = (key: string) => evaluatorOf(session, given.get(key), tell)
    return dict(session, {
      type: 'CascadeEvaluator',
      rule_evaluator: part('rule_evaluator'),
      llm_evaluator: part('llm_evaluator'),
      parallel: given.get('parallel') ?? false,
    })
  },
}

function choice(session: Session, given: MutableDict): Value {
  const pattern = dict(session, { type: 'match_answer_pattern', answer_pattern: given.get('answer_pattern') ?? choicePattern })
  return dict(session, { type: 'AccEvaluator', pred_postprocessor: pattern })
}

/**
 * An entry of `chatml_datasets` as the dataset that OpenCompass makes of it: a file with chats, and one of four evaluators. Such
 * entries have neither a class nor a template. Anything else is handed back as it is.
 */
export function fromChatml(session: Session, entry: Value, file: string): Value {
  if (!isMutableDict(entry) || entry.has('infer_cfg') || entry.has('type') || !entry.has('path')) return entry
  const given = entry.get('evaluator')
  const tell = (text: string) => session.note('chatml', `"${String(entry.get('abbr'))}": ${text}`, { file, line: 1, column: 1 })
  const evaluator = evaluatorOf(session, given, tell)
  if (evaluator === undefined || evaluator === given || !isMutableDict(evaluator)) return entry
  const own = new Set(['evaluator', 'test_range'])
  // A rule has its postprocessor beside it; in a cascade it has it inside.
  const postprocessor = evaluator.get('pred_postprocessor')
  evaluator.delete('pred_postprocessor')
  return dict(session, {
    ...Object.fromEntries([...entry].filter(([key]) => !own.has(String(key))).map(([key, value]) => [String(key), value])),
    type: 'ChatMLDataset',
    reader_cfg: dict(session, { input_columns: ['question'], output_column: 'answer', test_range: entry.get('test_range') }),
    infer_cfg: dict(session, {
      prompt_template: dict(session, { messages: [dict(session, { expand_column: 'chatml_question' })] }),
      retriever: dict(session, { type: 'ZeroRetriever' }),
      inferencer: dict(session, { type: 'GenInferencer' }),
    }),
    eval_cfg: dict(session, { evaluator, pred_postprocessor: postprocessor }),
  })
}

/** The evaluator that a name stands for; what is given where there is none. */
function evaluatorOf(session: Session, given: Value | undefined, tell: (text: string) => void): Value | undefined {
  if (given === undefined || !isMutableDict(given)) return given
  const name = given.get('type')
  return typeof name === 'string' && Object.hasOwn(evaluators, name) ? evaluators[name]!(session, given, tell) : given
}

function dict(session: Session, entries: Entries): MutableDict {
  return newDict(
    session,
    Object.entries(entries).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const])),
  )
}
