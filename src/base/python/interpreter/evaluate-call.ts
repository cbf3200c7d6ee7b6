import { typeError } from '../python-error.ts'
import type { Argument, Expression } from '../syntax/ast.ts'
import { notUnderstood } from '../syntax/import-error.ts'
import { isListValue, type Kwargs, type Value } from '../values/value.ts'
import { attributeOf } from './attributes.ts'
import { builtins } from './builtins.ts'
import { call } from './call.ts'
import { newDict, setItem } from './dicts.ts'
import { evaluate, evaluatePart } from './evaluate.ts'
import { itemsOf, refuseUnknown } from './items.ts'
import { methodOf, pairsOf } from './methods.ts'
import type { Scope } from './scope.ts'
import type { Session } from './session.ts'
import { NameRef } from './values.ts'

type CallNode = Extract<Expression, { kind: 'call' }>

/** A call as it is written. */
export function evaluateCall(session: Session, node: CallNode, scope: Scope): Value {
  const { callee } = node
  if (callee.kind === 'attribute') {
    const object = evaluate(session, callee.object, scope)
    session.at = callee.at
    const method = methodOf(object, callee.name)
    if (method !== undefined) {
      const { args, kwargs } = readArguments(session, node.args, scope)
      session.at = callee.at
      session.step()
      return method(session, object as never, args, kwargs, scope)
    }
    const attribute = attributeOf(session, object, callee.name)
    const { args, kwargs } = readArguments(session, node.args, scope)
    session.at = callee.at
    return call(session, attribute, args, kwargs, scope)
  }
  const called = evaluate(session, callee, scope)
  if (called === builtins.get('dict')) return dictCall(session, node, scope)
  const { args, kwargs } = readArguments(session, node.args, scope)
  session.at = node.at
  const [first] = args
  if (called instanceof NameRef && called.name === 'PromptList' && args.length === 1 && first !== undefined && isListValue(first)) {
    session.promptLists.push(first)
    return first
  }
  return call(session, called, args, kwargs, scope)
}

/** `dict(…)`, whose entries keep their comments and may be written `"key": value`. */
function dictCall(session: Session, { args, at }: CallNode, scope: Scope): Value {
  const made = newDict(session)
  for (const { value, name, key, star, remark } of args) {
    if (star === '*') throw notUnderstood(value.at, 'a "*" in dict(…)', 'write the entries out')
    if (name === undefined && key === undefined) {
      const given = evaluate(session, value, scope)
      session.at = at
      refuseUnknown(session, given)
      for (const [entry, item] of pairsOf(session, given)) setItem(session, made, entry, item)
    } else {
      const entry = name ?? evaluate(session, key!, scope)
      setItem(session, made, entry, evaluatePart(session, value, scope))
      session.remark(made, entry, remark)
    }
  }
  return made
}

function readArguments(session: Session, given: readonly Argument[], scope: Scope): { args: Value[]; kwargs: Kwargs } {
  const args: Value[] = []
  let kwargs: Map<string, Value> | undefined
  for (const { value, name, key, star } of given) {
    if (key !== undefined) throw notUnderstood(key.at, 'a ":" in a call', 'write {"key": value}')
    const result = name === undefined ? evaluate(session, value, scope) : evaluatePart(session, value, scope)
    if (star === '*') for (const item of itemsOf(session, result)) args.push(item)
    else if (name === undefined && star === undefined) args.push(result)
    else {
      kwargs ??= new Map()
      if (name !== undefined) kwargs.set(name, result)
      else
        for (const [entry, item] of pairsOf(session, result)) {
          if (typeof entry !== 'string') throw typeError('keywords must be strings')
          kwargs.set(entry, item)
        }
    }
  }
  return { args, kwargs }
}
