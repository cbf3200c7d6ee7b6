import type { PythonHost } from './python-host.ts'

let current: PythonHost | undefined

/** Makes a host run users' own classes in this process, in place of the interpreter; undefined: the interpreter again. */
export function usePythonHost(host: PythonHost | undefined): void {
  current = host
}

/** The host that was asked for; undefined: the interpreter runs what it can follow. */
export function chosenPythonHost(): PythonHost | undefined {
  return current
}
