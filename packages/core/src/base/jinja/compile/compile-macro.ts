import { Sink } from '../../python/values/text.ts'
import { Markup, Undefined, type Value } from '../../python/values/value.ts'
import { Macro } from '../runtime/macro.ts'
import type { JinjaStatement, Signature } from '../syntax/jinja-ast.ts'
import { compileExpression } from './compile-expression.ts'
import { compileBody } from './compile-statement.ts'
import { compileEntry } from './compile-variable.ts'
import type { CompileFrame } from './context.ts'
import { type Evaluate, Frame } from './context.ts'
import { FunctionScope, readsName, Symbols } from './symbols.ts'

/** A macro or a call block: compiles to a function that creates the Macro, since it captures the variables of its definition. */
export function compileFunction(
  node: Signature & { body: readonly JinjaStatement[]; start: number; end: number },
  name: string,
  frame: CompileFrame,
): (running: Frame) => Macro {
  const { parameters, defaults, body } = node
  const scope = new FunctionScope(frame.scope)
  const symbols = new Symbols(scope, frame.symbols)
  const uses = (special: string) => readsName(body, special) && !parameters.includes(special)
  const slots = parameters.map((parameter) => symbols.declareParameter(parameter).slot)
  const shape = {
    name,
    parameters,
    usesCaller: readsName(body, 'caller') && !parameters.includes('caller'),
    usesKwargs: uses('kwargs'),
    usesVarargs: uses('varargs'),
  }
  if (shape.usesCaller) slots.push(symbols.declareParameter('caller').slot)
  if (shape.usesKwargs) slots.push(symbols.declareParameter('kwargs').slot)
  if (shape.usesVarargs) slots.push(symbols.declareParameter('varargs').slot)
  for (const value of defaults) symbols.analyze(value)
  symbols.analyzeStatements(body)

  const inner: CompileFrame = { ...frame, scope, symbols, toplevel: false, soft: false }
  const firstDefault = parameters.length - defaults.length
  const missing = parameters.map((parameter, index): Evaluate => {
    const value = defaults[index - firstDefault]
    if (value !== undefined) return compileExpression(value, inner)
    return () => new Undefined(() => `parameter '${parameter}' was not provided`)
  })
  const execute = compileBody(body, inner)
  const enter = compileEntry(symbols, inner)
  const { template, autoescape } = frame

  return (outer) =>
    new Macro(shape, (runtime, values) => {
      try {
        runtime.enter()
      } catch (error) {
        throw template.at(error, node)
      }
      const running = new Frame(runtime, scope, outer)
      const outside = runtime.out
      runtime.out = new Sink()
      for (let index = 0; index < slots.length; index++) running.values[slots[index]!] = values[index]
      enter?.(running)
      for (let index = 0; index < missing.length; index++)
        if (running.values[slots[index]!] === undefined) running.values[slots[index]!] = missing[index]!(running)
      execute(running)
      const text: Value = runtime.out.result()
      runtime.out = outside
      runtime.leave()
      return autoescape ? new Markup(text) : text
    })
}
