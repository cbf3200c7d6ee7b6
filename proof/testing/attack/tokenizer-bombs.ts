import { readFileSync } from 'node:fs'
import { PromptError } from '../../../packages/core/src/base/errors/prompt-error.ts'
import { readHuggingFaceTokenizer } from '../../../packages/core/src/prompt/tokenizer/hugging-face/hugging-face-tokenizer.ts'
import { processorTimer } from '../processor-timer.ts'
import type { Attack, Chance } from './attack.ts'

/** Milliseconds of processor time for a text of 40,000 characters, on any machine. */
const promised = 4000

/** Patterns and settings of a tokenizer.json that a backtracking engine never finishes. */
export const tokenizerBombs: Attack = {
  name: 'tokenizer bombs',
  holds: `a tokenizer.json encodes 40,000 characters within ${promised / 1000} s, or is refused`,
  async run({ chance, slack, goesOn, tried, gotThrough }) {
    const embedded = JSON.parse(
      readFileSync(new URL('../../../packages/rolecall/embedded-model/tokenizer.json', import.meta.url), 'utf8'),
    ) as object
    while (goesOn()) {
      const pattern = { Regex: patternBy(chance, 3) }
      const step = chance.pick([
        { normalizer: { type: 'Replace', pattern, content: chance.pick(['', 'x', "$'", '$&$&']) } },
        { pre_tokenizer: { type: 'Split', pattern, behavior: chance.pick(['Isolated', 'Removed']), invert: chance.once(2) } },
        {
          model: {
            type: 'Unigram',
            unk_id: 0,
            vocab: [['<unk>', 0], ...tokensAlike(chance.pick(['a', ' ', 'ab', '1']), 1 + chance.number(255))],
          },
        },
        { pre_tokenizer: { type: 'FixedLength', length: chance.pick([0, -1, 0.5, 3]) } },
        { pre_tokenizer: { type: 'Metaspace', replacement: '▁'.repeat(chance.pick([1, 1000])), prepend_scheme: 'always' } },
      ])
      const text = chance.pick(['a', ' ', 'ab', 'a ', '1', '\n', '😀']).repeat(40_000).slice(0, 40_000) + chance.pick(['', '!', '\n'])
      const timer = processorTimer()
      try {
        readHuggingFaceTokenizer({ ...embedded, ...step }, {}, 'hostile.json').encodeRun(text, true, () => false)
      } catch (error) {
        if (!(error instanceof PromptError)) gotThrough(`${JSON.stringify(step)}: ${error instanceof Error ? error.stack : String(error)}`)
      }
      tried()
      const took = timer()
      if (took > promised * slack) gotThrough(`${Math.round(took)} ms for ${JSON.stringify(step)} and ${JSON.stringify(text.slice(0, 4))}…`)
      await new Promise((resolve) => setImmediate(resolve))
    }
  },
}

function patternBy(chance: Chance, depth: number): string {
  const atom = () => chance.pick(['a', 'b', ' ', '.', '[ab]', '[^b]', '\\s', '\\S', '\\w', '\\d', '\\p{L}', 'a|a', 'a|ab', '\\b', '$', '^'])
  const inner = () => (depth > 0 && chance.once(2) ? `(?:${patternBy(chance, depth - 1)})` : `(?:${atom()})`)
  const look = () => `${chance.pick(['(?=', '(?!', '(?<=', '(?<!'])}${atom()}${inner()})`
  const sign = () => chance.pick(['*', '+', '?', '*?', '+?', '{2,}', '{1,9}', '{40}', ''])
  const part = () => (chance.once(8) ? look() : `${inner()}${sign()}`)
  const parts = Array.from({ length: 1 + chance.number(5) }, part).join('')
  return chance.once(3) ? `${parts}|${part()}` : parts
}

/** Tokens that all begin alike, so that many fit at every position. */
function tokensAlike(part: string, longest: number): [string, number][] {
  return Array.from({ length: longest }, (_, index) => [part.repeat(longest).slice(0, index + 1), -1])
}
