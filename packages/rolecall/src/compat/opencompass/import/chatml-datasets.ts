import type { Value } from '@rolecall/core/internal/python'
import { isMutableDict, type MutableDict, newDict } from '../../../python/interpreter/containers.ts'
import type { Session } from '../../../python/interpreter/session.ts'

type Entries = Readonly<Record<string, Value | undefined>>

/** OpenCompass's default judge prompt is a page long; this one asks for the same verdict. */
const judgePrompt = `You grade answers. The right answer is given, so do not solve the question yourself. An answer is right if it means the same as the right one, however it is written, and if it leaves nothing of it out.

Question:
{question}

Right answer:
{answer}

Answer to grade:
{prediction}

Reply with A if the answer is right and with B if it is wrong, and with nothing else.`

/** How OpenCompass extracts a choice's letter by default. */
const choicePattern = String.raw`(?i)ANSWER\s*:\s*([A-D])`

/** The evaluators of ChatML datasets by their OpenCompass names. */
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
 * Converts an entry of `chatml_datasets` to the dataset that OpenCompass makes of it: a file with chats, and one of four
 * evaluators. These entries have neither a class nor a template. Other entries are returned unchanged.
 */
export function fromChatml(session: Session, entry: Value, file: string): Value {
  if (!isMutableDict(entry) || entry.has('infer_cfg') || entry.has('type') || !entry.has('path')) return entry
  const given = entry.get('evaluator')
  const tell = (text: string) => session.note('chatml', `"${String(entry.get('abbr'))}": ${text}`, { file, line: 1, column: 1 })
  const evaluator = evaluatorOf(session, given, tell)
  if (evaluator === undefined || evaluator === given || !isMutableDict(evaluator)) return entry
  const own = new Set(['evaluator', 'test_range'])
  // A rule's postprocessor is a sibling of the evaluator; in a cascade it is inside.
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

/** The evaluator for a name; the given value if the name is unknown. */
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
