import type { Arguments, JinjaExpression, JinjaStatement, JinjaTarget } from '../syntax/jinja-ast.ts'

/** A function of the compiled template: the template itself, a macro, a call block, a recursive loop. It owns variables. */
export class FunctionScope {
  readonly #refs = new Map<string, Ref>()

  constructor(readonly parent: FunctionScope | undefined) {}

  get size(): number {
    return this.#refs.size
  }

  /** Variables with the same name and level are one, as in the Python code that Jinja2 generates. */
  ref(identifier: string): Ref {
    let ref = this.#refs.get(identifier)
    if (ref === undefined) {
      ref = { scope: this, slot: this.#refs.size, stored: false }
      this.#refs.set(identifier, ref)
    }
    return ref
  }
}

/** A variable: a slot of a function. `stored` says whether the template ever assigns to it. */
export type Ref = { readonly scope: FunctionScope; readonly slot: number; stored: boolean }

/** The initial value of a variable in its frame: an argument, an input, another variable's value, or nothing. */
export type Load = { kind: 'parameter' } | { kind: 'resolve'; name: string } | { kind: 'alias'; ref: Ref } | { kind: 'undefined' }

/**
 * Resolves a name to a variable at compile time, by the rules of Jinja2's `idtracking`: assignments in a loop are local to it, those in an
 * `if` are not, and names that are never assigned are inputs.
 */
export class Symbols {
  readonly level: number
  refs = new Map<string, Ref>()
  loads = new Map<Ref, Load>()
  stores = new Set<string>()

  constructor(
    readonly scope: FunctionScope,
    readonly parent: Symbols | undefined,
    readonly prefix = 'l',
  ) {
    this.level = parent === undefined ? 0 : parent.level + 1
  }

  findRef(name: string): Ref | undefined {
    return this.refs.get(name) ?? this.parent?.findRef(name)
  }

  findLoad(ref: Ref): Load | undefined {
    return this.loads.get(ref) ?? this.parent?.findLoad(ref)
  }

  store(name: string): void {
    this.stores.add(name)
    if (!this.refs.has(name)) {
      const outer = this.parent?.findRef(name)
      this.#define(name, outer === undefined ? { kind: 'undefined' } : { kind: 'alias', ref: outer })
    }
    this.refs.get(name)!.stored = true
  }

  declareParameter(name: string): Ref {
    this.stores.add(name)
    const ref = this.#define(name, { kind: 'parameter' })
    ref.stored = true
    return ref
  }

  load(name: string): void {
    if (this.findRef(name) === undefined) this.#define(name, { kind: 'resolve', name })
  }

  analyzeStatements(body: readonly JinjaStatement[]): void {
    for (const statement of body) this.analyzeStatement(statement)
  }

  analyzeStatement(statement: JinjaStatement): void {
    switch (statement.kind) {
      case 'output':
        this.analyze(statement.value)
        break
      case 'set':
        this.analyze(statement.value)
        this.analyzeTarget(statement.target)
        break
      case 'set-block':
        if (statement.filter !== undefined) this.analyze(statement.filter)
        this.analyzeTarget(statement.target)
        break
      case 'for':
        this.analyze(statement.iterable)
        break
      case 'if':
        this.#analyzeIf(statement.branches, statement.otherwise)
        break
      case 'macro':
        this.store(statement.name)
        break
      case 'call-block':
        this.analyze(statement.call)
        break
      case 'filter-block':
        this.analyze(statement.filter)
        break
      case 'with':
        for (const value of statement.values) this.analyze(value)
        break
    }
  }

  analyzeTarget(target: JinjaTarget, asParameter = false): void {
    if (target.kind === 'tuple') for (const item of target.items) this.analyzeTarget(item, asParameter)
    else if (target.kind === 'namespace') this.load(target.name)
    else if (asParameter) this.declareParameter(target.name)
    else this.store(target.name)
  }

  analyze(expression: JinjaExpression): void {
    for (const name of namesIn(expression)) this.load(name)
  }

  #analyzeIf(branches: readonly { test: JinjaExpression; body: readonly JinjaStatement[] }[], otherwise: readonly JinjaStatement[]): void {
    const [first, ...rest] = branches
    this.analyze(first!.test)
    const body = this.#copy()
    body.analyzeStatements(first!.body)
    const elif = this.#copy()
    for (const branch of rest) elif.#analyzeIf([branch], [])
    const last = this.#copy()
    last.analyzeStatements(otherwise)
    this.#update([body, elif, last])
  }

  /** After an `if`, variables assigned in one of its branches may have been assigned; otherwise they keep their previous value. */
  #update(branches: readonly Symbols[]): void {
    const stores = new Set<string>()
    for (const branch of branches) for (const name of branch.stores) if (!this.stores.has(name)) stores.add(name)
    for (const { refs, loads, stores: stored } of branches) {
      for (const [name, ref] of refs) this.refs.set(name, ref)
      for (const [ref, load] of loads) this.loads.set(ref, load)
      for (const name of stored) this.stores.add(name)
    }
    for (const name of stores) {
      const outer = this.parent?.findRef(name)
      this.loads.set(this.findRef(name)!, outer === undefined ? { kind: 'resolve', name } : { kind: 'alias', ref: outer })
    }
  }

  #copy(): Symbols {
    const copy = new Symbols(this.scope, this.parent, this.prefix)
    copy.refs = new Map(this.refs)
    copy.loads = new Map(this.loads)
    copy.stores = new Set(this.stores)
    return copy
  }

  #define(name: string, load: Load): Ref {
    const ref = this.scope.ref(`${this.prefix}_${this.level}_${name}`)
    this.refs.set(name, ref)
    this.loads.set(ref, load)
    return ref
  }
}

/** The names that an expression reads. */
export function namesIn(expression: JinjaExpression): Set<string> {
  const found = new Set<string>()
  // Without recursion: a template may add thousands of texts.
  const rest: (JinjaExpression | undefined)[] = [expression]
  while (rest.length > 0) {
    const next = rest.pop()
    if (next === undefined) continue
    if (next.kind === 'name') found.add(next.name)
    for (const part of partsOf(next)) rest.push(part)
  }
  return found
}

/** The subexpressions of an expression. */
export function partsOf(expression: JinjaExpression): readonly (JinjaExpression | undefined)[] {
  switch (expression.kind) {
    case 'const':
    case 'name':
      return []
    case 'list':
    case 'tuple':
    case 'concat':
      return expression.items
    case 'dict':
      return expression.entries.flatMap(({ key, value }) => [key, value])
    case 'attribute':
      return [expression.object]
    case 'item':
      return [expression.object, expression.key]
    case 'slice':
      return expression.parts
    case 'call':
      return [expression.callee, ...argumentsOf(expression)]
    case 'filter':
    case 'test':
      return [expression.input, ...argumentsOf(expression)]
    case 'not':
    case 'negative':
    case 'positive':
      return [expression.operand]
    case 'and':
    case 'or':
    case 'binary':
      return [expression.left, expression.right]
    case 'compare':
      return [expression.first, ...expression.rest.map(({ operand }) => operand)]
    case 'condition':
      return [expression.test, expression.value, expression.otherwise]
  }
}

function argumentsOf({ args, kwargs, dynArgs, dynKwargs }: Arguments): readonly (JinjaExpression | undefined)[] {
  return [...args, ...kwargs.map(({ value }) => value), dynArgs, dynKwargs]
}

/** Whether some statements read a name anywhere, in inner blocks as well. */
export function readsName(body: readonly JinjaStatement[], wanted: string): boolean {
  const found = (expression: JinjaExpression | undefined) => expression !== undefined && namesIn(expression).has(wanted)
  return body.some((statement): boolean => {
    switch (statement.kind) {
      case 'output':
      case 'set':
        return found(statement.value)
      case 'set-block':
        return found(statement.filter) || readsName(statement.body, wanted)
      case 'for':
        return (
          found(statement.iterable) || found(statement.test) || readsName(statement.body, wanted) || readsName(statement.otherwise, wanted)
        )
      case 'if':
        return (
          statement.branches.some(({ test, body: inner }) => found(test) || readsName(inner, wanted)) ||
          readsName(statement.otherwise, wanted)
        )
      case 'macro':
        return statement.defaults.some(found) || readsName(statement.body, wanted)
      case 'call-block':
        return found(statement.call) || statement.defaults.some(found) || readsName(statement.body, wanted)
      case 'filter-block':
        return found(statement.filter) || readsName(statement.body, wanted)
      case 'with':
        return statement.values.some(found) || readsName(statement.body, wanted)
      case 'autoescape':
      case 'generation':
        return readsName(statement.body, wanted)
      default:
        return false
    }
  })
}
