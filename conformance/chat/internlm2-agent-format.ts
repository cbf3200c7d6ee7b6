import { dictGet, isDict, isList, type PyDict, type PyValue, parseJson, pyStr, stringifyJson } from '../../src/base/python/index.ts'
import { type ChatMessage, type ChatToolCall, type ModelConfig, promptText, readTranscript, renderChat } from '../../src/index.ts'
import type { InternLM2RuleName } from '../../src/prompt/format/internlm2/internlm2-fidelity.ts'
import type { Verdict } from '../judge.ts'
import { type Outcome, outcomeOf } from '../outcome.ts'
import type { Suite } from '../suite.ts'

/**
 * Document 004: what lagent sends for agent steps. The vectors provide lagent's instructions, which are free prose; Rolecall
 * writes the roles, the calls and the results.
 */
export const internlm2AgentFormat: Suite = {
  name: 'chat',
  recognises: (vector) => dictGet(vector, 'group') === 'internlm2-agent-format',
  judge(vector) {
    if (!isDict(vector)) return { kind: 'failed', why: 'no vector' }
    const expected = dictGet(vector, 'expected')
    const prompt = isDict(expected) ? dictGet(expected, 'prompt') : undefined
    const instructions = isDict(expected) ? dictsOf(dictGet(expected, 'messages')).filter(isSystem) : []
    const steps = dictsOf(dictGet(vector, 'steps'))
    const memory = dictsOf(dictGet(vector, 'memory'))
    return steps.length > 0
      ? judgeSaid(stepsOf(steps), instructions, prompt)
      : judgeSaid(memoryOf(memory), instructions, prompt, { messages: asLagentWrites(memory), rule: ruleFor(memory) })
  },
}

function judgeSaid(
  said: readonly ChatMessage[],
  instructions: readonly PyDict[],
  expected: PyValue | undefined,
  theirs?: { messages: readonly ChatMessage[]; rule: InternLM2RuleName | undefined },
): Verdict {
  const write = (messages: readonly ChatMessage[]): Outcome =>
    outcomeOf(() => {
      // lagent ends every call with a newline, and adds the answer's header unless there already is an answer.
      const model: ModelConfig = { format: 'internlm2', format_options: { bos: 'none', end_newlines: ['plugin-call', 'code-call'] } }
      const want = messages.at(-1)?.role === 'assistant' ? 'complete' : 'generate'
      return promptText(renderChat({ messages: [...(instructions as unknown as ChatMessage[]), ...messages] }, model, { want }))
    })
  const ours = write(said)
  if (expected === undefined) return 'error' in ours ? { kind: 'passed' } : { kind: 'failed', why: 'the reference fails' }
  if ('value' in ours && ours.value === expected) return { kind: 'passed' }
  const imitated = theirs && write(theirs.messages)
  if (theirs?.rule && imitated && 'value' in imitated && imitated.value === expected) return { kind: 'deviation', rule: theirs.rule }
  const given = 'value' in ours ? JSON.stringify(ours.value) : ours.error.message
  return { kind: 'failed', why: `we give ${given}, expected ${JSON.stringify(expected)}` }
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
function ruleFor(memory: readonly PyDict[]): InternLM2RuleName | undefined {
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
