import { partsOf, readsName } from '../compile/symbols.ts'
import type { JinjaExpression, JinjaStatement, JinjaTarget } from '../syntax/jinja-ast.ts'
import { parseTemplate } from '../syntax/parser.ts'

/**
 * How many messages at the start and at the end of a chat must stay, so that the text of a message does not change when messages between
 * them are dropped.
 */
export const localReach = 4

/**
 * Whether a template writes each message independently: its text depends only on that message, its neighbours, those at the start and at
 * the end of the chat, and the parity of its index. An even number of messages in the middle of a long chat may then be dropped without
 * changing the text of the others. This is determined by static analysis, not by rendering: a template that counts messages, carries state
 * from one to the next or searches for one is not local, and neither is one that cannot be analysed.
 *
 * @example
 * turnsAreLocal('{% for m in messages %}{{ m.content }}{% if not loop.last %}, {% endif %}{% endfor %}') // => true
 * turnsAreLocal('{% for m in messages %}{{ loop.length }}{% endfor %}') // => false
 */
export function turnsAreLocal(source: string): boolean {
  try {
    const analysis = new Analysis()
    analysis.statements(parseTemplate(source, 'chat_template').body, outside)
    return analysis.loops === 1
  } catch (error) {
    if (error instanceof NotLocal) return false
    throw error
  }
}

class NotLocal extends Error {}

/** The position of an expression: outside the loop over the messages, directly in it, or in an inner loop. */
type Place = { inMessages: boolean; ownLoop: boolean }

/** Objects that return another value at each use. */
const remembering = new Set(['cycler', 'joiner'])

const outside: Place = { inMessages: false, ownLoop: false }

class Analysis {
  /** The number of loops over the messages. */
  loops = 0
  /** Names for the messages, or for all but the first. */
  readonly #lists = new Set(['messages'])

  statements(body: readonly JinjaStatement[], place: Place): void {
    for (const statement of body) this.#statement(statement, place)
  }

  #statement(statement: JinjaStatement, place: Place): void {
    switch (statement.kind) {
      case 'data':
      case 'continue':
      case 'loader':
        break
      case 'break':
        ensure(!place.inMessages || place.ownLoop)
        break
      case 'output':
        this.#expression(statement.value, place)
        break
      case 'set':
        this.#set(statement, place)
        break
      case 'for':
        this.#for(statement, place)
        break
      case 'if':
        for (const { test, body } of statement.branches) {
          this.#expression(test, place)
          this.statements(body, place)
        }
        this.statements(statement.otherwise, place)
        break
      case 'set-block':
        this.#target(statement.target, place)
        this.#block([statement.filter], statement.body, place)
        break
      case 'macro':
        // Its arguments come from the caller; the macro itself may read no message.
        ensure(!place.inMessages && !readsAny(statement.body, [...this.#lists, 'loop', 'caller']))
        this.#block(statement.defaults, statement.body, { inMessages: true, ownLoop: true })
        break
      case 'filter-block':
        this.#block([statement.filter], statement.body, place)
        break
      case 'with':
        for (const target of statement.targets) this.#target(target, place)
        this.#block(statement.values, statement.body, place)
        break
      case 'autoescape':
        this.#block([statement.value], statement.body, place)
        break
      case 'generation':
        this.statements(statement.body, place)
        break
      case 'call-block':
      case 'block':
        throw new NotLocal()
    }
  }

  #block(expressions: readonly (JinjaExpression | undefined)[], body: readonly JinjaStatement[], place: Place): void {
    for (const expression of expressions) this.#expression(expression, place)
    this.statements(body, place)
  }

  #set({ target, value }: JinjaStatement & { kind: 'set' }, place: Place): void {
    if (target.kind === 'name' && !place.inMessages && this.#isList(value)) {
      this.#lists.add(target.name)
      return
    }
    this.#target(target, place)
    this.#expression(value, place)
  }

  /** A variable set in the loop is gone after it; a namespace carries values from one message to the next. */
  #target(target: JinjaTarget, place: Place): void {
    if (target.kind === 'tuple') for (const item of target.items) this.#target(item, place)
    else if (target.kind === 'namespace') ensure(!place.inMessages)
    else ensure(target.name !== 'loop' && !this.#lists.has(target.name))
  }

  #for(statement: JinjaStatement & { kind: 'for' }, place: Place): void {
    const { target, iterable, test, body, otherwise, recursive } = statement
    this.#target(target, place)
    if (this.#isList(iterable)) {
      ensure(!place.inMessages && test === undefined && !recursive)
      this.loops++
      this.statements(body, { inMessages: true, ownLoop: false })
    } else {
      this.#expression(iterable, place)
      this.#expression(test, { ...place, ownLoop: true })
      this.statements(body, { ...place, ownLoop: true })
    }
    this.statements(otherwise, place)
  }

  /** The messages, or all but the first. */
  #isList(value: JinjaExpression): boolean {
    if (value.kind === 'name') return this.#lists.has(value.name)
    if (value.kind === 'condition') return this.#isList(value.value) && value.otherwise !== undefined && this.#isList(value.otherwise)
    if (value.kind !== 'item' || !this.#isList(value.object) || value.key.kind !== 'slice') return false
    const [from, to, step] = value.key.parts
    return (from === undefined || (from.kind === 'const' && from.value === 1)) && to === undefined && step === undefined
  }

  #expression(expression: JinjaExpression | undefined, place: Place): void {
    if (expression === undefined) return
    if (expression.kind === 'item' && this.#isList(expression.object) && this.#isNear(expression.key, place)) return
    const isOuterLoop = place.inMessages && !place.ownLoop
    if (isOuterLoop && this.#isKnownOfLoop(expression)) return
    if (expression.kind === 'name') {
      ensure(!this.#lists.has(expression.name) && !remembering.has(expression.name) && !(isOuterLoop && expression.name === 'loop'))
      return
    }
    for (const part of partsOf(expression)) this.#expression(part, place)
  }

  /** An index of messages that are always kept: the first, the last, or neighbours of the current one. */
  #isNear(key: JinjaExpression, place: Place): boolean {
    const number = numberOf(key)
    if (number !== undefined) return number >= 1 - localReach && number < localReach - 1
    if (!place.inMessages || place.ownLoop) return false
    if (isIndex(key)) return true
    const by =
      key.kind === 'binary' && (key.operator === '+' || key.operator === '-') && isIndex(key.left) ? numberOf(key.right) : undefined
    return by !== undefined && Math.abs(by) <= 1
  }

  /** The attributes of the message loop that keep turns local: first, last, neighbours, and even or odd. */
  #isKnownOfLoop(expression: JinjaExpression): boolean {
    if (expression.kind === 'attribute' && isLoop(expression.object)) {
      return ['first', 'last', 'previtem', 'nextitem'].includes(expression.name)
    }
    if (expression.kind === 'compare' && expression.rest.length === 1) {
      const { first, rest } = expression
      const operand = rest[0]!.operand
      const [index, number] = isIndex(first) ? [first, numberOf(operand)] : isIndex(operand) ? [operand, numberOf(first)] : []
      return index !== undefined && number !== undefined && number >= 0 && number < localReach - 1
    }
    return expression.kind === 'binary' && expression.operator === '%' && isIndex(expression.left) && numberOf(expression.right) === 2
  }
}

function ensure(isLocal: boolean): void {
  if (!isLocal) throw new NotLocal()
}

function isLoop(expression: JinjaExpression): boolean {
  return expression.kind === 'name' && expression.name === 'loop'
}

function isIndex(expression: JinjaExpression): boolean {
  return expression.kind === 'attribute' && isLoop(expression.object) && (expression.name === 'index0' || expression.name === 'index')
}

function numberOf(expression: JinjaExpression): number | undefined {
  if (expression.kind === 'negative') {
    const number = numberOf(expression.operand)
    return number === undefined ? undefined : -number
  }
  return expression.kind === 'const' && typeof expression.value === 'number' ? expression.value : undefined
}

function readsAny(body: readonly JinjaStatement[], names: readonly string[]): boolean {
  return names.some((name) => readsName(body, name))
}
