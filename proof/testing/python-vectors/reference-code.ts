import { dictEntries, dictGet, dictHas, type PyDict, type PyValue } from '../../../packages/core/src/base/python/index.ts'
import { filesOf, normalPath } from '../../../packages/rolecall/src/compat/opencompass/loaders/files.ts'
import { Data } from '../../../packages/rolecall/src/compat/opencompass/loaders/loader-data.ts'
import { InterpreterHost } from '../../../packages/rolecall/src/compat/own-python/interpreter-host.ts'
import { loadDataset } from '../../../packages/rolecall/src/compat/own-python/requested-rows.ts'
import { PythonFailure, type PythonHost } from '../../../packages/rolecall/src/python/host/python-host.ts'
import type { DataFiles } from '../../../packages/rolecall/src/python/interpreter/package-program.ts'
import type { ModuleCache } from '../../../packages/rolecall/src/python/interpreter/session.ts'
import { asVector } from '../../conformance/loaders/vector.ts'
import { codeFiles, readCode } from './checkout.ts'

const noData: DataFiles = { bytes: () => undefined, names: () => undefined, kind: () => undefined }

const text = (vector: PyDict, key: string) => String(dictGet(vector, key) ?? '')
const settingsOf = (args: PyDict) => (dictGet(args, 'options') ?? {}) as PyDict

/** OpenCompass's own classes and functions, from its unmodified source: the interpreter runs them, or another host. */
export class ReferenceCode {
  readonly scoringHost: PythonHost
  readonly #read: (path: string) => string | undefined
  readonly #files: readonly string[]
  readonly #cache: ModuleCache = new Map()

  constructor(root: string, host?: PythonHost) {
    this.#read = (path) => readCode(root, path)
    this.#files = [...codeFiles(root)]
    this.scoringHost = host ?? this.#interpreter(noData)
  }

  #interpreter(data: DataFiles, loading?: Data): InterpreterHost {
    return new InterpreterHost({
      read: this.#read,
      codeFiles: () => this.#files,
      data: this.#withCode(data),
      cache: this.#cache,
      ...(loading === undefined ? {} : { loadDataset: (request) => loadDataset(loading, request) }),
    })
  }

  /** Code may also read what lies beside it. */
  #withCode(data: DataFiles): DataFiles {
    return {
      bytes: (path) => data.bytes(path) ?? bytesOf(this.#read(path)),
      names: (path) => data.names(path),
      kind: (path) => data.kind(path) ?? (this.#read(path) === undefined ? undefined : 'file'),
    }
  }

  /** The result of an evaluator for the answers of a vector. */
  async evaluated(vector: PyDict): Promise<PyValue> {
    const args = dictGet(vector, 'args') as PyDict
    const object = await this.#objectOf(vector, 'evaluator')
    const rows = dictGet(args, 'testSet') as readonly PyDict[] | undefined
    return object.call({
      settings: settingsOf(args),
      predictions: dictGet(args, 'predictions') as readonly PyValue[],
      references: dictGet(args, 'references') as readonly PyValue[],
      ...(rows ? { rows } : {}),
      ...(dictHas(args, 'steps') ? { steps: dictGet(args, 'steps') as readonly PyValue[] } : {}),
      ...(dictHas(args, 'originPrompt') ? { prompts: dictGet(args, 'originPrompt') as readonly PyValue[] } : {}),
    })
  }

  /** The result of a postprocessor for the reply of a vector, or for the output of its judge. */
  async postprocessed(vector: PyDict): Promise<PyValue> {
    const args = dictGet(vector, 'args') as PyDict
    const settings = settingsOf(args)
    if (!dictHas(args, 'output')) {
      const object = await this.#objectOf(vector, 'postprocessor')
      return object.call({ text: dictGet(args, 'text') ?? null, settings })
    }
    const rows = dictGet(args, 'testSet') as readonly PyDict[] | undefined
    const object = await this.#objectOf(vector, 'dict_postprocessor')
    return object.call({ output: dictGet(args, 'output') as PyDict, settings, ...(rows ? { rows } : {}) })
  }

  /** The rows that a dataset class gives for the files of a vector. */
  async rows(json: PyDict): Promise<PyValue> {
    const vector = asVector(json)
    const host = this.#interpreter(memoryOf(vector.files), new Data(filesOf(vector.files)))
    const settings = new Map(dictEntries(vector.settings).filter(([name]) => !['abbr', 'n', 'k'].includes(name)))
    const name = dictHas(json, 'module')
      ? `${text(json, 'module')}.${vector.loader}`
      : `${text(json, 'source').replace(/^(?!opencompass)/, 'opencompass/datasets/')}:${vector.loader}`
    return host.load({ kind: 'dataset', name }).call({ settings: settings as PyDict })
  }

  /** By the file and name, else by the name that it is registered under. */
  async #objectOf<Kind extends 'evaluator' | 'postprocessor' | 'dict_postprocessor'>(vector: PyDict, kind: Kind) {
    const [op, source] = [text(vector, 'op'), text(vector, 'source')]
    const own = op.replace(/_v2$/, source.includes('_v2') ? '' : '_v2')
    let missing: unknown
    for (const name of [`${source}:${own}`, own, `${source}:${op}`, op]) {
      try {
        return await this.scoringHost.load({ kind, name })
      } catch (error) {
        if (!(error instanceof PythonFailure) || error.reason !== 'missing') throw error
        missing = error
      }
    }
    throw missing
  }
}

function bytesOf(text: string | undefined): Uint8Array | undefined {
  return text === undefined ? undefined : new TextEncoder().encode(text)
}

function memoryOf(contents: Readonly<Record<string, string | Uint8Array>>): DataFiles {
  const all = new Map(
    Object.entries(contents).map(([path, content]) => [
      normalPath(path),
      typeof content === 'string' ? new TextEncoder().encode(content) : content,
    ]),
  )
  const inside = (path: string) => (normalPath(path) === '' ? '' : `${normalPath(path)}/`)
  return {
    bytes: (path) => all.get(normalPath(path)),
    names(path) {
      const start = inside(path)
      const names = [...all.keys()].filter((file) => file.startsWith(start)).map((file) => file.slice(start.length).split('/')[0]!)
      return names.length > 0 ? [...new Set(names)].sort() : undefined
    },
    kind(path) {
      if (all.has(normalPath(path)) && !path.endsWith('/')) return 'file'
      return [...all.keys()].some((file) => file.startsWith(inside(path))) ? 'folder' : undefined
    },
  }
}
