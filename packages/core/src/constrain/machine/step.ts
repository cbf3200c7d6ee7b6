import type { ObjectShape, Slot } from '../shape.ts'
import type { Automaton } from '../text/automaton.ts'
import type { StateSet, StateSets } from '../text/state-set.ts'
import { beginCharacter, goOnCharacter } from './half-character.ts'
import type { ArrayFrame, ObjectFrame, Stack, Stacks, StringFrame, TextFrame } from './machine-frame.ts'
import { goOnString } from './string-states.ts'

export type OnStack = (stack: Stack) => void

/** All ways to continue a stack with a byte. */
export function step(stacks: Stacks, stack: Stack, byte: number, found: OnStack): void {
  const { frame } = stack
  if (frame.kind === 'text') stepText(stacks, stack, frame, byte, found)
  else if (frame.kind === 'string') stepString(stacks, stack, frame, byte, found)
  else if (frame.kind === 'array') stepArray(stacks, stack, frame, byte, found)
  else if (frame.kind === 'object') stepObject(stacks, stack, frame, byte, found)
}

/** All ways to begin a value. `below` continues after the value. */
export function enter(stacks: Stacks, slot: Slot, below: Stack, found: OnStack, seen: Set<Slot> = new Set()): void {
  if (!slot.isPossible || seen.has(slot)) return
  seen.add(slot)
  for (const shape of slot.shapes) {
    switch (shape.kind) {
      case 'same':
        enter(stacks, shape.slot, below, found, seen)
        break
      case 'text':
        enterAutomaton(stacks, shape.automaton, below, found)
        break
      case 'string':
        found(stacks.push({ kind: 'string', phase: 'open', state: 0, least: shape.least, most: shape.most }, below))
        break
      case 'array':
        found(stacks.push({ kind: 'array', shape, phase: 'open', count: 0, blank: 0 }, below))
        break
      case 'object':
        found(stacks.push({ kind: 'object', shape, phase: 'open', count: 0, from: 0, property: -1, blank: 0 }, below))
        break
      case 'sequence':
        leave(stacks, stacks.push({ kind: 'sequence', shape, next: 0 }, below), found)
        break
      default:
        shape satisfies never
    }
  }
}

/** A value is finished: continues with the frame below it. */
export function leave(stacks: Stacks, below: Stack, found: OnStack): void {
  const { frame } = below
  if (frame.kind !== 'sequence') found(below)
  else if (frame.next === frame.shape.slots.length) leave(stacks, below.below!, found)
  else enter(stacks, frame.shape.slots[frame.next]!, stacks.push({ ...frame, next: frame.next + 1 }, below.below!), found)
}

/** Begins a value with a byte. */
export function begin(stacks: Stacks, slot: Slot, below: Stack, byte: number, found: OnStack): void {
  enter(stacks, slot, below, (stack) => step(stacks, stack, byte, found))
}

/** All ways to begin a text that an automaton describes. */
export function enterAutomaton(stacks: Stacks, automaton: Automaton, below: Stack, found: OnStack): void {
  const sets = stacks.setsOf(automaton)
  enterText(stacks, sets, sets.start, below, found)
}

function enterText(stacks: Stacks, sets: StateSets, set: StateSet, below: Stack, found: OnStack): void {
  if (set.groups.length > 0) found(stacks.push({ kind: 'text', sets, set }, below))
  if (set.isEnd) leave(stacks, below, found)
}

function stepText(stacks: Stacks, { below }: Stack, { sets, set, half }: TextFrame, byte: number, found: OnStack): void {
  for (const read of half ? goOnCharacter(set, half, byte) : beginCharacter(set, byte)) {
    if ('half' in read) found(stacks.push({ kind: 'text', sets, set, half: read.half }, below!))
    else {
      const next = sets.next(set, read.whole, read.isEscaped)
      if (next) enterText(stacks, sets, next, below!, found)
    }
  }
}

const quote = 0x22

function stepString(stacks: Stacks, { below }: Stack, frame: StringFrame, byte: number, found: OnStack): void {
  const { phase, state, least, most } = frame
  if (phase === 'open') {
    if (byte === quote) found(stacks.push({ ...frame, phase: 'inside' }, below!))
    return
  }
  if (state === 0 && byte === quote) {
    if (least <= 0) leave(stacks, below!, found)
    return
  }
  if (state === 0 && most === 0) return
  const next = goOnString(state, byte)
  if (next < 0) return
  const counted = state === 0 ? { least: Math.max(0, least - 1), most: most - 1 } : { least, most }
  found(stacks.push({ ...frame, state: next, ...counted }, below!))
}

const [openBracket, closeBracket, comma] = [0x5b, 0x5d, 0x2c]

function stepArray(stacks: Stacks, { below }: Stack, frame: ArrayFrame, byte: number, found: OnStack): void {
  const { shape, phase, count, blank } = frame
  if (phase === 'open') {
    if (byte === openBracket) found(stacks.push({ ...frame, phase: 'first' }, below!))
    return
  }
  const more = goOnBlank(blank, byte)
  if (more !== undefined) {
    found(stacks.push({ ...frame, blank: more }, below!))
    return
  }
  const slot = count < shape.most ? (count < shape.first.length ? shape.first[count] : shape.rest) : undefined
  if (byte === closeBracket && phase !== 'item') {
    if (count >= shape.least) leave(stacks, below!, found)
    return
  }
  if (!slot?.isPossible) return
  if (phase === 'next') {
    if (byte === comma) found(stacks.push({ ...frame, phase: 'item', blank: 0 }, below!))
    return
  }
  // Without a limit, all later items are alike.
  const settled = Math.max(shape.first.length, shape.least)
  const next = shape.most === Number.POSITIVE_INFINITY ? Math.min(count + 1, settled) : count + 1
  begin(stacks, slot, stacks.push({ ...frame, phase: 'next', count: next, blank: 0 }, below!), byte, found)
}

const [openBrace, closeBrace, colon] = [0x7b, 0x7d, 0x3a]

/** All ways to continue an object with a byte. */
function stepObject(stacks: Stacks, { below }: Stack, frame: ObjectFrame, byte: number, found: OnStack): void {
  const { phase, blank } = frame
  const go = (change: Partial<ObjectFrame>) => found(stacks.push({ ...frame, blank: 0, ...change }, below!))
  if (phase === 'open') {
    if (byte === openBrace) go({ phase: 'first' })
    return
  }
  if (phase === 'colon') {
    if (byte === colon) go({ phase: 'value' })
    return
  }
  const more = goOnBlank(blank, byte)
  if (more !== undefined) go({ blank: more })
  else if (phase === 'value') beginValue(stacks, frame, below!, byte, found)
  else if (byte === closeBrace) {
    if (phase !== 'key' && mayClose(frame)) leave(stacks, below!, found)
  } else if (phase !== 'next') beginKey(stacks, frame, below!, byte, found)
  else if (byte === comma && (nextProperties(frame).length > 0 || mayHaveOthers(frame))) go({ phase: 'key' })
}

function beginKey(stacks: Stacks, frame: ObjectFrame, below: Stack, byte: number, found: OnStack): void {
  const { shape } = frame
  const count = counted(shape, frame.count + 1)
  const read = (stack: Stack) => step(stacks, stack, byte, found)
  for (const index of nextProperties(frame)) {
    const after = stacks.push({ ...frame, phase: 'colon', count, from: index + 1, property: index, blank: 0 }, below)
    enterAutomaton(stacks, shape.properties[index]!.key, after, read)
  }
  if (!mayHaveOthers(frame)) return
  for (const [index, { key, slot }] of shape.others.entries()) {
    if (!slot.isPossible) continue
    const after = stacks.push({ ...frame, phase: 'colon', count, from: shape.properties.length, property: -1 - index, blank: 0 }, below)
    enterAutomaton(stacks, key, after, read)
  }
}

function beginValue(stacks: Stacks, frame: ObjectFrame, below: Stack, byte: number, found: OnStack): void {
  const { shape, property } = frame
  const slot = property < 0 ? shape.others[-1 - property]!.slot : shape.properties[property]!.slot
  const after = stacks.push({ ...frame, phase: 'next', property: -1, blank: 0 }, below)
  enter(stacks, slot, after, (stack) => step(stacks, stack, byte, found))
}

/** The properties that may come next: up to the first required one, if there is room for it and for all required ones after it. */
function nextProperties({ shape, from, count }: ObjectFrame): number[] {
  const next: number[] = []
  const room = shape.most - count - missing(shape, from)
  for (let index = from; index < shape.properties.length; index++) {
    const { slot, isRequired } = shape.properties[index]!
    if (slot.isPossible && (isRequired || room > 0)) next.push(index)
    if (isRequired) break
  }
  return next.filter((index) => leavesEnough(shape, index + 1, count + 1))
}

/** Properties that the schema does not name come last. */
function mayHaveOthers({ shape, from, count }: ObjectFrame): boolean {
  return shape.others.some(({ slot }) => slot.isPossible) && missing(shape, from) === 0 && count < shape.most
}

function mayClose({ shape, from, count }: ObjectFrame): boolean {
  return missing(shape, from) === 0 && count >= shape.least
}

function missing({ properties }: ObjectShape, from: number): number {
  let count = 0
  for (let index = from; index < properties.length; index++) if (properties[index]!.isRequired) count++
  return count
}

/** Whether enough properties are left to reach the minimum. */
function leavesEnough({ properties, others, least }: ObjectShape, from: number, count: number): boolean {
  if (least <= count || others.some(({ slot }) => slot.isPossible)) return true
  let left = 0
  for (let index = from; index < properties.length; index++) if (properties[index]!.slot.isPossible) left++
  return count + left >= least
}

/** A count matters only if there are limits. */
function counted({ least, most }: ObjectShape, count: number): number {
  return most === Number.POSITIVE_INFINITY ? Math.min(count, least) : count
}

/** White space in a value is one space, or a line break with limited indentation: with more, a reply might never end. */
const maxIndentation = 20

/** The white space after one more byte, 0 for none so far; undefined if the byte is not white space, or too much of it. */
export function goOnBlank(blank: number, byte: number): number | undefined {
  if (blank === 0) return byte === 0x20 ? 1 : byte === 0x0a ? 2 : undefined
  if (blank === 1) return undefined
  return (byte === 0x20 || byte === 0x09) && blank < maxIndentation + 2 ? blank + 1 : undefined
}
