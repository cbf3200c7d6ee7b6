import type { PyDict, PyValue } from '../../../packages/core/src/base/python/index.ts'
import type { PythonHost } from '../../../packages/rolecall/src/python/host/python-host.ts'

export function partOne(_vector: PyDict, _host: PythonHost): (() => Promise<PyValue>) | undefined {
  return undefined
}
