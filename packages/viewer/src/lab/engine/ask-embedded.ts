import { openEmbedded } from 'rolecall/internal/model/embedded/open-embedded'
import { columnModel } from './columns.ts'
import type { Answers, ColumnQuestion, Conversation } from './contract.ts'
import { promptOf } from './draw-prompts.ts'

/** Sends exactly this prompt to the embedded model, in the page. */
export async function askEmbedded(column: ColumnQuestion, said: Conversation): Promise<Answers['ask']> {
  const model = await columnModel({ ...column, tokenizer: undefined })
  const prompt = promptOf(model, column, said)
  const [weights, tokenizer] = await Promise.all([read('embedded/model.safetensors'), read('embedded/tokenizer.json')])
  const files = { weights: new Uint8Array(await weights.arrayBuffer()), tokenizer: (await tokenizer.json()) as unknown }
  const language = await openEmbedded(files, { format: model.format })
  const { text, finish } = await language.generate(prompt.rendered, { maxTokens: 64 })
  return { text, finish }
}

async function read(path: string): Promise<Response> {
  const response = await fetch(new URL(path, self.location.href))
  if (!response.ok) throw new Error(`${path}: status ${response.status}`)
  return response
}
