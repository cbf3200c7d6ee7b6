import { countWords } from '../fit/count-words.ts'
import { type Fitted, fitExamples } from '../fit/fit-examples.ts'
import type { Prompt } from '../format/format.ts'
import { textOf } from '../text/index.ts'
import { tokenCounter } from '../tokenize/count-tokens.ts'
import type { Tokenizer } from '../tokenize/tokenizer.ts'
import type { InferContext, RowQuestion } from './inferencer.ts'

type Renders = (question: RowQuestion) => Prompt[]

const counters = new WeakMap<Tokenizer, Map<string, (prompt: Prompt) => number>>()

/** The prompts of a row with as many examples as `max_seq_len` leaves, the same for all of them. */
export function fitPrompts(
  { modelConfig, maker, tokenizer }: Pick<InferContext, 'modelConfig' | 'maker'> & { tokenizer?: Tokenizer },
  { row, examples }: RowQuestion,
  render: Renders,
): Fitted<Prompt[]> {
  const count = counterFor(tokenizer, maker.format.markers)
  return fitExamples({
    examples,
    limit: modelConfig.max_seq_len,
    // The list itself where nothing is left out: prompts for one list of examples are prepared once.
    render: (kept) => render({ row, examples: kept.length === examples.length ? examples : kept }),
    count: (prompts) => Math.max(...prompts.map(count)),
  })
}

/** Without the model's tokenizer words are counted, as the reference does for API models. */
function counterFor(tokenizer: Tokenizer | undefined, markers: readonly string[]): (prompt: Prompt) => number {
  if (!tokenizer) return (prompt) => countWords(wordsOf(prompt))
  const known = counters.get(tokenizer) ?? new Map<string, (prompt: Prompt) => number>()
  counters.set(tokenizer, known)
  const key = JSON.stringify(markers)
  const counter = known.get(key) ?? tokenCounter(tokenizer, markers)
  known.set(key, counter)
  return counter
}

function wordsOf(prompt: Prompt): string {
  return prompt.kind === 'chat' ? prompt.messages.map(({ content }) => textOf(content)).join('') : textOf(prompt.pieces)
}
