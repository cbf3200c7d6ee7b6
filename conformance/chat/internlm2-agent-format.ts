import { type ChatMessage, type ChatToolCall, type ModelConfig, promptText, readTranscript, renderChat } from '../../src/index.ts'
import { dictGet, isDict, isList, type PyDict, type PyValue, stringifyJson } from '../../src/python/index.ts'
import type { Verdict } from '../judge.ts'
import { type Outcome, outcomeOf } from '../outcome.ts'
import type { Suite } from '../suites.ts'

/**
 * Document 004: what lagent sends for the steps of an agent. Its instructions are prose of its own, which we are given; who
 * says what, the calls and the results are ours to write.
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
      : judgeSaid(memoryOf(memory), instructions, prompt, memory.some(isMisread) ? memoryOf(memory, true) : undefined)
  },
}

function judgeSaid(
  said: readonly ChatMessage[],
  instructions: readonly PyDict[],
  expected: PyValue | undefined,
  misread?: readonly ChatMessage[],
): Verdict {
  const write = (messages: readonly ChatMessage[]): Outcome =>
    outcomeOf(() => {
      // lagent ends every call with a newline, and adds the head of the answer unless an answer is there.
      const model: ModelConfig = { format: 'internlm2', format_options: { bos: 'none', end_newlines: ['plugin-call', 'code-call'] } }
      const want = messages.at(-1)?.role === 'assistant' ? 'complete' : 'generate'
      return promptText(renderChat({ messages: [...(instructions as unknown as ChatMessage[]), ...messages] }, model, { want }))
    })
  const ours = write(said)
  if (expected === undefined) return 'error' in ours ? { kind: 'passed' } : { kind: 'failed', why: 'the reference fails' }
  if ('value' in ours && ours.value === expected) return { kind: 'passed' }
  const imitated = misread && write(misread)
  if (imitated && 'value' in imitated && imitated.value === expected) return { kind: 'deviation', rule: 'internlm2-bad-call-omitted' }
  const given = 'value' in ours ? JSON.stringify(ours.value) : ours.error.message
  return { kind: 'failed', why: `we give ${given}, expected ${JSON.stringify(expected)}` }
}

/** lagent 0.2.4: `language` and the `tool` after it are one turn of the assistant. */
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

/** It writes arguments anew, with ASCII escapes; text it writes as it is. */
function callOf(name: string, content: PyValue): ChatToolCall {
  const raw = typeof content === 'string' ? content : stringifyJson(content)
  if (name === 'plugin') return { name: '', raw }
  if (name === 'interpreter') return { type: 'code_interpreter', code_interpreter: { input: raw }, raw }
  return { type: name } as unknown as ChatToolCall
}

/** lagent's newer memory: replies of the model as text, and what the executor answers. */
function memoryOf(memory: readonly PyDict[], omitsMisread = false): ChatMessage[] {
  return memory.flatMap((entry, index): ChatMessage[] => {
    const content = String(dictGet(entry, 'content'))
    const before = memory[index - 1]
    switch (dictGet(entry, 'sender')) {
      case 'me':
        return omitsMisread && isMisread(entry) ? [] : readTranscript(`<|im_start|>assistant\n${content}<|im_end|>\n`).messages
      case 'ActionExecutor':
        return [{ role: omitsMisread && before && isMisread(before) ? 'environment' : 'tool', content }]
      default:
        return [{ role: 'user', content }]
    }
  })
}

/** lagent's parser wants JSON and a newline behind the end marker of a call. */
function isMisread(entry: PyDict): boolean {
  const content = String(dictGet(entry, 'content'))
  const body = /<\|action_start\|><\|plugin\|>\n([\s\S]*)$/.exec(content)?.[1]
  if (dictGet(entry, 'sender') !== 'me' || body === undefined) return false
  try {
    return !body.endsWith('<|action_end|>\n') || typeof JSON.parse(body.slice(0, -'<|action_end|>\n'.length)) !== 'object'
  } catch {
    return true
  }
}

function isSystem(message: PyDict): boolean {
  return dictGet(message, 'role') === 'system'
}

function dictsOf(value: PyValue | undefined): PyDict[] {
  return isList(value) ? value.filter(isDict) : []
}
