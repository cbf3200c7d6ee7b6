import {
  defineModel,
  openSession,
  parseReply,
  parseResponse,
  parseStream,
  readTokenizer,
  renderPrompt,
  renderTemplate,
} from '@rolecall/core'
import { fitExamples, fitWindow } from '@rolecall/core/datasets'
import { apiTemplateFormat, metaTemplateFormat, readChat } from '@rolecall/core/formats'
import { tokenize } from '@rolecall/core/tokenizers'
import { continueChat, trainingRow, trainingText } from '@rolecall/core/training'
import { expect, test } from 'vitest'
import { promptLines } from '../../packages/adapters/src/vitest.ts'
import { ResponseStream } from '../../packages/core/src/index.ts'
import { replayModel, runAgent } from '../../packages/rolecall/src/agents.ts'
import { Bm25Index } from '../../packages/rolecall/src/datasets.ts'
import { defineTool, loadModel, openLocalModel, openServer, runTask, task } from '../../packages/rolecall/src/index.ts'
import { nodeClient, openMcpTools, openRun, readRows, redisQueue } from '../../packages/rolecall/src/node.ts'
import { comparePaired } from '../../packages/rolecall/src/scores.ts'
import { diffPrompts } from '../../packages/rolecall/src/templates.ts'
import { itemsOf } from './items-of.ts'

// A misspelt option must not be ignored: every function below is given one, beside what it needs.

const model = defineModel('chatml')
const messages = [{ role: 'user', content: 'Hi' }]
const question = defineModel('plain')
const known = { tokenizer: {} as never, format: model.format }

/** Each function with options, called with a key that it does not know. */
const calls: Readonly<Record<string, (misspelt: never) => unknown>> = {
  defineModel: (options) => defineModel({ format: 'chatml', ...(options as object) }),
  openSession: (options) => openSession(model, options),
  parseReply: (options) => parseReply('hermes', 'Hi', options),
  parseStream: (options) => itemsOf(parseStream('hermes', ['Hi'], options)),
  parseResponse: (options) => parseResponse('Hi', { fields: {} }, { prefix: '', ...(options as object) }),
  ResponseStream: (options) =>
    new ResponseStream({ start_anchor: 'bot: ', fields: { content: { close: '</s>' } } }, { prefix: '', ...(options as object) }),
  readTokenizer: (options) => readTokenizer('{}', options),
  renderPrompt: (options) => renderPrompt(model, messages, options),
  renderTemplate: (options) => renderTemplate('x', {}, options),
  readChat: (options) => readChat({ messages }, options),
  metaTemplateFormat: (options) => metaTemplateFormat({ round: [{ role: 'BOT', generate: true }] }, options),
  apiTemplateFormat: (options) => apiTemplateFormat({ round: [{ role: 'BOT', api_role: 'BOT', generate: true }] }, options),
  tokenize: (options) => tokenize(renderPrompt(question, messages).rendered as never, known.tokenizer, options),
  fitExamples: (options) => fitExamples({ examples: [], limit: 1, render: String, count: () => 1, ...(options as object) }),
  fitWindow: (options) => fitWindow({ prefix: [], all: [], lastRound: [] } as never, options),
  continueChat: (options) =>
    continueChat({ messages, promptIds: [], replyIds: [] }, messages[0]!, [], { ...known, ...(options as object) }),
  trainingRow: (options) => trainingRow({ messages }, { ...known, ...(options as object) }),
  trainingText: (options) => trainingText({ messages }, model.format, options),
  task: (options) => task({ data: [], prompt: '', model: 'embedded', score: () => 1, ...(options as object) } as never),
  runTask: (options) => runTask({} as never, options),
  loadModel: (options) => loadModel('nowhere', options),
  openServer: (options) => openServer(model, { baseURL: 'http://127.0.0.1:9/v1', name: 'm', ...(options as object) }),
  openLocalModel: (options) => openLocalModel('embedded', options),
  runAgent: (options) => itemsOf(runAgent({ model: { name: 'm' } as never, format: 'chatml', messages, ...(options as object) })),
  replayModel: (options) => replayModel({ steps: [] } as never, options),
  defineTool: (options) => defineTool({ name: 't', description: '', parameters: {}, run: () => 1, ...(options as object) } as never),
  redisQueue: (options) => redisQueue('redis://127.0.0.1:9', options),
  openMcpTools: (options) => openMcpTools({ servers: {}, ...(options as object) }),
  nodeClient: (options) => nodeClient(options),
  readRows: (options) => itemsOf(readRows('nowhere.jsonl', options)),
  openRun: (options) => openRun('nowhere', options),
  Bm25Index: (options) => new Bm25Index([['a']], options),
  comparePaired: (options) => comparePaired([1], [1], options),
  diffPrompts: (options) => diffPrompts([], options),
  promptLines: (options) => promptLines(renderPrompt(model, messages), options),
}

test.each(Object.entries(calls))('%s refuses an option that it does not know, by name', async (_, call) => {
  const misspelt = { misspeltOption: 1 } as never
  await expect((async () => call(misspelt))()).rejects.toThrow(/misspeltOption/)
})
