import type { Slot } from '../shape.ts'
import type { Automaton } from '../text/automaton.ts'
import type { StateSet, StateSets } from '../text/state-set.ts'
import { goOnBlank } from './blank.ts'
import type { ArrayFrame, Stack, Stacks, StringFrame, TextFrame } from './frame.ts'
import { beginCharacter, goOnCharacter } from './half-character.ts'
import { stepObject } from './step-object.ts'
import { goOnString } from './string-states.ts'

export type Found = (stack: Stack) => void

/** All ways that a stack can go on with a byte. */
export function step(stacks: Stacks, stack: Stack, byte: number, found: Found): void {
  const { frame } = stack
  if (frame.kind === 'text') stepText(stacks, stack, frame, byte, found)
  else if (frame.kind === 'string') stepString(stacks, stack, frame, byte, found)
  else if (frame.kind === 'array') stepArray(stacks, stack, frame, byte, found)
  else if (frame.kind === 'object') stepObject(stacks, stack, frame, byte, found)
}

/** All ways to begin a value. `below` is where it goes on behind the value. */
export function enter(stacks: Stacks, slot: Slot, below: Stack, found: Found, seen: Set<Slot> = new Set()): void {
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

/** A value is finished: what lies below it goes on. */
export function leave(stacks: Stacks, below: Stack, found: Found): void {
  const { frame } = below
  if (frame.kind !== 'sequence') found(below)
  else if (frame.next === frame.shape.slots.length) leave(stacks, below.below!, found)
  else enter(stacks, frame.shape.slots[frame.next]!, stacks.push({ ...frame, next: frame.next + 1 }, below.below!), found)
}

/** Begins a value with a byte. */
export function begin(stacks: Stacks, slot: Slot, below: Stack, byte: number, found: Found): void {
  enter(stacks, slot, below, (stack) => step(stacks, stack, byte, found))
}

/** All ways to begin a text that an automaton describes. */
export function enterAutomaton(stacks: Stacks, automaton: Automaton, below: Stack, found: Found): void {
  const sets = stacks.setsOf(automaton)
  enterText(stacks, sets, sets.start, below, found)
}

function enterText(stacks: Stacks, sets: StateSets, set: StateSet, below: Stack, found: Found): void {
  if (set.groups.length > 0) found(stacks.push({ kind: 'text', sets, set }, below))
  if (set.isEnd) leave(stacks, below, found)
}

function stepText(stacks: Stacks, { below }: Stack, { sets, set, half }: TextFrame, byte: number, found: Found): void {
  for (const read of half ? goOnCharacter(set, half, byte) : beginCharacter(set, byte)) {
    if ('half' in read) found(stacks.push({ kind: 'text', sets, set, half: read.half }, below!))
    else {
      const next = sets.next(set, read.whole, read.isEscaped)
      if (next) enterText(stacks, sets, next, below!, found)
    }
  }
}

const quote = 0x22

function stepString(stacks: Stacks, { below }: Stack, frame: StringFrame, byte: number, found: Found): void {
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

function stepArray(stacks: Stacks, { below }: Stack, frame: ArrayFrame, byte: number, found: Found): void {
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
  // Where there is no limit, all later items are alike.
  const settled = Math.max(shape.first.length, shape.least)
  const next = shape.most === Number.POSITIVE_INFINITY ? Math.min(count + 1, settled) : count + 1
  begin(stacks, slot, stacks.push({ ...frame, phase: 'next', count: next, blank: 0 }, below!), byte, found)
}
