import { existsSync, readFileSync } from 'node:fs'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { dictGet, isDict, isList, JsonSyntaxError, type PyValue, parseJson } from '../../../base/python/index.ts'
import type { Chat } from '../../../prompt/conversation/chat-message.ts'
import type { ExampleChat } from '../../../workbench/diff/example-chats.ts'

/** The chats of a file, a line each, named by their lines. */
export function readChats(path: string): ExampleChat[] {
  if (!existsSync(path)) throw wrong(path, 'there is no such file')
  const lines = readFileSync(path, 'utf8').split('\n')
  const chats = lines.flatMap((line, index) =>
    line.trim() === '' ? [] : [{ name: `line ${index + 1}`, chat: chatIn(line, `${path}, line ${index + 1}`) }],
  )
  if (chats.length === 0) throw wrong(path, 'there is no chat in it')
  return chats
}

function chatIn(line: string, where: string): Chat {
  const given = jsonIn(line, where)
  if (!isDict(given) || !isList(dictGet(given, 'messages'))) throw wrong(where, 'there is no list of messages')
  return given as unknown as Chat
}

function jsonIn(line: string, where: string): PyValue {
  try {
    return parseJson(line)
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw wrong(where, `this is not JSON (${error.message})`)
    throw error
  }
}

function wrong(where: string, problem: string): PromptError {
  return new PromptError('bad-chats', {
    where,
    problem,
    fix: 'write a chat as JSON in each line: {"messages": [{"role": "user", "content": "Hi"}]}',
  })
}
