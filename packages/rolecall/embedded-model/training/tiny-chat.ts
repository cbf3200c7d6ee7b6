import { readFileSync } from 'node:fs'
import { Tokenizer } from '@huggingface/tokenizers'
import { tinyChat } from '../../src/model/embedded/open-embedded.ts'
import { mostAtOnce, Transformer } from '../../src/model/embedded/transformer.ts'

export type TinyChat = {
  encode(text: string): number[]
  /** The most likely continuation, up to the end of the turn or `most` tokens. */
  generate(prompt: string, most: number): Promise<string>
  /** The log-probability of each continuation of a prompt. */
  scoreAll(prompt: string, continuations: readonly string[]): Promise<number[]>
}

const turnEnd = 7

/** Loads an exported model and its tokenizer from their files: the library's network, and nothing else of it, to measure the model alone. */
export async function loadTinyChat(folder: URL, tokenizerFile: URL): Promise<TinyChat> {
  const network = await Transformer.load(readFileSync(new URL(tinyChat.weightsFile, folder)), tinyChat.shape)
  const { vocabulary } = tinyChat.shape
  const tokenizer = new Tokenizer(JSON.parse(readFileSync(tokenizerFile, 'utf8')), {})
  const encode = (text: string): number[] => tokenizer.encode(text, { add_special_tokens: false }).ids

  /** What is expected after each of the ids, which follow the first `after` tokens of the text before. */
  function read(ids: readonly number[], after: number): Float32Array[] {
    network.shorten(after)
    const rows: Float32Array[] = []
    for (let at = 0; at < ids.length; at += mostAtOnce) {
      const logits = network.read(ids.slice(at, at + mostAtOnce))
      for (let row = 0; row < logits.length; row += vocabulary) rows.push(logits.slice(row, row + vocabulary))
    }
    return rows
  }

  return {
    encode,
    async generate(prompt, most) {
      let expected = read(encode(prompt), 0).at(-1)!
      const made: number[] = []
      while (made.length < most) {
        const next = mostLikely(expected)
        if (next === turnEnd) break
        made.push(next)
        expected = read([next], network.length)[0]!
      }
      if (made.length === 0) return '' // which the decoder refuses
      return tokenizer.decode(made, { skip_special_tokens: false, clean_up_tokenization_spaces: false })
    },
    async scoreAll(prompt, continuations) {
      const start = encode(prompt)
      const expected = read(start, 0).at(-1)!
      return continuations.map((continuation) => {
        const ids = encode(continuation)
        const rows = [expected, ...read(ids, start.length)]
        return ids.reduce((sum, id, index) => sum + logProbability(rows[index]!, id), 0)
      })
    },
  }
}

function mostLikely(row: Float32Array): number {
  let best = 0
  for (let id = 1; id < row.length; id++) if (row[id]! > row[best]!) best = id
  return best
}

function logProbability(row: Float32Array, id: number): number {
  const largest = row.reduce((left, right) => Math.max(left, right))
  return row[id]! - largest - Math.log(row.reduce((sum, value) => sum + Math.exp(value - largest), 0))
}
