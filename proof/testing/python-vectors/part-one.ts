import { dictEntries, dictGet, dictHas, type PyDict, type PyValue } from '../../../packages/core/src/base/python/index.ts'
import { PythonFailure, type PythonHost } from '../../../packages/rolecall/src/python/host/python-host.ts'

/** Vectors whose `op` is our word for one step inside a class, or for another package. */
const isClass = /^\w*Evaluator$/

/** Runs a vector of the first scoring set by its source file; undefined where its `op` names nothing in it. */
export function partOne(vector: PyDict, host: PythonHost): (() => Promise<PyValue>) | undefined {
  const [op, source, args] = [String(dictGet(vector, 'op')), String(dictGet(vector, 'source')), dictGet(vector, 'args') as PyDict]
  const [file] = /opencompass\/[\w/]+\.py/.exec(source) ?? []
  if (file === undefined) return undefined
  if (isClass.test(op)) return dictHas(args, 'references') ? () => evaluated(host, `${file}:${op}`, args) : undefined
  if (!dictHas(args, 'text')) return undefined
  const settings = new Map(dictEntries(args).flatMap(([name, value]) => (name === 'text' ? [] : [[settingNamed(name), value] as const])))
  const names = [`${file}:${op}_postprocess`, `${file}:${op}`, op]
  return async () => {
    for (const name of names) {
      const object = await found(async () => host.load({ kind: 'postprocessor', name }))
      if (object) return object.call({ text: dictGet(args, 'text')!, settings: settings as PyDict })
    }
    throw new PythonFailure('missing', op, { where: file, problem: `no function of the name ${op}`, fix: 'none' })
  }
}

async function found<Result>(load: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await load()
  } catch (error) {
    if (error instanceof PythonFailure && error.reason === 'missing') return undefined
    throw error
  }
}

/** `stripDoubleCurlyBrace` is `strip_double_curly_brace`. */
function settingNamed(name: string): string {
  if (name === 'pattern') return 're_pattern'
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

async function evaluated(host: PythonHost, name: string, args: PyDict): Promise<PyValue> {
  const settings = new Map(
    dictEntries(args)
      .filter(([key]) => !['predictions', 'references', 'testSet', 'originPrompt'].includes(key))
      .map(([key, value]) => [settingNamed(key), value]),
  )
  const object = await host.load({ kind: 'evaluator', name })
  return object.call({
    settings: settings as PyDict,
    predictions: dictGet(args, 'predictions') as readonly PyValue[],
    references: dictGet(args, 'references') as readonly PyValue[],
    ...(dictHas(args, 'testSet') ? { rows: dictGet(args, 'testSet') as readonly PyDict[] } : {}),
    ...(dictHas(args, 'originPrompt') ? { prompts: dictGet(args, 'originPrompt') as readonly PyValue[] } : {}),
  })
}
