import {
  dictGet,
  isDict,
  isList,
  type PyDict,
  type PyValue,
  parseJson,
  pyStr,
  stringifyJson,
} from '../../../packages/core/src/base/python/index.ts'
import { renderChat } from '../../../packages/core/src/internal/compile.ts'
import { promptText, readTranscript } from '../../../packages/rolecall/src/formats.ts'
import type { ChatMessage, ChatToolCall, ModelConfig } from '../../../packages/rolecall/src/index.ts'
import { type Outcome, outcomeOf, show } from '../outcome.ts'
import type { RuleName } from '../rules.ts'
import { type Suite, type Trial, trial } from '../suite.ts'
import { failed, identical } from '../verdict.ts'

/**
 * Document 004: what lagent sends for agent steps. The vectors provide lagent's instructions, which are free prose; Rolecall
 * writes the roles, the calls and the results.
 */
export const internlm2AgentFormat: Suite = {
  name: 'chat',
  recognises: (vector) => dictGet(vector, 'group') === 'internlm2-agent-format',
  examine(vector) {
    if (!isDict(vector)) return failed('no vector')
    const expected = dictGet(vector, 'expected')
    const prompt = isDict(expected) ? dictGet(expected, 'prompt') : undefined
    const instructions = isDict(expected) ? dictsOf(dictGet(expected, 'messages')).filter(isSystem) : []
    const steps = dictsOf(dictGet(vector, 'steps'))
    const memory = dictsOf(dictGet(vector, 'memory'))
    return steps.length > 0
      ? examineSaid(stepsOf(steps), instructions, prompt)
      : examineSaid(memoryOf(memory), instructions, prompt, {
          messages: asLagentWrites(memory),
          rule: ruleFor(memory),
          promised: verbatim(memory, instructions),
        })
  },
}

function examineSaid(
  said: readonly ChatMessage[],
  instructions: readonly PyDict[],
  expected: PyValue | undefined,
  theirs?: { messages: readonly ChatMessage[]; rule: RuleName | undefined; promised: string },
): Trial {
  const write = (messages: readonly ChatMessage[]): Outcome =>
    outcomeOf(() => {
      // lagent ends every call with a newline, and adds the answer's header unless there already is an answer.
      const model: ModelConfig = { format: 'internlm2', format_options: { bos: 'none', end_newlines: ['plugin-call', 'code-call'] } }
      const want = messages.at(-1)?.role === 'assistant' ? 'complete' : 'generate'
      return promptText(renderChat({ messages: [...(instructions as unknown as ChatMessage[]), ...messages] }, model, { want }))
    })
  return trial(write(said), (ours) => {
    if (expected === undefined) return 'error' in ours ? identical : failed('the reference fails')
    if ('value' in ours && ours.value === expected) return identical
    if (theirs?.rule === undefined) return failed(`we give ${show(ours)}, expected ${JSON.stringify(expected)}`)
    const imitated = write(theirs.messages)
    if (!('value' in imitated) || imitated.value !== expected)
      return failed(`as lagent writes ${show(imitated)}, expected ${JSON.stringify(expected)}`)
    if (!('value' in ours) || ours.value !== theirs.promised) return failed(`we give ${show(ours)}, promised ${theirs.promised}`)
    return { kind: 'rule', rule: theirs.rule }
  })
}

/** The memory to the letter, which is what `internlm2-bad-call-omitted` and `internlm2-call-rewritten` promise. */
function verbatim(memory: readonly PyDict[], instructions: readonly PyDict[]): string {
  let called: string | undefined
  const turns = memory.map((entry) => {
    const content = String(dictGet(entry, 'content'))
    const sender = dictGet(entry, 'sender')
    if (sender !== 'me') return [sender === 'ActionExecutor' ? `environment${called ? ` name=<|${called}|>` : ''}` : 'user', content]
    called = /<\|action_start\|><\|(plugin|interpreter)\|>/.exec(content)?.[1] ?? called
    // The format writes a newline behind a call, as lagent does.
    return ['assistant', content.replace(/<\|action_end\|>$/, '$&\n')]
  })
  const systems = instructions.map((one) => {
    const name = dictGet(one, 'name')
    return [`system${typeof name === 'string' ? ` name=<|${name}|>` : ''}`, String(dictGet(one, 'content'))]
  })
  const written = [...systems, ...turns].map(([header, content]) => `<|im_start|>${header}\n${content}<|im_end|>\n`).join('')
  return turns.at(-1)?.[0] === 'assistant' ? written : `${written}<|im_start|>assistant\n`
}

/** lagent 0.2.4 merges `language` and the `tool` after it into one assistant turn. */
function stepsOf(steps: readonly PyDict[]): ChatMessage[] {
  const messages: ChatMessage[] = []
  for (const step of steps) {
    const role = String(dictGet(step, 'role'))
    const content = dictGet(step, 'content') ?? ''
    const last = messages.at(-1)
    if (role === 'language') messages.push({ role: 'assistant', content: String(content) })
    else if (role !== 'tool') messages.push(step as unknown as ChatMessage)
    else {
      const calls = [callOf(String(dictGet(step, 'name')), content)]
      if (last?.role === 'assistant') messages[messages.length - 1] = { ...last, tool_calls: calls }
      else messages.push({ role: 'assistant', content: '', tool_calls: calls })
    }
  }
  return messages
}

/** It re-serializes arguments with ASCII escapes; text and the code of an interpreter's `command` stay as they are. */
function callOf(name: string, content: PyValue): ChatToolCall {
  const raw = typeof content === 'string' ? content : stringifyJson(content)
  if (name === 'plugin') return { name: '', raw }
  if (name !== 'interpreter') return { type: name } as unknown as ChatToolCall
  const given = isDict(content) ? (dictGet(content, 'parameters') ?? content) : undefined
  const command = isDict(given) ? dictGet(given, 'command') : undefined
  const code = typeof command === 'string' ? command : raw
  return { type: 'code_interpreter', code_interpreter: { input: code }, raw: code }
}

/** lagent's newer memory: the model's replies as text, and the executor's results. */
function memoryOf(memory: readonly PyDict[]): ChatMessage[] {
  return memory.flatMap((entry): ChatMessage[] => {
    const content = String(dictGet(entry, 'content'))
    switch (dictGet(entry, 'sender')) {
      case 'me':
        return said(content)
      case 'ActionExecutor':
        return [{ role: 'tool', content }]
      default:
        return [{ role: 'user', content }]
    }
  })
}

function said(content: string): ChatMessage[] {
  return [...readTranscript(`<|im_start|>assistant\n${content}<|im_end|>\n`).messages]
}

/** The same memory as lagent sends it: unparsable calls are dropped, others are re-serialized, and results carry the name of the last parsed call. */
function asLagentWrites(memory: readonly PyDict[]): ChatMessage[] {
  let name: string | undefined
  return memory.flatMap((entry): ChatMessage[] => {
    const content = String(dictGet(entry, 'content'))
    switch (dictGet(entry, 'sender')) {
      case 'me': {
        const read = readByLagent(content)
        if (!read.isRead) return []
        name = read.name
        return said(read.text)
      }
      case 'ActionExecutor':
        return [{ role: 'environment', content, ...(name === undefined ? {} : { name }) }]
      default:
        return [{ role: 'user', content }]
    }
  })
}

type Read = { isRead: boolean; name?: string; text: string }

/** What lagent's parsers read from a reply. A call ends at `<|action_end|>` plus a newline; without it, the call extends to the end of the reply. */
function readByLagent(reply: string): Read {
  for (const name of ['plugin', 'interpreter']) {
    const begin = `<|action_start|><|${name}|>\n`
    const [thought, after] = reply.split(begin)
    if (after === undefined) continue
    const action = after.split('<|action_end|>\n')[0]!
    const written = name === 'plugin' ? writtenAnew(action) : action
    return { isRead: written !== undefined, name, text: `${thought}${begin}${written}<|action_end|>\n` }
  }
  return { isRead: true, text: reply }
}

/** JSON as Python serializes it; undefined if the text is not JSON. */
function writtenAnew(json: string): string | undefined {
  try {
    const value = parseJson(json.trim())
    return isDict(value) ? stringifyJson(value, { ensureAscii: false }) : pyStr(value)
  } catch {
    return undefined
  }
}

/** The rule that applies to a memory: lagent cannot parse a call, or re-serializes it differently from the model. */
function ruleFor(memory: readonly PyDict[]): RuleName | undefined {
  const replies = memory.filter((entry) => dictGet(entry, 'sender') === 'me').map((entry) => String(dictGet(entry, 'content')))
  if (replies.some((reply) => !readByLagent(reply).isRead)) return 'internlm2-bad-call-omitted'
  return replies.some((reply) => readByLagent(reply).text !== reply) ? 'internlm2-call-rewritten' : undefined
}

function isSystem(message: PyDict): boolean {
  return dictGet(message, 'role') === 'system'
}

function dictsOf(value: PyValue | undefined): PyDict[] {
  return isList(value) ? value.filter(isDict) : []
}
