import type { PyDict, PyValue } from '../../../packages/core/src/base/python/index.ts'
import type { InterpreterHost } from '../../../packages/rolecall/src/compat/own-python/interpreter-host.ts'

export function partOne(_vector: PyDict, _host: InterpreterHost): (() => Promise<PyValue>) | undefined {
  return undefined
}
