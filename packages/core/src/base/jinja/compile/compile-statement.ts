import { PythonError, typeError } from '../../python/python-error.ts'
import { truthy } from '../../python/values/compare.ts'
import { escapeHtml, str } from '../../python/values/repr.ts'
import { Sink, Text } from '../../python/values/text.ts'
import { Markup, strOf, typeName, type Value } from '../../python/values/value.ts'
import type { JinjaExpression, JinjaStatement } from '../syntax/jinja-ast.ts'
import { compileCall } from './compile-access.ts'
import { compileDecision, compileExpression } from './compile-expression.ts'
import { compileFor } from './compile-for.ts'
import { compileFunction } from './compile-macro.ts'
import { type Assign, compileAssignment, compileEntry } from './compile-variable.ts'
import type { CompileFrame } from './context.ts'
import { breakLoop, continueLoop, type Execute, Frame, proceed, type Signal } from './context.ts'
import { FunctionScope, Symbols } from './symbols.ts'

/** Compiles statements to one function. */
export function compileBody(body: readonly JinjaStatement[], frame: CompileFrame): Execute {
  const steps = (frame.autoescape || frame.template.isTraced ? body : mergeText(body)).map((statement) =>
    compileStatement(statement, frame),
  )
  const [first, second, third] = steps
  if (first === undefined) return () => proceed
  if (second === undefined) return first
  if (third === undefined) return (running) => first(running) || second(running)
  return (running) => {
    for (let index = 0; index < steps.length; index++) {
      const signal = steps[index]!(running)
      if (signal !== proceed) return signal
    }
    return proceed
  }
}

/** Merges adjacent literal texts of the template. */
function mergeText(body: readonly JinjaStatement[]): JinjaStatement[] {
  const merged: JinjaStatement[] = []
  for (const statement of body) {
    const text = constantText(statement)
    const last = merged.at(-1)
    if (text === undefined) merged.push(statement)
    else if (last?.kind === 'data') merged[merged.length - 1] = { ...last, text: last.text + text, end: statement.end }
    else if (text !== '') merged.push({ kind: 'data', text, start: statement.start, end: statement.end })
  }
  return merged
}

function constantText(statement: JinjaStatement): string | undefined {
  if (statement.kind === 'data') return statement.text
  const constant = statement.kind === 'output' && statement.value.kind === 'const' ? statement.value.value : undefined
  return typeof constant === 'string' ? constant : undefined
}

function compileStatement(node: JinjaStatement, frame: CompileFrame): Execute {
  const { template } = frame
  switch (node.kind) {
    case 'data': {
      const { text } = node
      const own = template.ownText(text, node)
      if (own instanceof Text)
        return ({ runtime }) => {
          runtime.out.addText(own)
          return proceed
        }
      return ({ runtime }) => {
        runtime.out.text += text
        return proceed
      }
    }
    case 'output':
      return traced(compileOutput(node.value, frame), node, frame)
    case 'set': {
      const value = compileExpression(node.value, frame)
      const assign = compileAssignment(node.target, frame)
      return (running) => {
        assign(running, value(running))
        return proceed
      }
    }
    case 'set-block': {
      const assign = compileAssignment(node.target, frame)
      return compileCapture(node.body, node.filter, frame, assign)
    }
    case 'for':
      return compileFor(node, frame)
    case 'if':
      return compileIf(node, frame)
    case 'macro': {
      const make = compileFunction(node, node.name, frame)
      const assign = compileAssignment({ kind: 'name', name: node.name, start: node.start, end: node.end }, frame)
      return (running) => {
        assign(running, make(running))
        return proceed
      }
    }
    case 'call-block': {
      const caller = compileFunction(node, 'caller', frame)
      const call = compileCall(node.call, frame, caller)
      const write = writeText(node, frame)
      return (running) => {
        write(running, call(running))
        return proceed
      }
    }
    case 'filter-block':
      return compileCapture(node.body, node.filter, frame, writeText(node, frame))
    case 'with':
      return compileWith(node, frame)
    case 'autoescape':
      return compileAutoescape(node, frame)
    case 'generation': {
      const caller = compileFunction({ ...node, parameters: [], defaults: [] }, 'caller', frame)
      return (running) => {
        const { runtime } = running
        const value = str(caller(running).call(runtime, [], undefined))
        runtime.marks.push({ at: runtime.root.length, length: typeof value === 'string' ? value.length : value.value.length })
        runtime.out.add(value)
        return proceed
      }
    }
    case 'block':
      return compileBlock(node, frame)
    case 'break':
      return () => breakLoop
    case 'continue':
      return () => continueLoop
    case 'loader':
      return () => {
        throw template.at(
          typeError(`no loader for this environment specified: a chat template stands alone, so "${node.tag}" has nothing to load`),
          node,
        )
      }
  }
}

/** In a traced template, records what a statement wrote; captured text counts for the statement that writes it. */
function traced(execute: Execute, { start, end }: JinjaStatement, { template }: CompileFrame): Execute {
  if (!template.isTraced) return execute
  return (running) => {
    const { runtime } = running
    const at = runtime.root.length
    const signal = execute(running)
    if (runtime.out === runtime.root && runtime.root.length > at) {
      runtime.written ??= []
      runtime.written.push({ start: at, end: runtime.root.length, span: [start, end] })
    }
    return signal
  }
}

function compileOutput(node: JinjaExpression, frame: CompileFrame): Execute {
  return writes(compileExpression(node, frame), frame, node)
}

function writes(value: (running: Frame) => Value, { autoescape, template }: CompileFrame, node?: JinjaExpression): Execute {
  return (running) => {
    let shown = value(running)
    if (autoescape) shown = escapeHtml(shown).text
    const { out } = running.runtime
    if (typeof shown === 'string') out.text += shown
    else if (shown instanceof Text) out.addText(shown)
    else {
      try {
        out.add(str(shown))
      } catch (error) {
        throw node === undefined ? error : template.at(error, node)
      }
    }
    return proceed
  }
}

function compileIf(node: JinjaStatement & { kind: 'if' }, frame: CompileFrame): Execute {
  const soft = { ...frame, soft: true }
  const branches = node.branches.map(({ test, body }) => ({ test: compileDecision(test, soft), body: compileBody(body, soft) }))
  const otherwise = compileBody(node.otherwise, soft)
  const [first, second] = branches
  if (second === undefined) return (running) => (first!.test(running) ? first!.body(running) : otherwise(running))
  return (running) => {
    for (let index = 0; index < branches.length; index++) if (branches[index]!.test(running)) return branches[index]!.body(running)
    return otherwise(running)
  }
}

/** Writes the result of a call or filter block; unlike `{{ … }}`, Jinja2 accepts only text from them. */
function writeText(node: JinjaStatement, { template, autoescape }: CompileFrame): Assign {
  return ({ runtime }, value) => {
    const text = strOf(autoescape ? escapeHtml(value) : value)
    if (text === undefined) throw template.at(typeError(`sequence item 0: expected str instance, ${typeName(value)} found`), node)
    runtime.out.add(text)
  }
}

/** Passes on the output of a block, through its filter if it has one; a `break` in it leaves it unfinished. */
function compileCapture(
  body: readonly JinjaStatement[],
  filter: JinjaExpression | undefined,
  frame: CompileFrame,
  finish: Assign,
): Execute {
  const symbols = new Symbols(frame.scope, frame.symbols)
  symbols.analyzeStatements(body)
  const inner = { ...frame, symbols, toplevel: false, soft: false }
  const captured = symbols.declareParameter(blockInput).slot
  if (filter !== undefined) symbols.analyze(filter)
  const execute = compileBody(body, inner)
  const filtered = filter === undefined ? undefined : compileExpression(withInput(filter), inner)
  const enter = compileEntry(symbols, inner)
  return (running) => {
    const { runtime } = running
    const outside = runtime.out
    runtime.out = new Sink()
    enter?.(running)
    const signal = execute(running)
    const text = runtime.out.result()
    runtime.out = outside
    if (signal !== proceed) return signal
    const value = frame.autoescape ? new Markup(text) : text
    running.values[captured] = value
    finish(running, filtered === undefined ? value : filtered(running))
    return proceed
  }
}

/** No template can have a variable of this name. */
const blockInput = ' block'

function withInput(filter: JinjaExpression): JinjaExpression {
  if (filter.kind !== 'filter') return filter
  const { start, end } = filter
  return { ...filter, input: filter.input === undefined ? { kind: 'name', name: blockInput, start, end } : withInput(filter.input) }
}

function compileWith(node: JinjaStatement & { kind: 'with' }, frame: CompileFrame): Execute {
  const symbols = new Symbols(frame.scope, frame.symbols)
  for (const target of node.targets) symbols.analyzeTarget(target, true)
  symbols.analyzeStatements(node.body)
  const inner = { ...frame, symbols, toplevel: false, soft: false }
  const values = node.values.map((value) => compileExpression(value, frame))
  const assigns = node.targets.map((target) => compileAssignment(target, inner))
  const execute = compileBody(node.body, inner)
  const enter = compileEntry(symbols, inner)
  return (running) => {
    enter?.(running)
    for (let index = 0; index < values.length; index++) assigns[index]!(running, values[index]!(running))
    return execute(running)
  }
}

function compileAutoescape(node: JinjaStatement & { kind: 'autoescape' }, frame: CompileFrame): Execute {
  if (node.value.kind !== 'const') frame.template.fail('TemplateSyntaxError', 'autoescape takes true or false here', node.value)
  const symbols = new Symbols(frame.scope, frame.symbols)
  symbols.analyzeStatements(node.body)
  const inner = {
    ...frame,
    symbols,
    toplevel: false,
    soft: false,
    autoescape: truthy((node.value as JinjaExpression & { kind: 'const' }).value),
  }
  const execute = compileBody(node.body, inner)
  const enter = compileEntry(symbols, inner)
  return (running) => {
    enter?.(running)
    return execute(running)
  }
}

/** A block is a function that sees only inputs and the assignments so far at the top of the template. */
function compileBlock(node: JinjaStatement & { kind: 'block' }, frame: CompileFrame): Execute {
  const scope = new FunctionScope(undefined)
  const symbols = new Symbols(scope, undefined)
  symbols.analyzeStatements(node.body)
  const inner: CompileFrame = { ...frame, scope, symbols, toplevel: false, soft: false }
  const execute = compileBody(node.body, inner)
  const enter = compileEntry(symbols, inner)
  return ({ runtime }): Signal => {
    if (node.required) throw frame.template.at(new PythonError('TemplateRuntimeError', `Required block '${node.name}' not found`), node)
    const running = new Frame(runtime, scope, undefined)
    enter?.(running)
    execute(running)
    return proceed
  }
}
