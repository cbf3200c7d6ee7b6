import { check, PromptError } from '@rolecall/core/internal/errors'
import { z } from 'zod'
import type { PromptUse, ShortConfig } from './short-schema.ts'

export type ShortMessage = { role: 'system' | 'user' | 'assistant'; content: string }
export type ShortPrompt = { name: string; where: string; messages: readonly ShortMessage[] }

/** Reads a file that a config names, by its path relative to the config. */
export type ReadPromptFile = (path: string, where: string) => string

type Message = Exclude<PromptUse, string>[number]

/** The prompts of a config in the short form, each with its name. */
export function readPrompts(
  { prompt, prompts }: Pick<ShortConfig, 'prompt' | 'prompts'>,
  where: string,
  readText: ReadPromptFile,
): ShortPrompt[] {
  if (prompt !== undefined && prompts !== undefined)
    throw new PromptError('both', { where: `${where}prompt`, problem: '"prompts" is also given', fix: 'keep one of them' })
  const place = `${where}${prompt === undefined ? 'prompts' : 'prompt'}`
  const given = prompt ?? prompts
  if (given === undefined)
    throw new PromptError('missing', {
      where: place,
      problem: 'there is no prompt',
      fix: 'write what is asked, with columns in braces: prompts: "{question}"',
    })
  if (typeof given === 'string' || isChat(given)) return [readPrompt(given, undefined, place, readText)]
  if (Array.isArray(given)) {
    const several = given.map((one, index) => readPrompt(one as PromptUse, undefined, `${place}[${index}]`, readText, index + 1))
    return withDistinctNames(several)
  }
  return Object.entries(given).map(([name, one]) => readPrompt(one, name, `${place}.${name}`, readText))
}

function isChat(given: NonNullable<ShortConfig['prompts']>): given is Message[] {
  return Array.isArray(given) && given.every((one) => typeof one === 'object' && !Array.isArray(one))
}

/** A text without braces and spaces that ends like a text file names one. */
const promptFile = /^(?:file:\/\/)?([^\s{}]+\.(?:txt|md|json))$/

function readPrompt(use: PromptUse, name: string | undefined, where: string, readText: ReadPromptFile, number = 1): ShortPrompt {
  if (typeof use !== 'string') return checked({ name: name ?? `prompt-${number}`, where, messages: use.map(messageOf) })
  const path = promptFile.exec(use)?.[1]
  if (path === undefined) return checked({ name: name ?? `prompt-${number}`, where, messages: [{ role: 'user', content: use }] })
  const text = readText(path, where)
  const ownName = name ?? path.replace(/^.*[\\/]/, '').replace(/\.\w+$/, '')
  // Editors end files with a newline, which is no part of the prompt.
  const content = text.replace(/\r?\n$/, '')
  return checked({ name: ownName, where, messages: path.endsWith('.json') ? chatIn(text, path, where) : [{ role: 'user', content }] })
}

function messageOf(message: Message): ShortMessage {
  if ('role' in message) return message
  if ('system' in message) return { role: 'system', content: message.system }
  if ('user' in message) return { role: 'user', content: message.user }
  return { role: 'assistant', content: message.assistant }
}

const chatSchema = z.array(z.strictObject({ role: z.enum(['system', 'user', 'assistant']), content: z.string() })).min(1)

function chatIn(text: string, path: string, where: string): ShortMessage[] {
  let read: unknown
  try {
    read = JSON.parse(text)
  } catch {
    throw new PromptError('bad-prompt', {
      where: `${where} › ${path}`,
      problem: 'it is not JSON',
      fix: 'write [{ "role": "user", "content": "…" }]',
    })
  }
  return check(chatSchema, read, `${where} › ${path} › `)
}

function checked(prompt: ShortPrompt): ShortPrompt {
  const { messages, where } = prompt
  const misplaced = messages.findIndex(({ role }, index) => role === 'system' && index > 0)
  if (messages.at(-1)?.role === 'user' && misplaced < 0) return prompt
  throw new PromptError('bad-prompt', {
    where,
    problem: misplaced < 0 ? "its last message is not the user's" : `message ${misplaced} is a system message after others`,
    fix: misplaced < 0 ? 'end it with { user: … }, which the model answers' : 'put it first',
  })
}

function withDistinctNames(prompts: readonly ShortPrompt[]): ShortPrompt[] {
  const names = new Map<string, number>()
  return prompts.map((prompt) => {
    const count = (names.get(prompt.name) ?? 0) + 1
    names.set(prompt.name, count)
    return count === 1 ? prompt : { ...prompt, name: `${prompt.name}-${count}` }
  })
}
