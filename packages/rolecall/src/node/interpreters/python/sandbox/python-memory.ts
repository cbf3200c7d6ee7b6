/** Runs code through Python's memory alone, and restores that memory. */

/** The C functions of Python and its runtime that are used. */
type Functions = {
  memory: { readonly buffer: ArrayBuffer }
  malloc(size: number): number
  free(address: number): void
  emscripten_stack_get_current(): number
  PyImport_AddModule(name: number): number
  PyModule_GetDict(module: number): number
  PyDict_SetItemString(dict: number, name: number, value: number): number
  PyUnicode_FromStringAndSize(address: number, size: number): number
  PyUnicode_AsUTF8AndSize(text: number, size: number): number
  PyRun_String(code: number, start: number, globals: number, locals: number): number
  Py_DecRef(value: number): void
  /** JavaScript values that Python holds, by index; an index past the end throws. */
  _hiwire_get(index: number): unknown
  _hiwire_immortal_get(index: number): unknown
}

/** Python's token for "one expression". */
const expression = 258

/** Growth of Python's memory that is zeroed for the next session; beyond it, the process is replaced. */
const mostGrowth = 64 * 2 ** 20

export type PythonMemory = {
  /** Evaluates an expression that returns a string; `_code` holds the given text. */
  evaluate(code: string, text: string): string
  /** Restores the initial state; false if that is impossible. */
  restore(): boolean
}

/** Must be called when Python is ready and before code runs. `openFiles` are Python's open files. */
export function pythonMemory(exported: Readonly<Record<string, unknown>>, openFiles: () => readonly unknown[]): PythonMemory {
  const python = exported as Functions
  const encoder = new TextEncoder()
  const bytes = () => new Uint8Array(python.memory.buffer)

  const withText = <Result>(text: string, use: (address: number, size: number) => Result): Result => {
    const encoded = encoder.encode(text)
    const address = python.malloc(encoded.length + 1)
    if (address === 0) throw new Error('Python has no memory left')
    const memory = bytes()
    memory.set(encoded, address)
    memory[address + encoded.length] = 0
    try {
      return use(address, encoded.length)
    } finally {
      python.free(address)
    }
  }

  const names = withText('__main__', (name) => python.PyModule_GetDict(python.PyImport_AddModule(name)))
  const outside = () => [
    python.emscripten_stack_get_current(),
    ...openFiles(),
    ...valuesOf(python._hiwire_get),
    ...valuesOf(python._hiwire_immortal_get),
  ]
  const [before, first] = [outside(), bytes().slice()]

  return {
    evaluate(code, text) {
      const value = withText(text, (address, size) => python.PyUnicode_FromStringAndSize(address, size))
      withText('_code', (name) => python.PyDict_SetItemString(names, name, value))
      const result = withText(code, (address) => python.PyRun_String(address, expression, names, names))
      const size = python.malloc(4)
      const address = result === 0 || size === 0 ? 0 : python.PyUnicode_AsUTF8AndSize(result, size)
      // The cell runner always returns a string; without one, Python has died.
      if (address === 0) throw new Error('Python gave nothing back')
      const length = new DataView(python.memory.buffer).getUint32(size, true)
      const said = new TextDecoder().decode(bytes().slice(address, address + length))
      python.free(size)
      python.Py_DecRef(result)
      return said
    },
    restore() {
      const memory = bytes()
      const now = outside()
      if (memory.length - first.length > mostGrowth) return false
      if (now.length !== before.length || now.some((value, index) => value !== before[index])) return false
      memory.set(first)
      memory.fill(0, first.length)
      return true
    },
  }
}

function valuesOf(get: (index: number) => unknown): unknown[] {
  const values: unknown[] = []
  for (;;) {
    try {
      values.push(get(values.length))
    } catch {
      return values
    }
  }
}
