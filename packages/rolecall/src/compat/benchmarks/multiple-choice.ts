import type { DatasetConfig } from '../../evaluation/config/config-schema.ts'
import type { PresetAsk } from './preset.ts'

export type ChoiceWords = {
  /** The instruction at the beginning of the prompt. */
  hint?: string
  /** The row's question with its choices. */
  question: string
  /** The text before the answer. */
  before: string
  /** How the next question begins, to stop base models that continue with one. */
  next: readonly string[]
  /** For perplexity: the text of each label; the letter by default. */
  label?: (letter: string) => string
  /** For perplexity: the question, if different. */
  pplQuestion?: string
}

const letters = ['A', 'B', 'C', 'D'] as const

/** Multiple choice with four choices: generates the letter, or compares each letter's perplexity. */
export function multipleChoice(
  words: ChoiceWords,
  { mode, shots }: PresetAsk,
): Pick<DatasetConfig, 'reader_cfg' | 'infer_cfg' | 'eval_cfg'> {
  const { hint, question, before, next, label, pplQuestion = question } = words
  const round = (asked: string, answer: string) => [
    { role: 'HUMAN', prompt: before === '' ? asked : `${asked}\n${before}` },
    { role: 'BOT', prompt: answer, own_line: true },
  ]
  const begin = [...(hint === undefined ? [] : [{ role: 'SYSTEM', fallback_role: 'HUMAN', prompt: hint }]), '</E>']
  const labelled = <Value>(make: (letter: string) => Value) => Object.fromEntries(letters.map((letter) => [letter, make(letter)]))
  const retriever = examplesFrom(shots)
  const reader = { input_columns: ['question', ...letters], output_column: 'answer' }
  if (mode === 'ppl') {
    return {
      reader_cfg: reader,
      infer_cfg: {
        ice_template: {
          template: label
            ? labelled((letter) => ({ round: round(pplQuestion, label(letter)) }))
            : { round: round(pplQuestion, '{answer}') },
        },
        prompt_template: {
          template: labelled((letter) => ({ begin, round: round(pplQuestion, label?.(letter) ?? letter) })),
          ice_token: '</E>',
        },
        // Examples with a template per label are separate texts, which OpenCompass separates with newlines.
        retriever: label && shots > 0 ? { ...retriever, ice_separator: '', ice_eos_token: '' } : retriever,
        inferencer: { type: 'PPLInferencer' },
      },
      eval_cfg: { evaluator: { type: 'AccEvaluator' } },
    }
  }
  return {
    reader_cfg: reader,
    infer_cfg: {
      ice_template: { template: { round: round(question, '{answer}') } },
      prompt_template: { template: { begin, round: round(question, '{answer}') }, ice_token: '</E>' },
      retriever,
      inferencer: { type: 'GenInferencer', base_stopping_criteria: [...next] },
    },
    eval_cfg: {
      evaluator: { type: 'AccEvaluator' },
      pred_postprocessor: { type: 'choice_answer', options: letters.join(''), choices: [...letters] },
    },
  }
}

/** The first rows of the training file, the same for every question. */
export function examplesFrom(shots: number): { type: string; fix_id_list?: number[] } {
  return shots === 0 ? { type: 'ZeroRetriever' } : { type: 'FixKRetriever', fix_id_list: Array.from({ length: shots }, (_, id) => id) }
}
