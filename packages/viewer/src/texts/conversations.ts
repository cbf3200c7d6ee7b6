import type { ComponentChildren } from 'preact'
import type { Speaker } from '../conversations/speakers.ts'
import { counted, showNumber } from './numbers.ts'
import { translated } from './translated.ts'

type ConversationTexts = {
  about: string
  conversation: string
  format: (name: string) => string
  tools: (count: number) => string
  interpreter: string
  messages: (count: number) => string
  legend: string
  speakers: Record<Speaker, string>
  answers: (id: ComponentChildren) => ComponentChildren
  reasoning: string
  calls: (name: ComponentChildren) => ComponentChildren
  runsCode: string
  toolError: string
  sent: (read: number, written: number, finish: string) => string
  finishes: Record<string, string>
  modelWrote: string
  tokenIds: (count: number) => string
}

/** Saved conversations. */
export const conversationTexts = translated<ConversationTexts>(
  {
    about: 'A saved conversation: messages, tool calls and results, and each prompt that was sent.',
    conversation: 'conversation',
    format: (name) => `format ${name}`,
    tools: (count) => counted(count, 'tool', 'tools'),
    interpreter: 'a code interpreter',
    messages: (count) => counted(count, 'message', 'messages'),
    legend: 'who wrote what',
    speakers: { system: 'system', user: 'user', assistant: 'the model', tool: 'tool', format: "the model's format" },
    answers: (id) => ['answers ', id],
    reasoning: 'reasoning',
    calls: (name) => ['calls ', name],
    runsCode: 'runs code',
    toolError: '✗ error',
    sent: (read, written, finish) =>
      `prompt and output: ${counted(read, 'prompt token', 'prompt tokens')}, ${showNumber(written)} generated, ${finish}`,
    finishes: { stop: 'finished', length: 'truncated at the token limit', aborted: 'stopped by the user' },
    modelWrote: 'the model wrote',
    tokenIds: (count) => `${counted(count, 'token', 'tokens')} without recorded text`,
  },
  {
    about: '保存的对话：消息、工具调用及其结果，以及每次发送的提示词。',
    conversation: '对话',
    format: (name) => `${name} 格式`,
    tools: (count) => `${showNumber(count)} 个工具`,
    interpreter: '代码解释器',
    messages: (count) => `${showNumber(count)} 条消息`,
    legend: '每段文本由谁写成',
    speakers: { system: '系统', user: '用户', assistant: '模型', tool: '工具', format: '模型的格式' },
    answers: (id) => ['回应 ', id],
    reasoning: '思考过程',
    calls: (name) => ['调用 ', name],
    runsCode: '运行代码',
    toolError: '✗ 出错',
    sent: (read, written, finish) => `提示词与输出：输入 ${showNumber(read)} 个 token，生成 ${showNumber(written)} 个，${finish}`,
    finishes: { stop: '正常结束', length: '达到 token 上限被截断', aborted: '由用户停止' },
    modelWrote: '模型输出',
    tokenIds: (count) => `${showNumber(count)} 个 token，没有保留文本`,
  },
)
