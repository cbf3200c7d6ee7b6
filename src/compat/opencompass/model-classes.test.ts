import { expect, test } from 'vitest'
import { foreignModelOf, foreignModels, writesChatTemplate } from './model-classes.ts'

test('no class stands in two lines', () => {
  const names = foreignModels.flatMap(({ classes }) => classes)
  expect(new Set(names).size).toBe(names.length)
})

test.each(['VLLMwithChatTemplate', 'opencompass.models.HuggingFacewithChatTemplate', 'MyModelwithChatTemplate'])(
  '%s writes prompts by the chat template',
  (type) => expect(writesChatTemplate(type)).toBe(true),
)

test.each(['VLLM', 'HuggingFaceBaseModel', 'openai', undefined])('%s does not', (type) => expect(writesChatTemplate(type)).toBe(false))

test('a class is found with its module', () => {
  expect(foreignModelOf('opencompass.models.VLLM')?.writes).toBe('meta-template')
  expect(foreignModelOf('embedded')).toBeUndefined()
})
