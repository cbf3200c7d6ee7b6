import { PromptError } from '../../../packages/core/src/base/errors/prompt-error.ts'
import { compileChat } from '../../../packages/core/src/prompt/compile/compile-chat.ts'
import { compilePrompt } from '../../../packages/core/src/prompt/compile/compile-prompt.ts'
import type { Row } from '../../../packages/core/src/prompt/conversation/row.ts'
import { protectionOf } from '../../../packages/core/src/prompt/tokenizer/protected-tokens.ts'
import { tokenize } from '../../../packages/core/src/prompt/tokenizer/tokenize.ts'
import type { Tokenizer } from '../../../packages/core/src/prompt/tokenizer/tokenizer.ts'
import type { DatasetConfig, ModelConfig } from '../../../packages/rolecall/src/evaluation/config/config-schema.ts'
import { loadVocabulary, vocabularies } from '../../cases/real-vocabularies.ts'
import type { Attack } from './attack.ts'
import { hostileModels, hostileText } from './injection.ts'

const example = {
  round: [
    { role: 'HUMAN', prompt: '{q}' },
    { role: 'BOT', prompt: '{a}' },
  ],
}

const generation: DatasetConfig = {
  reader_cfg: { input_columns: ['q'], output_column: 'a' },
  infer_cfg: {
    ice_template: { template: example },
    prompt_template: { template: { begin: '</E>', ...example }, ice_token: '</E>' },
  },
}

const labels: DatasetConfig = {
  reader_cfg: { input_columns: ['q'], output_column: 'a' },
  infer_cfg: {
    prompt_template: {
      template: {
        A: {
          round: [
            { role: 'HUMAN', prompt: '{q}' },
            { role: 'BOT', prompt: '{a}' },
          ],
        },
        B: {
          round: [
            { role: 'HUMAN', prompt: '{q}' },
            { role: 'BOT', prompt: 'B' },
          ],
        },
      },
    },
  },
}

/** Special tokens of a real vocabulary in every field of a row, in few-shot examples, and in the labels of a perplexity task. */
export const rowInjection: Attack = {
  name: 'row injection',
  holds: 'text of rows, examples and labels becomes no control token, in any vocabulary and format',
  async run({ chance, goesOn, tried, gotThrough }) {
    const { name } = chance.pick(vocabularies)
    const { tokenizer } = loadVocabulary(name)
    const tokens = tokenizer.addedTokens.map(({ content }) => content)
    let compared = 0
    while (goesOn()) {
      for (let turn = 0; turn < 20; turn++) {
        const model = chance.pick(hostileModels)
        const isLabel = chance.once(2)
        const rows = Array.from({ length: 3 }, () => ({ q: hostileText(chance, tokens), a: hostileText(chance, tokens) }))
        const found = countControl(model, isLabel, rows, tokenizer)
        const expected = countControl(
          model,
          isLabel,
          rows.map(() => ({ q: 'a', a: 'a' })),
          tokenizer,
        )
        tried()
        // Inputs that either side rejects cannot be compared.
        if (found === undefined || expected === undefined) continue
        compared++
        if (found !== expected)
          gotThrough(`${name}, ${JSON.stringify(model).slice(0, 80)}: ${found} control tokens, not ${expected}: ${JSON.stringify(rows)}`)
      }
      await new Promise((resolve) => setImmediate(resolve))
    }
    if (compared === 0) gotThrough('no two prompts could be compared')
  },
}

/** Undefined if the rows are rejected. */
function countControl(model: ModelConfig, isLabel: boolean, [row, ...examples]: readonly Row[], tokenizer: Tokenizer): number | undefined {
  try {
    const { prompt } = compilePrompt(model, isLabel ? labels : generation).render(
      isLabel ? { row: row!, mode: 'ppl', label: 'A' } : { row: row!, mode: 'gen', examples },
    )
    if (prompt.kind === 'chat') return undefined
    const { markers } = compileChat(model).format
    const { isProtected } = protectionOf(tokenizer, markers)
    return tokenize(prompt, tokenizer, { markers }).ids.filter(isProtected).length
  } catch (error) {
    if (error instanceof PromptError) return undefined
    throw error
  }
}
