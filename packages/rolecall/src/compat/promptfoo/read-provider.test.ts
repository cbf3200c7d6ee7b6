import { expect, test } from 'vitest'
import { readProvider } from './read-provider.ts'

test('sampling settings of a provider are those of the model, by the names of OpenAI and of Ollama', () => {
  const config = { temperature: 0.7, top_k: 40, repeat_penalty: 1.1, presence_penalty: 0.5, num_predict: 64, mirostat: 1 }
  const leftOut: string[] = []
  const [model] = readProvider({ id: 'ollama:chat:llama3', config }, 'providers[0]', (_, text) => leftOut.push(text))
  expect(model).toMatchObject({ temperature: 0.7, top_k: 40, repetition_penalty: 1.1, presence_penalty: 0.5, max_out_len: 64 })
  expect(leftOut).toEqual(['settings mirostat'])
})
