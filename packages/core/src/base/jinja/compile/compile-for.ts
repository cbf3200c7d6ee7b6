import { itemsOf } from '../../python/values/sequence.ts'
import { Sink } from '../../python/values/text.ts'
import type { Generator, Value } from '../../python/values/value.ts'
import { LoopContext, type Recurse } from '../runtime/loop.ts'
import type { Runtime } from '../runtime/runtime.ts'
import type { JinjaStatement, JinjaTarget } from '../syntax/jinja-ast.ts'
import { compileDecision, compileExpression } from './compile-expression.ts'
import { compileBody } from './compile-statement.ts'
import { compileAssignment, compileEntry } from './compile-variable.ts'
import type { CompileFrame } from './context.ts'
import { breakLoop, type Execute, Frame, proceed } from './context.ts'
import { FunctionScope, readsName, Symbols } from './symbols.ts'

type For = JinjaStatement & { kind: 'for' }
/** Runs a loop over a value, in the frame of its body. */
type RunLoop = (running: Frame, iterable: Value, depth: number, recurse: Recurse | undefined) => void

export function compileFor(node: For, frame: CompileFrame): Execute {
  const iterable = compileExpression(node.iterable, frame)
  if (!node.recursive) {
    const run = compileLoop(node, frame)
    return (running) => {
      run(running, iterable(running), 0, undefined)
      return proceed
    }
  }
  // A recursive loop calls itself with other items, so every call needs fresh variables.
  const scope = new FunctionScope(frame.scope)
  const run = compileLoop(node, { ...frame, scope, toplevel: false })
  return (running) => {
    const recurse: Recurse = (runtime: Runtime, value, depth) => {
      runtime.enter()
      const outside = runtime.out
      runtime.out = new Sink()
      run(new Frame(runtime, scope, running), value, depth, recurse)
      const text = runtime.out.result()
      runtime.out = outside
      runtime.leave()
      return text
    }
    running.runtime.out.add(recurse(running.runtime, iterable(running), 0) as string)
    return proceed
  }
}

function compileLoop(node: For, frame: CompileFrame): RunLoop {
  const { template } = frame
  if (assignsTo(node.target, 'loop'))
    template.fail('TemplateAssertionError', "Can't assign to special loop variable in for-loop target", node.target)
  const usesLoop = node.recursive || readsName(node.body, 'loop')
  const symbols = new Symbols(frame.scope, frame.symbols)
  const loopSlot = usesLoop ? symbols.declareParameter('loop').slot : -1
  symbols.analyzeTarget(node.target, true)
  symbols.analyzeStatements(node.body)
  const inner: CompileFrame = { ...frame, symbols, toplevel: false, soft: false }
  const assign = compileAssignment(node.target, inner)
  const execute = compileBody(node.body, inner)
  const enter = compileEntry(symbols, inner)
  const otherwise = compileOtherwise(node, frame)
  const test = compileFilterOf(node, frame)

  return (running, iterable, depth, recurse) => {
    const { runtime } = running
    /** Of errors that have no place: reading the next item, or the loop. */
    let place: { start: number; end: number } = node.iterable
    let ran = false
    try {
      const items = itemsOf(iterable)
      const source = items === undefined ? (iterable as Generator).iterator : undefined
      const filtered = test === undefined ? source : test(running, source ?? items![Symbol.iterator]())
      const loop = new LoopContext(iterable, test === undefined ? items : undefined, filtered, recurse, depth)
      for (let value = loop.next(); value !== undefined; value = loop.next()) {
        place = node
        runtime.step()
        assign(running, value)
        if (usesLoop) running.values[loopSlot] = loop
        enter?.(running)
        const signal = execute(running)
        if (signal === breakLoop) break
        // As in Jinja2, only an iteration that completes counts.
        if (signal === proceed) ran = true
        place = node.iterable
      }
    } catch (error) {
      throw template.at(error, place)
    }
    if (!ran) otherwise?.(running)
  }
}

function assignsTo(target: JinjaTarget, name: string): boolean {
  return target.kind === 'tuple' ? target.items.some((item) => assignsTo(item, name)) : target.kind === 'name' && target.name === name
}

function compileOtherwise(node: For, frame: CompileFrame): ((running: Frame) => void) | undefined {
  if (node.otherwise.length === 0) return undefined
  const symbols = new Symbols(frame.scope, frame.symbols)
  symbols.analyzeStatements(node.otherwise)
  const inner: CompileFrame = { ...frame, symbols, toplevel: false, soft: false }
  const execute = compileBody(node.otherwise, inner)
  const enter = compileEntry(symbols, inner)
  return (running) => {
    enter?.(running)
    execute(running)
  }
}

/** `for … if …`: filters lazily, in a scope of its variables. */
function compileFilterOf(node: For, frame: CompileFrame): ((running: Frame, items: Iterator<Value>) => Iterator<Value>) | undefined {
  if (node.test === undefined) return undefined
  const symbols = new Symbols(frame.scope, frame.symbols, frame.template.freshPrefix())
  symbols.analyzeTarget(node.target, true)
  symbols.analyze(node.test)
  const inner: CompileFrame = { ...frame, symbols, toplevel: false, soft: false }
  const assign = compileAssignment(node.target, inner)
  const decide = compileDecision(node.test, inner)
  const enter = compileEntry(symbols, inner)
  return function* (running, items) {
    enter?.(running)
    for (let item = items.next(); !item.done; item = items.next()) {
      assign(running, item.value ?? null)
      if (decide(running)) yield item.value ?? null
    }
  }
}
