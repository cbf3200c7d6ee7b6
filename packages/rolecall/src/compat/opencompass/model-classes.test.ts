import { expect, test } from 'vitest'
import { writesChatTemplate } from '../../../../core/src/prompt/format/model-class.ts'
import { modelClasses, modelClassOf } from './model-classes.ts'

test('no class is listed twice', () => {
  const names = modelClasses.flatMap(({ classes }) => classes)
  expect(new Set(names).size).toBe(names.length)
})

test('prompt/format recognizes the classes that write prompts with a chat template', () => {
  for (const { classes, writes } of modelClasses)
    for (const name of classes) expect([name, writesChatTemplate(`opencompass.models.${name}`)]).toEqual([name, writes === 'chat-template'])
})

test.each(['VLLMwithChatTemplate', 'opencompass.models.HuggingFacewithChatTemplate', 'MyModelwithChatTemplate'])(
  '%s writes prompts with the chat template',
  (type) => expect(writesChatTemplate(type)).toBe(true),
)

test.each(['VLLM', 'HuggingFaceBaseModel', 'openai', undefined])('%s does not', (type) => expect(writesChatTemplate(type)).toBe(false))

test('a class is found with its module prefix', () => {
  expect(modelClassOf('opencompass.models.VLLM')?.writes).toBe('meta-template')
  expect(modelClassOf('embedded')).toBeUndefined()
})
