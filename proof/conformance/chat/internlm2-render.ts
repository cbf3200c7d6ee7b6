import {
  dictEntries,
  dictGet,
  dictHas,
  isDict,
  isList,
  type PyDict,
  type PyValue,
  stringifyJson,
} from '../../../packages/core/src/base/python/index.ts'
import { renderChat } from '../../../packages/core/src/internal/compile.ts'
import { type Ask, type Chat, promptText } from '../../../packages/rolecall/src/formats.ts'
import type { ChatMessage, ModelConfig } from '../../../packages/rolecall/src/index.ts'
import { type Outcome, outcomeOf, show } from '../outcome.ts'
import { givesSo } from '../rules.ts'
import { type Suite, trial } from '../suite.ts'
import { failed, identical, type Verdict } from '../verdict.ts'
import { promisedChat } from './promised-chat.ts'

/** Document 004: rendering messages to text, as the document, Hugging Face, lmdeploy and lagent do. */
export const internlm2Render: Suite = {
  name: 'chat',
  recognises: (vector) => dictGet(vector, 'group') === 'internlm2-render',
  examine(vector) {
    if (!isDict(vector)) return failed('no vector')
    const input = readInput(vector)
    return trial(render(input), (ours) => judgeRender(input, ours, dictGet(vector, 'expected')))
  },
}

type Reference = 'seed' | 'hf-build-inputs' | 'lmdeploy' | 'lagent-meta'
type Input = { ref: Reference; messages: readonly PyDict[]; tools: readonly PyValue[]; options: PyDict }

function readInput(vector: PyDict): Input {
  const messages = dictGet(vector, 'messages')
  const tools = dictGet(vector, 'tools')
  const options = dictGet(vector, 'options')
  return {
    ref: dictGet(vector, 'ref') as Reference,
    // lmdeploy treats a string as the only user message.
    messages: isList(messages) ? messages.filter(isDict) : [{ role: 'user', content: messages ?? null }],
    tools: isList(tools) ? tools : [],
    options: isDict(options) ? options : {},
  }
}

/** The format options that imitate a reference's quirks, and the kind of prompt it was asked to write. */
function habitsOf({ ref, messages, options }: Input): { format_options: NonNullable<ModelConfig['format_options']>; want: Ask['want'] } {
  const last = messages.at(-1)
  const endsWithAnswer = last !== undefined && dictGet(last, 'role') === 'assistant'
  switch (ref) {
    case 'seed':
      return { format_options: { bos: 'none' }, want: dictGet(options, 'add_generation_prompt') === true ? 'generate' : 'complete' }
    case 'hf-build-inputs':
      return { format_options: { bos: dictGet(options, 'tokenizer_adds_bos') === true ? 'tokenizer' : 'in-prompt' }, want: 'generate' }
    case 'lmdeploy': {
      const given = dictGet(options, 'meta_instruction')
      const system = given === '<default>' ? dictGet(options, 'default_meta_instruction') : given
      const starts = dictGet(options, 'sequence_start') !== false
      return {
        format_options: { bos: 'tokenizer', ...(typeof system === 'string' && starts ? { system } : {}) },
        want: endsWithAnswer ? 'continue' : 'generate',
      }
    }
    case 'lagent-meta':
      return { format_options: { bos: 'none' }, want: endsWithAnswer || last === undefined ? 'complete' : 'generate' }
    default:
      return ref satisfies never
  }
}

function render(input: Input): Outcome {
  const { format_options, want } = habitsOf(input)
  // The chat reader rejects anything that is not a message.
  const chat = { messages: input.messages as unknown as ChatMessage[], tools: input.tools as object[] } satisfies Chat
  return outcomeOf(() => promptText(renderChat(chat, { format: 'internlm2', format_options }, { want })))
}

/** For each rule: whether it applies to the input, and the modified input for which Rolecall produces the reference's text. */
const quirks = {
  'internlm2-name-forges': {
    applies: ({ messages }) => messages.some((message) => isForging(dictGet(message, 'name'))),
  },
  'internlm2-name-dropped': {
    applies: ({ ref, messages }) => ref === 'lmdeploy' && messages.some((message) => isOtherName(dictGet(message, 'name'))),
    imitate: (input) => eachMessage(input, (message) => (isOtherName(dictGet(message, 'name')) ? without(message, 'name') : message)),
  },
  'internlm2-result-unnamed': {
    applies: ({ ref, messages }) => ref === 'lmdeploy' && messages.some((message) => dictGet(message, 'role') === 'tool'),
    imitate: (input) =>
      eachMessage(input, (message) => (dictGet(message, 'role') === 'tool' ? { ...asObject(message), role: 'environment' } : message)),
  },
  'internlm2-calls-dropped': {
    applies: ({ ref, messages }) => ref === 'lagent-meta' && messages.some((message) => dictHas(message, 'tool_calls')),
    imitate: (input) => eachMessage(input, (message) => without(message, 'tool_calls')),
  },
  'internlm2-tools-wrapped': {
    applies: ({ ref, tools }) => ref === 'lmdeploy' && tools.some((tool) => isDict(tool) && dictHas(tool, 'function')),
    imitate: ({ tools, messages, ...input }) => {
      const written = { role: 'system', name: 'plugin', content: stringifyJson(tools, { ensureAscii: false }) }
      const first = messages[0]
      const at = first !== undefined && dictGet(first, 'role') === 'system' ? 1 : 0
      return { ...input, tools: [], messages: [...messages.slice(0, at), written, ...messages.slice(at)] }
    },
  },
  'internlm2-first-part': {
    applies: ({ ref, messages }) => ref === 'lmdeploy' && messages.some(hasParts),
    imitate: (input) =>
      eachMessage(input, (message) => {
        const content = dictGet(message, 'content')
        return isList(content) ? { ...asObject(message), content: content.slice(0, 1) } : message
      }),
  },
} as const satisfies Record<string, { applies: (input: Input) => boolean; imitate?: (input: Input) => Input }>

const accepted = {
  'internlm2-result-role': ({ ref, messages }) =>
    messages.some((message) => dictGet(message, 'role') === 'function' || (ref === 'lagent-meta' && dictGet(message, 'role') === 'tool')),
  'internlm2-developer-role': ({ messages }) => messages.some((message) => dictGet(message, 'role') === 'developer'),
  'internlm2-no-content': ({ messages }) => messages.some((message) => (dictGet(message, 'content') ?? null) === null),
  'internlm2-parts': ({ messages }) => messages.some(hasParts),
  'internlm2-call-parameters': ({ ref, messages }) =>
    ref === 'lmdeploy' &&
    messages.some((message) => {
      const calls = dictGet(message, 'tool_calls')
      return isList(calls) && calls.some((call) => argumentsOf(call) === undefined)
    }),
  'internlm2-empty-arguments': ({ ref, messages }) =>
    ref === 'lmdeploy' &&
    messages.some((message) => {
      const calls = dictGet(message, 'tool_calls')
      return isList(calls) && calls.some((call) => String(argumentsOf(call) ?? 'x').trim() === '')
    }),
} as const satisfies Record<string, (input: Input) => boolean>

/**
 * Where the reference renders something else, imitating exactly the quirks that apply must produce its text, which proves that nothing else
 * differs; and ours must be the text that document 004 promises. Where it fails, ours must be that text as well.
 */
function judgeRender(input: Input, ours: Outcome, expected: PyValue | undefined): Verdict {
  if (expected === undefined ? 'error' in ours : 'value' in ours && ours.value === expected) return identical
  const names = expected === undefined ? acceptedFor(input) : quirksFor(input)
  const rule = names.find((name) => givesSo(name, ours))
  if (rule === undefined) return failed(`we give ${show(ours)}, expected ${JSON.stringify(expected)}; rules: ${names.join(', ') || 'none'}`)
  if ('error' in ours) return { kind: 'rule', rule }
  if (ours.value !== promised(input)) return failed(`we give ${show(ours)}, promised ${JSON.stringify(promised(input))}`)
  if (expected === undefined) return { kind: 'rule', rule }
  const imitated = render(quirksFor(input).reduce((given, name) => imitate(name, given), input))
  if ('value' in imitated && imitated.value === expected) return { kind: 'rule', rule }
  return failed(`with its quirks ${show(imitated)}, expected ${JSON.stringify(expected)}`)
}

type QuirkName = keyof typeof quirks
type AcceptedName = keyof typeof accepted

function quirksFor(input: Input): QuirkName[] {
  return (Object.keys(quirks) as QuirkName[]).filter((name) => quirks[name].applies(input))
}

function acceptedFor(input: Input): AcceptedName[] {
  return (Object.keys(accepted) as AcceptedName[]).filter((name) => accepted[name](input))
}

function imitate(name: QuirkName, input: Input): Input {
  const quirk: { applies: unknown; imitate?: (input: Input) => Input } = quirks[name]
  return quirk.imitate?.(input) ?? input
}

function promised(input: Input): string | undefined {
  const { format_options: options, want } = habitsOf(input)
  const { system } = options as { system?: string }
  const end = want === 'generate' ? 'reply' : want === 'continue' ? 'open' : 'none'
  const { messages, tools } = input
  return promisedChat({ messages, tools, bos: options.bos === 'in-prompt', end, ...(system === undefined ? {} : { system }) })
}

function isForging(name: PyValue | undefined): boolean {
  return typeof name === 'string' && !/^[A-Za-z0-9_.-]{1,64}$/.test(name)
}

function isOtherName(name: PyValue | undefined): boolean {
  return typeof name === 'string' && name !== 'plugin' && name !== 'interpreter'
}

function hasParts(message: PyDict): boolean {
  return isList(dictGet(message, 'content'))
}

function argumentsOf(call: PyValue): PyValue | undefined {
  const inner = isDict(call) ? dictGet(call, 'function') : undefined
  return isDict(inner) ? dictGet(inner, 'arguments') : undefined
}

function eachMessage(input: Input, change: (message: PyDict) => PyDict): Input {
  return { ...input, messages: input.messages.map(change) }
}

function without(message: PyDict, key: string): PyDict {
  return Object.fromEntries(dictEntries(message).filter(([name]) => name !== key))
}

function asObject(message: PyDict): Record<string, PyValue> {
  return Object.fromEntries(dictEntries(message))
}
