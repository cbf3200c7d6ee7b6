import { existsSync, readFileSync } from 'node:fs'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { dictGet, isDict, isList, JsonSyntaxError, type PyValue, parseJson } from '../../../base/python/index.ts'
import type { Chat } from '../../../prompt/conversation/chat-message.ts'
import type { ExampleChat } from '../../../workbench/diff/example-chats.ts'

/** Reads chats from a JSON Lines file, named by their line numbers. */
export function readChats(path: string): ExampleChat[] {
  if (!existsSync(path)) throw badChats(path, 'file not found')
  const lines = readFileSync(path, 'utf8').split('\n')
  const chats = lines.flatMap((line, index) =>
    line.trim() === '' ? [] : [{ name: `line ${index + 1}`, chat: chatIn(line, `${path}, line ${index + 1}`) }],
  )
  if (chats.length === 0) throw badChats(path, 'no chats found')
  return chats
}

function chatIn(line: string, where: string): Chat {
  const given = jsonIn(line, where)
  if (!isDict(given) || !isList(dictGet(given, 'messages'))) throw badChats(where, 'no list of messages')
  // Messages are validated when the chat is rendered.
  return given as Chat
}

function jsonIn(line: string, where: string): PyValue {
  try {
    return parseJson(line)
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw badChats(where, `invalid JSON: ${error.message}`)
    throw error
  }
}

function badChats(where: string, problem: string): PromptError {
  return new PromptError('bad-chats', {
    where,
    problem,
    fix: 'write one chat per line: {"messages": [{"role": "user", "content": "Hi"}]}',
  })
}
