import type { Dialect } from '../dialect.ts'
import type { Runtime } from '../runtime/runtime.ts'
import type { JinjaStatement } from '../syntax/jinja-ast.ts'
import { compileBody } from './compile-statement.ts'
import { compileEntry } from './compile-variable.ts'
import { type CompileFrame, Frame, TemplateContext } from './context.ts'
import { FunctionScope, Symbols } from './symbols.ts'

export type CompiledTemplate = {
  /** The names of a render's inputs, in order; undefined if there are none. */
  inputNames: readonly string[]
  run(runtime: Runtime): void
}

/** Compiles a template to a function: names become slots, statements closures. */
export function compileStatements(
  body: readonly JinjaStatement[],
  source: string,
  name: string,
  dialect: Dialect,
  isTraced = false,
): CompiledTemplate {
  const template = new TemplateContext(source, name, dialect, isTraced)
  template.exportsNames = hasBlocks(body)
  const scope = new FunctionScope(undefined)
  const symbols = new Symbols(scope, undefined)
  symbols.analyzeStatements(body)
  const frame: CompileFrame = { template, symbols, scope, toplevel: true, soft: false, autoescape: false }
  const execute = compileBody(body, frame)
  const enter = compileEntry(symbols, frame)
  return {
    inputNames: template.inputNames,
    run(runtime) {
      const running = new Frame(runtime, scope, undefined)
      enter?.(running)
      execute(running)
      // Charges the output since the last step.
      runtime.step(0)
    },
  }
}

function hasBlocks(body: readonly JinjaStatement[]): boolean {
  return body.some(
    (statement) =>
      statement.kind === 'block' ||
      ('body' in statement && hasBlocks(statement.body)) ||
      ('otherwise' in statement && hasBlocks(statement.otherwise)) ||
      (statement.kind === 'if' && statement.branches.some(({ body: inner }) => hasBlocks(inner))),
  )
}
