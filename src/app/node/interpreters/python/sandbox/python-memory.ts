/** Python's memory, to run code with nothing else, and to put back what it was. */

/** What is used of the C functions of Python and of its runtime. */
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
  /** Values of JavaScript that Python holds, by number; beyond the last they throw. */
  _hiwire_get(index: number): unknown
  _hiwire_immortal_get(index: number): unknown
}

/** Python's token for "one expression". */
const expression = 258

/** Memory that code has made Python grow by is emptied for the next code, up to so much: more is given back with the process. */
const mostGrowth = 64 * 2 ** 20

export type PythonMemory = {
  /** The value of an expression that gives a text, in which `_code` is the text given. */
  evaluate(code: string, text: string): string
  /** Makes everything as it was in the beginning; false where that cannot be. */
  restore(): boolean
}

/** Must be called when Python is ready and nothing of the code's has run. `openFiles` are the files that Python has open. */
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
      // Code always leaves a text: a Python that leaves none has died of it.
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
