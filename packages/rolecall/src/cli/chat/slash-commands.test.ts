import { describe, expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { compileChat } from '../../../../core/src/prompt/compile/compile-chat.ts'
import type { Interpreter } from '../../model/agent/interpreter.ts'
import { loadTools } from './chat-command.ts'
import { ChatSession } from './chat-session.ts'
import { runSlash } from './slash-commands.ts'

function session(interpreter?: Interpreter): ChatSession {
  const model = {
    name: 'silent',
    generate: async () => ({ text: 'Hm.', finish: 'stop' as const, tokens: { prompt: 1, reused: 0, reply: 1 }, notes: [] }),
  }
  const opened = { config: {}, model, maker: compileChat('internlm2') }
  return new ChatSession({ opened, tools: [], ...(interpreter ? { interpreter } : {}), generation: {}, history: {}, maxTurns: 3 })
}

describe('a file', () => {
  test('is rejected without an interpreter that can read it', async () => {
    await expect(runSlash('/file x', session())).rejects.toMatchObject({ code: 'no-interpreter' })
  })

  test('is passed to the interpreter, and to the model with the next message, as in document 004', async () => {
    const added: [string, number][] = []
    const interpreter = {
      name: 'i',
      isSandbox: true,
      addFile: async (path: string, data: Uint8Array) => void added.push([path, data.length]),
    }
    const chat = session(interpreter as unknown as Interpreter)
    const folder = folderWith({ 'data.csv': 'a'.repeat(10_000) })
    expect(await runSlash(`/file ${folder}/data.csv`, chat)).toContain('attached data.csv (10K)')
    for await (const _ of chat.ask('Plot it.', new AbortController().signal));
    expect(added).toEqual([['data.csv', 10_000]])
    expect(chat.messages.slice(0, 2)).toEqual([
      { role: 'user', content: 'Plot it.' },
      { role: 'user', name: 'file', content: '[{"path": "data.csv", "size": "10K"}]' },
    ])
    await expect(runSlash('/file nowhere.csv', chat)).rejects.toMatchObject({ code: 'no-file' })
  })
})

test('a loaded chat continues from its text: token ids in the file are ignored', async () => {
  const chat = session()
  const messages = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Ok.', token_ids: [5, 6] },
  ]
  const saved = { ...chat.transcript(), messages }
  await runSlash(`/load ${folderWith({ 'chat.json': JSON.stringify(saved) })}/chat.json`, chat)
  for await (const _ of chat.ask('And?', new AbortController().signal));
  const { lastPrompt: prompt } = chat
  expect(prompt?.kind === 'completion' && prompt.pieces.some((piece) => 'ids' in piece)).toBe(false)
  expect(prompt!.notes).toMatchObject([{ code: 'fields-dropped', where: 'messages[1]' }])
})

test('unknown commands get suggestions', async () => {
  await expect(runSlash('/sav x', session())).rejects.toMatchObject({ fix: 'did you mean "save"?' })
  await expect(runSlash('/save', session())).rejects.toMatchObject({ problem: 'missing path' })
  await expect(runSlash(`/load ${folderWith({ 'x.json': '[]' })}/x.json`, session())).rejects.toMatchObject({ code: 'bad-transcript' })
})

test('tools may be wrapped or bare; anything else is rejected', async () => {
  const folder = folderWith({ 'a.json': '{"tools": [{"name": "a"}, {"function": {"name": "b"}}]}', 'b.json': '[{}]', 'c.json': '5' })
  expect((await loadTools(`${folder}/a.json`)).map(({ name }) => name)).toEqual(['a', 'b'])
  await expect(loadTools(`${folder}/b.json`)).rejects.toMatchObject({ problem: 'the tool has no name' })
  await expect(loadTools(`${folder}/c.json`)).rejects.toMatchObject({ problem: 'not a list of tools' })
  await expect(loadTools(`${folder}/d.json`)).rejects.toMatchObject({ code: 'no-file' })
})
