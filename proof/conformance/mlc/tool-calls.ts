import { dictGet, isDict, isList, type PyValue } from '../../../packages/core/src/base/python/index.ts'
import { parseBareCalls } from '../../../packages/core/src/reply/index.ts'
import type { MlcSubject, MlcVector } from './vector.ts'

type Calls = { isUsable: boolean; calls: { name: PyValue; arguments: PyValue }[] }

/** Calls without marks, parsed from a complete reply. If MLC fails (an exception, or `finish_reason: error`), the call is malformed. */
export function toolCallsSubject(vector: MlcVector): Omit<MlcSubject, 'again'> {
  return {
    vector,
    expected: vector.source === 'web-llm' ? webCalls(vector.expected) : mlcCalls(vector.expected),
    produce: (): Calls => {
      const calls = parseBareCalls(vector.output ?? '')
      const usable = calls.filter((call) => call.kind === 'call')
      // MLC treats an empty list as an error; WebLLM treats it as no call.
      const isUsable = usable.length === calls.length && (calls.length > 0 || vector.source === 'web-llm')
      return !isUsable
        ? { isUsable, calls: [] }
        : { isUsable, calls: usable.map(({ name, arguments: given }) => ({ name, arguments: given })) }
    },
  }
}

function mlcCalls(expected: PyValue | undefined): Calls {
  const calls = isDict(expected) ? dictGet(expected, 'tool_calls') : undefined
  const isUsable = isDict(expected) && dictGet(expected, 'finish_reason') === 'tool_calls'
  return { isUsable, calls: isList(calls) ? calls.map(callOf) : [] }
}

function webCalls(expected: PyValue | undefined): Calls {
  if (!isList(expected)) return { isUsable: false, calls: [] }
  return { isUsable: true, calls: expected.map((one) => callOf(isDict(one) ? dictGet(one, 'function')! : one)) }
}

/** WebLLM returns arguments as JSON text; their parsed value is compared. */
function callOf(call: PyValue): Calls['calls'][number] {
  if (!isDict(call)) throw new Error('a call is an object')
  const given = dictGet(call, 'arguments')!
  return { name: dictGet(call, 'name')!, arguments: typeof given === 'string' ? (JSON.parse(given) as PyValue) : given }
}
