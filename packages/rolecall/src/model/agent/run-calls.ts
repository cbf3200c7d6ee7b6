import { suggestName } from '@rolecall/core/internal/errors'
import { dictGet, isDict, type PyValue, stringifyJson } from '@rolecall/core/internal/python'
import type { ReplyCall, UsableCall } from '@rolecall/core/internal/reply'
import type { AgentCall, AgentEvent } from './agent-event.ts'
import { type AgentTool, defaultTimeLimit } from './agent-tool.ts'
import type { Interpreter } from './interpreter.ts'
import { plainValue } from './plain-value.ts'
import { showOutputs } from './show-outputs.ts'

/** The result of a call: the message for the model, or undefined if the caller has to answer. */
export type CallResult = { id: string; name: string; isCode: boolean; content?: string; ok: boolean }

export type CallEnvironment = {
  tools: readonly AgentTool[]
  interpreter: Interpreter | undefined
  /** The tool that runs code, in formats without an interpreter. */
  codeTool: string | undefined
  signal: AbortSignal
  emit: (event: AgentEvent) => void
}

/**
 * Runs the calls of one turn: tools concurrently, code sequentially. Every failure is reported to the model in words that help it to
 * correct the call; nothing is thrown. Results keep the order of the calls.
 */
export async function runCalls(calls: readonly ReplyCall[], ids: readonly string[], environment: CallEnvironment): Promise<CallResult[]> {
  let lastCode: Promise<unknown> = Promise.resolve()
  const running = calls.map((call, index) => {
    const id = ids[index]!
    const code = codeOf(call, environment.codeTool)
    if (code === undefined) return runCall(call, id, environment)
    const mine = lastCode.then(() => runCode(code, id, environment))
    lastCode = mine
    return mine
  })
  const results: CallResult[] = []
  for (const result of running) {
    const { id, name, content, ok } = await result
    if (content !== undefined) environment.emit({ type: 'result', id, name, content, ok })
    results.push(await result)
  }
  return results
}

/** A call as tools receive it. */
export function agentCall({ name, arguments: given, argumentsText }: UsableCall, id: string): AgentCall {
  return { id, name, arguments: plainValue(given), argumentsText }
}

/** The code that a call runs; undefined for calls of other tools. */
export function codeOf(call: ReplyCall, codeTool: string | undefined): string | undefined {
  if (call.kind === 'code') return call.code
  if (call.kind !== 'call' || call.name !== codeTool || call.problems?.length) return undefined
  const code = isDict(call.arguments) ? dictGet(call.arguments, 'code') : undefined
  return typeof code === 'string' ? code : undefined
}

async function runCall(call: ReplyCall, id: string, environment: CallEnvironment): Promise<CallResult> {
  const name = call.kind === 'code' ? 'interpreter' : (call.name ?? '')
  const failed = (problem: string): CallResult => {
    environment.emit({ type: 'problem', problem, sentToModel: true })
    return { id, name, isCode: false, content: errorText(problem), ok: false }
  }
  if (call.kind === 'code') return failed('there is no code interpreter')
  if (call.kind === 'malformed') return failed(`the call could not be read: ${call.problem}`)
  const tool = environment.tools.find((one) => one.name === name)
  const names = environment.tools.map((one) => one.name)
  if (!tool) return failed(`there is no tool "${name}": ${names.length === 0 ? 'no tools are available' : suggestName(name, names)}`)
  if (call.problems?.length) return failed(`the arguments of ${name} are wrong: ${showProblems(call.problems)}`)
  if (!tool.run) return { id, name, isCode: false, ok: true }
  return runTool(tool, agentCall(call, id), environment, failed)
}

function showProblems(problems: NonNullable<UsableCall['problems']>): string {
  return problems.map(({ path, problem }) => (path === '' ? problem : `${path}: ${problem}`)).join('; ')
}

async function runTool(
  tool: AgentTool,
  call: AgentCall,
  { signal }: CallEnvironment,
  failed: (problem: string) => CallResult,
): Promise<CallResult> {
  const { name, timeLimit = defaultTimeLimit } = tool
  const own = new AbortController()
  const stop = () => own.abort()
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<'late' | 'aborted'>((resolve) => {
    timer = setTimeout(() => resolve('late'), timeLimit)
    own.signal.addEventListener('abort', () => resolve('aborted'), { once: true })
  })
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  try {
    const answer = Promise.resolve().then(() => tool.run!(call.arguments as never, { signal: own.signal, callId: call.id }))
    // A tool that fails after the agent stopped waiting for it must not crash the process.
    answer.catch(() => undefined)
    const first = await Promise.race([answer.then((value) => ({ value })), late])
    if (first === 'aborted') return failed(`${name} was stopped by the user`)
    if (first === 'late') return failed(`${name} did not answer within ${showTime(timeLimit)}`)
    return { id: call.id, name, isCode: false, content: resultText(first.value), ok: true }
  } catch (error) {
    return failed(`${name} failed: ${error instanceof Error ? error.message : String(error)}`)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    stop()
  }
}

async function runCode(code: string, id: string, { interpreter, signal, emit }: CallEnvironment): Promise<CallResult> {
  const name = 'interpreter'
  const failed = (problem: string): CallResult => {
    emit({ type: 'problem', problem, sentToModel: true })
    return { id, name, isCode: true, content: errorText(problem), ok: false }
  }
  if (!interpreter) return failed('there is no code interpreter')
  try {
    const { outputs, ok } = await interpreter.run(code, { signal, onOutput: (output) => emit({ type: 'output', id, output }) })
    for (const output of outputs)
      if (output.kind === 'image') emit({ type: 'image', id, path: output.path, mime: output.mime, data: output.data })
    return { id, name, isCode: true, content: showOutputs(outputs), ok }
  } catch (error) {
    return failed(`the code could not be run: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Tools answer in JSON; so do their failures. */
function errorText(problem: string): string {
  return stringifyJson({ error: problem }, { ensureAscii: false })
}

/** A tool's result as the model sees it: strings unchanged, anything else as JSON. */
export function resultText(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === undefined) return 'null'
  if (typeof value === 'bigint') return String(value)
  return stringifyJson(toPython(value), { ensureAscii: false })
}

/** What JSON.stringify would write for a value, including dates and classes with toJSON. */
function toPython(value: unknown): PyValue {
  const text = JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? inner.toString() : inner))
  return text === undefined ? null : (JSON.parse(text) as PyValue)
}

function showTime(milliseconds: number): string {
  return milliseconds < 1000 ? `${milliseconds} ms` : `${milliseconds / 1000} s`
}
