import type { QuickJSWASMModule } from 'quickjs-emscripten-core'

/** A JavaScript function from a config: the body of one, or a file that exports one. */
export type JavaScript =
  | { kind: 'body'; code: string; parameters: readonly string[] }
  | { kind: 'file'; code: string; name?: string | undefined }

/** What a call came to. */
export type JavaScriptResult = { value: unknown } | { problem: string }

const megabytes = 64
/** Less than the thread's own stack holds: an overflow is then an error in the sandbox. */
const stackBytes = 128 * 1024
const defaultMilliseconds = 2_000
/** Longer results are no verdicts and no prompts. */
const mostCharacters = 4_000_000

/** Functions may log; nothing shows it. */
const silentConsole = 'globalThis.console = new Proxy({}, { get: () => () => {} })'

let opened: QuickJSWASMModule | undefined

/** Loads the sandbox; calls need it. */
export async function openJavaScript(): Promise<void> {
  if (opened) return
  const [core, variant] = await Promise.all([import('quickjs-emscripten-core'), import('@jitl/quickjs-wasmfile-release-sync')])
  // Its declarations describe the CommonJS build, whose default is one level deeper.
  const loaded = variant.default
  opened ??= await core.newQuickJSWASMModuleFromVariant('default' in loaded ? loaded.default : loaded)
}

/**
 * Calls a function in a fresh interpreter without files, network, clock of ours or memory of earlier calls; its time and memory are limited.
 * Arguments and result are JSON.
 */
export function callJavaScript(
  javascript: JavaScript,
  args: readonly unknown[],
  { milliseconds = defaultMilliseconds }: { milliseconds?: number } = {},
): JavaScriptResult {
  if (!opened) throw new TypeError('openJavaScript was not awaited')
  const runtime = opened.newRuntime()
  const deadline = performance.now() + milliseconds
  let isLate = false
  try {
    runtime.setMemoryLimit(megabytes << 20)
    runtime.setMaxStackSize(stackBytes)
    runtime.setInterruptHandler(() => {
      isLate ||= performance.now() > deadline
      return isLate
    })
    const context = runtime.newContext()
    try {
      evaluate(silentConsole, 'global')
      const problem = isModule(javascript) ? evaluate(moduleSource(javascript), 'module') : evaluate(scriptSource(javascript), 'global')
      if (problem !== undefined) return { problem: wordsOf(problem) }
      const called = evaluate(callSource(javascript, args), 'global')
      if (called !== undefined) return { problem: wordsOf(called) }
      const jobs = runtime.executePendingJobs()
      if (jobs.error) {
        const dumped: unknown = context.dump(jobs.error)
        jobs.error.dispose()
        return { problem: wordsOf(messageOf(dumped)) }
      }
      jobs.dispose()
      if (isLate) return { problem: wordsOf('') }
      const left = context.getProp(context.global, '__result')
      const text: unknown = context.dump(left)
      left.dispose()
      if (typeof text !== 'string') return { problem: wordsOf('its promise was not settled: nothing outside can be awaited here') }
      if (text.length > mostCharacters) return { problem: `its result has ${text.length} characters; ${mostCharacters} are read` }
      return JSON.parse(text) as JavaScriptResult
    } finally {
      context.dispose()
    }

    function evaluate(code: string, type: 'module' | 'global'): string | undefined {
      const result = context.evalCode(code, 'config.js', { type })
      if (result.error) {
        const dumped: unknown = context.dump(result.error)
        result.error.dispose()
        return messageOf(dumped)
      }
      result.value.dispose()
      return undefined
    }
  } catch (error) {
    return { problem: wordsOf(error instanceof Error ? error.message : String(error)) }
  } finally {
    disposed(() => runtime.dispose())
  }

  function wordsOf(problem: string): string {
    return isLate ? `it took more than ${milliseconds / 1000} s` : problem.slice(0, 500)
  }
}

/** An interpreter that ran out of memory cannot always be tidied; the next one is another. */
function disposed(dispose: () => void): void {
  try {
    dispose()
  } catch {
    opened = undefined
  }
}

function isModule({ kind, code }: JavaScript): boolean {
  return kind === 'file' && /^\s*(?:export|import)\b/m.test(code)
}

/** The exports are kept where the call finds them. */
function moduleSource({ code }: JavaScript): string {
  const names = [...code.matchAll(/^\s*export\s+(?:async\s+)?(?:function\*?|const|let|var|class)\s+([\w$]+)/gm)].map(([, name]) => name)
  const list = /^\s*export\s*\{([^}]*)\}/m.exec(code)?.[1] ?? ''
  const listed = list.split(',').flatMap((one) => {
    const [local = '', exported = local] = one.trim().split(/\s+as\s+/)
    return local === '' ? [] : [`${JSON.stringify(exported)}: ${local}`]
  })
  const plain = code.replace(/^(\s*)export\s+default\s+/m, '$1globalThis.__default = ')
  return `${plain}\n;globalThis.__exports = { ${[...names, ...listed].join(', ')}${names.length + listed.length > 0 ? ', ' : ''}default: globalThis.__default };`
}

function scriptSource(javascript: JavaScript): string {
  if (javascript.kind === 'body') {
    const parameters = javascript.parameters.map((name) => JSON.stringify(name)).join(', ')
    return `globalThis.__function = new Function(${parameters}${parameters === '' ? '' : ', '}${JSON.stringify(javascript.code)})`
  }
  return `(() => {
  const module = { exports: {} }
  const require = (name) => { throw new Error('require(' + JSON.stringify(name) + ') is not available in the sandbox') }
  ;(function (module, exports, require) {${javascript.code}\n})(module, module.exports, require)
  const exported = module.exports
  globalThis.__exports = typeof exported === 'function' ? Object.assign({ default: exported }, exported) : exported
})()`
}

function callSource(javascript: JavaScript, args: readonly unknown[]): string {
  const chosen =
    javascript.kind === 'body'
      ? 'globalThis.__function'
      : javascript.name === undefined
        ? '(__exports.default?.default ?? __exports.default)'
        : `(__exports[${JSON.stringify(javascript.name)}] ?? __exports.default?.[${JSON.stringify(javascript.name)}])`
  const given = JSON.stringify(JSON.stringify(args))
  return `(() => {
  const stringify = JSON.stringify
  const chosen = ${chosen}
  const done = (value) => { globalThis.__result = stringify(value === undefined ? { value: null, isUndefined: true } : { value }) }
  const failed = (error) => { globalThis.__result = stringify({ problem: String(error && error.message !== undefined ? (error.name ?? 'Error') + ': ' + error.message : error) }) }
  if (typeof chosen !== 'function') { failed(${JSON.stringify(javascript.kind === 'file' && javascript.name !== undefined ? `it exports no function ${javascript.name}` : 'it exports no function')}); return }
  try {
    const value = chosen(...JSON.parse(${given}))
    if (value !== null && typeof value === 'object' && typeof value.then === 'function') value.then(done, failed)
    else done(value)
  } catch (error) { failed(error) }
})()`
}

function messageOf(dumped: unknown): string {
  if (typeof dumped !== 'object' || dumped === null) return String(dumped)
  const { name = 'Error', message = '' } = dumped as { name?: unknown; message?: unknown }
  return `${String(name)}: ${String(message)}`
}
