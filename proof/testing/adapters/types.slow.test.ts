import { execFile } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { programTimeout } from '../run-program.ts'
import { consumer, missingPeers } from './consumer.ts'

// Our declarations fit the real types of the frameworks, and misspelt options are type errors.

const program = `import { readReplies, rolecall } from '@rolecall/adapters/ai-sdk'
import { ChatRolecall } from '@rolecall/adapters/langchain'
import { chatWrapper } from '@rolecall/adapters/node-llama-cpp'
import '@rolecall/adapters/vitest'
import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { type LanguageModel, wrapLanguageModel } from 'ai'
import type { ChatWrapper } from 'node-llama-cpp'
import { defineModel, openServer, renderPrompt } from 'rolecall'
import { expect } from 'vitest'

const engine = openServer(defineModel('chatml'), { baseURL: 'http://127.0.0.1:1/v1' })
export const model: LanguageModel = rolecall(engine)
export const wrapped: LanguageModel = wrapLanguageModel({ model: rolecall(engine), middleware: readReplies('hermes') })
export const chat: Pick<BaseChatModel, 'stream' | '_llmType'> = new ChatRolecall({ engine })
export const wrapper: ChatWrapper = chatWrapper(engine.model)
expect(renderPrompt(engine.model, [])).toFitIn(10)
expect(renderPrompt(engine.model, [])).toHaveControlOnlyFrom('format')
// @ts-expect-error a misspelt option
rolecall(engine, { variable: {} })
// @ts-expect-error a misspelt option
new ChatRolecall({ engine, max_tokens: 1 })
// @ts-expect-error nobody called writer writes prompts
expect(renderPrompt(engine.model, [])).toHaveControlOnlyFrom('writer')
`
const missing = missingPeers('ai', '@langchain/core', 'node-llama-cpp')
const tsc = fileURLToPath(new URL('../../../node_modules/typescript-native/bin/tsc', import.meta.url))
const flags = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2023', '--types', 'node']

describe.skipIf(missing.length > 0)(`types${missing.length > 0 ? `: missing ${missing.join(', ')}` : ''}`, () => {
  let folder = ''
  beforeAll(async () => {
    folder = await consumer()
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('a program with the real frameworks compiles', async () => {
    writeFileSync(join(folder, 'program.ts'), program)
    const { stdout } = await promisify(execFile)(process.execPath, [tsc, ...flags, 'program.ts'], {
      cwd: folder,
      timeout: programTimeout,
    }).catch((error: { stdout: string }) => error)
    expect(stdout).toBe('')
  })
})
