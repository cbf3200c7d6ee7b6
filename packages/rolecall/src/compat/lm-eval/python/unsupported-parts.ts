import type { Expression, Statement, Value } from '@rolecall/core/internal/python'
import { type SourceLocation, showPlace } from '@rolecall/core/internal/python'
import { builtins } from '../../../python/interpreter/builtins.ts'
import { DecoratedMethod, UserClass } from '../../../python/interpreter/classes.ts'
import { standardModule } from '../../../python/interpreter/modules/standard-modules.ts'
import { Builtin, ModuleValue, NameRef, Unknown, UserFunction } from '../../../python/interpreter/values.ts'
import { FixedObject } from './fixed-object.ts'
import { partsOf } from './parts-of.ts'
import { LoadingFunction } from './provided.ts'
import { ownMethods } from './task-classes.ts'
import { NetworkMetric, networkMetrics } from './text-metrics.ts'

/**
 * Something that a function reaches and that is not supported: its name, its place, and whether all runs reach it, unless every row returns
 * early. `package`: without it, the file does not define the name.
 */
export type UnsupportedPart = { name: string; where: string; isCertain: boolean; package?: string }

type Modules = ReadonlyMap<string, ModuleValue>

/** Methods that the harness calls itself. */
const entryMethods: ReadonlySet<string> = new Set([...ownMethods, '__init__', 'apply', 'download'])

/** The function around a piece of code: its own names, with the value of those it imports, and where it is defined. */
type Within = { own: Map<string, Value | undefined>; scope: UserFunction['scope']; catches?: true }

/** What a function reaches that is not supported, found in its code without running it. Methods of objects are unknown before it runs. */
export function unsupportedParts(of: Value, modules: Modules): UnsupportedPart[] {
  const search = new Search(modules)
  search.enter(of, true)
  // What a missing package is asked for says more than a missing part of another one.
  const isPart = ({ name }: UnsupportedPart) => Number([...modules.keys(), ''].some((module) => module === name.split('.')[0]))
  return [...search.found.values()].sort((one, other) => isPart(one) - isPart(other))
}

/** What a function loads, found in its code: the function that loads it, and whether every call reaches it. */
export function loadsOf(of: Value, modules: Modules): ReadonlyMap<LoadingFunction['loads'], UnsupportedPart> {
  const search = new Search(modules)
  search.enter(of, true)
  return search.loads
}

class Search {
  readonly found = new Map<string, UnsupportedPart>()
  readonly loads = new Map<LoadingFunction['loads'], UnsupportedPart>()
  /** Functions that were looked into, and whether every call reaches them. */
  readonly #seen = new Map<Value, boolean>()

  constructor(readonly modules: Modules) {}

  /** Looks into a function or class that is called. */
  enter(value: Value, isCertain: boolean): void {
    const known = this.#seen.get(value)
    if (known === true || known === isCertain) return
    this.#seen.set(value, isCertain)
    if (value instanceof DecoratedMethod) this.enter(value.method, isCertain)
    if (value instanceof UserFunction) this.#enterFunction(value, isCertain)
    if (value instanceof UserClass) {
      const overridden = new Set<string>()
      for (const one of value.order) {
        if (!(one instanceof UserClass)) continue
        // Which other methods are called shows only when the class is used.
        for (const [name, method] of one.names) this.enter(method, isCertain && entryMethods.has(name) && !overridden.has(name))
        for (const name of one.names.keys()) overridden.add(name)
      }
    }
  }

  #enterFunction({ parameters, body, scope }: UserFunction, isCertain: boolean): void {
    const statements = Array.isArray(body) ? (body as readonly Statement[]) : []
    const names = [...parameters.map(({ name }) => name), ...assignedIn(statements)]
    const within: Within = { own: new Map(names.map((name) => [name, undefined])), scope }
    this.#walk(body, isCertain, within)
  }

  /** Looks through a statement, an expression or what contains some. */
  #walk(part: unknown, isCertain: boolean, within: Within): void {
    if (Array.isArray(part)) for (const one of part) this.#walk(one, isCertain, within)
    else if (typeof part === 'object' && part !== null) {
      if ('kind' in part && 'at' in part) this.#walkNode(part as Statement | Expression, isCertain, within)
      else for (const one of Object.values(part)) this.#walk(one, isCertain, within)
    }
  }

  #walkNode(node: Statement | Expression, isCertain: boolean, within: Within): void {
    const { own } = within
    switch (node.kind) {
      case 'import':
        for (const { module, as } of node.names) {
          const name = as ?? module.split('.')[0]!
          own.set(name, this.#moduleAt(as === undefined ? name : module))
        }
        break
      case 'import-from':
        for (const { name, as } of node.names) own.set(as ?? name, node.level === 0 ? this.#importedFrom(node.module, name) : undefined)
        break
      case 'if':
      case 'while':
        this.#walk(node.test, isCertain, within)
        this.#walk([node.body, node.otherwise], false, within)
        break
      case 'condition':
        this.#walk(node.test, isCertain, within)
        this.#walk([node.value, node.otherwise], false, within)
        break
      case 'and':
      case 'or':
        this.#walk(node.left, isCertain, within)
        this.#walk(node.right, false, within)
        break
      case 'try':
        // What is not supported is no exception that a handler catches, but a missing package is.
        this.#walk(
          node.body,
          isCertain && !node.body.some(({ kind }) => kind === 'import' || kind === 'import-from'),
          catching(within, node.handlers),
        )
        for (const { body } of node.handlers) this.#walk(body, false, within)
        this.#walk(node.otherwise, false, within)
        this.#walk(node.last, isCertain, within)
        break
      case 'function':
      case 'class':
        this.#walk(node.body, false, within)
        break
      case 'raise':
        break
      case 'foreign':
        this.#report(node.construct, node.at, isCertain)
        break
      case 'assign': {
        this.#walk([node.value, node.targets], isCertain, within)
        const metric = this.#loadedMetric(node.value, isCertain, within)
        for (const target of node.targets) {
          if (target.kind !== 'name') continue
          if (metric && isCertain) own.set(target.name, metric)
          else if (own.get(target.name) instanceof NetworkMetric) own.set(target.name, undefined)
        }
        break
      }
      case 'call':
        this.#walkCall(node, isCertain, within)
        break
      case 'name':
      case 'attribute': {
        const value = this.#resolve(node, isCertain, within)
        if (value instanceof UserFunction) this.enter(value, isCertain)
        if (value === undefined && node.kind === 'attribute') this.#walk(node.object, isCertain, within)
        break
      }
      case 'lambda':
        this.#walk(
          node.body,
          isCertain,
          withNames(
            within,
            node.parameters.map(({ name }) => name),
          ),
        )
        break
      case 'comprehension':
      case 'dict-comprehension': {
        const inner = withNames(
          within,
          node.clauses.flatMap(({ target }) => namesIn(target)),
        )
        for (const part of Object.values(node)) this.#walk(part, isCertain, inner)
        break
      }
      default:
        for (const part of Object.values(node)) this.#walk(part, isCertain, within)
    }
  }

  #walkCall(node: Extract<Expression, { kind: 'call' }>, isCertain: boolean, within: Within): void {
    const called = this.#resolve(node.callee, isCertain, within)
    if (called === undefined && node.callee.kind === 'attribute' && node.callee.name === 'compute' && !within.catches) {
      const { object } = node.callee
      const metric = this.#loadedMetric(object, isCertain, within) ?? this.#resolve(object, isCertain, within)
      if (metric instanceof NetworkMetric) this.#report(`the network of ${metric.name}`, node.at, isCertain)
    }
    if (called instanceof NameRef) this.#report(this.#nameOf(called, node), node.at, isCertain)
    else if (called instanceof LoadingFunction) this.#reportLoad(called, node.at, isCertain)
    else if (called !== undefined) this.enter(called, isCertain)
    else if (node.callee.kind !== 'name') this.#walk(node.callee, isCertain, within)
    // The target of a process is replaced, not run.
    if (!(called instanceof Builtin && called.name === 'Process')) this.#walk(node.args, isCertain, within)
  }

  /** The metric that a call of `evaluate.load` gives, if a network computes it. */
  #loadedMetric(node: Expression, isCertain: boolean, within: Within): NetworkMetric | undefined {
    const [name] = node.kind === 'call' ? node.args : []
    if (node.kind !== 'call' || name?.value.kind !== 'constant' || typeof name.value.value !== 'string') return undefined
    if (!networkMetrics.includes(name.value.value)) return undefined
    const load = this.modules.get('evaluate')?.attributes.get('load')
    return this.#resolve(node.callee, isCertain, within) === load ? new NetworkMetric(name.value.value) : undefined
  }

  /** What a call needs: the function, or the package that it asks for. */
  #nameOf({ path }: NameRef, { args }: Extract<Expression, { kind: 'call' }>): string {
    const [first] = args
    const asked = first?.value.kind === 'constant' ? first.value.value : undefined
    return path === 'importlib.util.find_spec' && typeof asked === 'string' ? `${asked} (${path})` : path
  }

  /** The value of a name or of an attribute of a module, where it is known before the function runs. */
  #resolve(expression: Expression, isCertain: boolean, within: Within): Value | undefined {
    if (expression.kind === 'name') {
      const { name } = expression
      if (within.own.has(name)) return within.own.get(name)
      const value = within.scope.get(name)
      if (value instanceof Unknown) this.#report(`${name} (${value.error.problem})`, expression.at, isCertain)
      else if (value === undefined && !isKnownName(name)) this.#report(name, expression.at, isCertain)
      return value
    }
    if (expression.kind !== 'attribute') return undefined
    const object = this.#resolve(expression.object, isCertain, within)
    if (object instanceof NameRef) return new NameRef(expression.name, `${object.path}.${expression.name}`, true)
    if (object instanceof UserClass) return object.names.get(expression.name)
    if (object instanceof Builtin) return object.attributes.get(expression.name)
    if (object instanceof FixedObject) return object.attributes[expression.name]
    if (!(object instanceof ModuleValue)) return undefined
    return object.attributes.get(expression.name) ?? this.#moduleAt(`${object.name}.${expression.name}`)
  }

  #moduleAt(path: string): Value {
    return this.modules.get(path) ?? standardModule(path) ?? new NameRef(path, path, true)
  }

  #importedFrom(module: string, name: string): Value | undefined {
    if (module.startsWith('lm_eval.tasks')) return undefined
    const holder = this.#moduleAt(module)
    return (holder instanceof ModuleValue ? holder.attributes.get(name) : undefined) ?? this.#moduleAt(`${module}.${name}`)
  }

  #reportLoad({ name, loads }: LoadingFunction, at: SourceLocation, isCertain: boolean): void {
    const known = this.loads.get(loads)
    if (known === undefined) this.loads.set(loads, { name, where: showPlace(at), isCertain })
    else known.isCertain ||= isCertain
  }

  #report(name: string, at: SourceLocation, isCertain: boolean): void {
    const known = this.found.get(name)
    if (known === undefined) this.found.set(name, { name, where: showPlace(at), isCertain })
    else known.isCertain ||= isCertain
  }
}

/** The body of a `try` that catches every exception. */
function catching(within: Within, handlers: Extract<Statement, { kind: 'try' }>['handlers']): Within {
  const isForAll = handlers.some(({ types }) => types === undefined || (types.kind === 'name' && types.name === 'Exception'))
  return isForAll ? { ...within, catches: true } : within
}

function withNames(within: Within, names: readonly string[]): Within {
  return { ...within, own: new Map([...within.own, ...names.map((name) => [name, undefined] as const)]) }
}

function isKnownName(name: string): boolean {
  return builtins.has(name) || name === '__file__' || name === '__name__' || /(?:Error|Exception|Warning|Interrupt|Exit)$/.test(name)
}

/** The names that statements set. */
function assignedIn(body: readonly Statement[]): string[] {
  return body.flatMap((statement): string[] => {
    switch (statement.kind) {
      case 'assign':
        return [...statement.targets.flatMap(namesIn), ...walrusIn(statement)]
      case 'augment':
        return namesIn(statement.target)
      case 'for':
        return [...namesIn(statement.target), ...assignedIn(statement.body), ...assignedIn(statement.otherwise)]
      case 'while':
      case 'if':
        return [...walrusIn(statement.test), ...assignedIn(statement.body), ...assignedIn(statement.otherwise)]
      case 'with':
        return [...statement.items.flatMap(({ target }) => (target ? namesIn(target) : [])), ...assignedIn(statement.body)]
      case 'try':
        return [
          ...[statement.body, statement.otherwise, statement.last, ...statement.handlers.map(({ body: own }) => own)].flatMap(assignedIn),
          ...statement.handlers.flatMap(({ name }) => name ?? []),
        ]
      case 'function':
      case 'class':
        return [
          statement.name,
          ...('parameters' in statement ? statement.parameters.map(({ name }) => name) : []),
          ...assignedIn(statement.body),
        ]
      case 'pass':
        return statement.annotated === undefined ? [] : [statement.annotated]
      default:
        return walrusIn(statement)
    }
  })
}

function walrusIn(tree: unknown): string[] {
  return partsOf(tree).flatMap(({ kind, name }) => (kind === 'walrus' && typeof name === 'string' ? [name] : []))
}

function namesIn(target: Expression): string[] {
  return partsOf(target).flatMap(({ kind, name }) => (kind === 'name' && typeof name === 'string' ? [name] : []))
}
