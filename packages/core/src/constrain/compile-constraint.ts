import { PromptError } from '../base/errors/prompt-error.ts'
import { UnsupportedPattern } from '../base/pattern/index.ts'
import type { Constraint } from './constraint.ts'
import { Machine } from './machine/machine.ts'
import { compileSchema } from './schema/compile-schema.ts'
import { isPossible, type Shape, type Slot } from './shape.ts'
import { type Automaton, TooLarge } from './text/automaton.ts'
import { textsAutomaton } from './text/combine.ts'
import { otherThan } from './text/complement.ts'
import { patternAutomaton } from './text/pattern-automaton.ts'
import { OverBudget, WorkBudget } from './work-budget.ts'

/** A compiled constraint. */
export type CompiledConstraint = {
  /** A machine that reads replies from the start. */
  machine(): Machine
  /** Whether a whole text fits. */
  accepts(text: string): boolean
}

/**
 * Reads a constraint; what cannot be enforced is an error (`cannot-constrain`) with its keyword and its place.
 *
 * @example
 * const { accepts } = compileConstraint({ kind: 'json-schema', schema: { type: 'array', items: { enum: ['a', 'b'] }, maxItems: 2 } })
 * accepts('["a", "b"]') // => true
 * accepts('["a", "c"]') // => false
 */
export function compileConstraint(constraint: Constraint): CompiledConstraint {
  try {
    return compileWithin(constraint, new WorkBudget())
  } catch (error) {
    if (!(error instanceof OverBudget)) throw error
    throw new PromptError('cannot-constrain', {
      where: ('where' in constraint ? constraint.where : undefined) ?? 'schema',
      problem: `this cannot be enforced: ${error.message}`,
      fix: 'ask for less at once: fewer alternatives inside allOf, and simpler patterns',
    })
  }
}

/** The same within a budget: OverBudget if it takes more. */
export function compileWithin(constraint: Constraint, budget: WorkBudget): CompiledConstraint {
  const slot = slotOf(constraint, budget)
  const isPadded = constraint.kind === 'json-schema' && constraint.isPadded === true
  const machine = () => new Machine(slot, { isPadded })
  return {
    machine,
    accepts(text) {
      const reader = machine()
      let state: Machine['start'] | undefined = reader.start
      for (const byte of new TextEncoder().encode(text)) {
        state = reader.next(state, byte)
        if (!state) return false
      }
      return state.isComplete
    },
  }
}

function slotOf(constraint: Constraint, budget: WorkBudget): Slot {
  switch (constraint.kind) {
    case 'json-schema':
      return compileSchema(constraint.schema, constraint.where ?? 'schema', budget)
    case 'json-object':
      return compileSchema({ type: 'object' }, 'json_object', budget)
    case 'pattern':
      return patternSlot(constraint.pattern, constraint.where ?? 'pattern', budget)
    case 'choice':
      return choiceSlot(constraint.choices, constraint.where ?? 'choice', budget)
    case 'sequence':
      return wrap({ kind: 'sequence', slots: constraint.parts.map((part) => slotOf(part, budget)) })
    case 'any-of':
      return wrap(...constraint.parts.flatMap((part) => slotOf(part, budget).shapes))
    case 'repeat': {
      const more: Slot = { id: 0, shapes: [emptyText(budget)], isPossible: true }
      more.shapes.push({ kind: 'sequence', slots: [slotOf(constraint.next, budget), more] })
      return wrap({ kind: 'sequence', slots: [slotOf(constraint.first, budget), more] })
    }
    case 'text-without':
      return wrap({ kind: 'text', automaton: textWithout(constraint.texts, budget) })
    default:
      return constraint satisfies never
  }
}

function emptyText(budget: WorkBudget): Shape {
  return { kind: 'text', automaton: textsAutomaton([''], budget) }
}

function textWithout(texts: readonly string[], budget: WorkBudget): Automaton {
  const any = String.raw`[\s\S]*`
  if (texts.length === 0) return patternAutomaton(any, { spelling: 'plain', isWhole: true, budget })
  const marks = texts.map((text) => text.replace(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`)).join('|')
  return otherThan(patternAutomaton(`${any}(?:${marks})${any}`, { spelling: 'plain', isWhole: true, budget }), budget, 'plain')
}

function patternSlot(pattern: string, where: string, budget: WorkBudget): Slot {
  try {
    const slot = wrap({ kind: 'text', automaton: patternAutomaton(pattern, { spelling: 'plain', isWhole: true, budget }) })
    if (slot.isPossible) return slot
    throw new UnsupportedPattern('no text matches it')
  } catch (error) {
    if (!(error instanceof UnsupportedPattern) && !(error instanceof TooLarge)) throw error
    throw new PromptError('cannot-constrain', {
      where,
      problem: `the pattern cannot be enforced: ${error.message}`,
      fix: 'write a simpler regular expression',
    })
  }
}

function choiceSlot(choices: readonly string[], where: string, budget: WorkBudget): Slot {
  if (choices.length > 0 && !choices.includes('')) {
    try {
      return wrap({ kind: 'text', automaton: textsAutomaton(choices, budget) })
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error
      throw new PromptError('cannot-constrain', {
        where,
        problem: `the choice cannot be enforced: ${error.message}`,
        fix: 'offer fewer or shorter texts',
      })
    }
  }
  throw new PromptError('cannot-constrain', {
    where,
    problem: choices.length === 0 ? 'there is nothing to choose from' : 'one of the texts to choose from is empty',
    fix: 'write at least one text, none of them empty',
  })
}

function wrap(...shapes: Shape[]): Slot {
  return { id: 0, shapes, isPossible: shapes.some(isPossible) }
}
