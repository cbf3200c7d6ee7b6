import type { ObjectShape } from '../shape.ts'
import { goOnBlank } from './blank.ts'
import type { ObjectFrame, Stack, Stacks } from './frame.ts'
import { enter, enterAutomaton, type Found, leave, step } from './step.ts'

const [openBrace, closeBrace, colon, comma] = [0x7b, 0x7d, 0x3a, 0x2c]

/** All ways that an object can go on with a byte. */
export function stepObject(stacks: Stacks, { below }: Stack, frame: ObjectFrame, byte: number, found: Found): void {
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

function beginKey(stacks: Stacks, frame: ObjectFrame, below: Stack, byte: number, found: Found): void {
  const { shape } = frame
  const count = counted(shape, frame.count + 1)
  const read = (stack: Stack) => step(stacks, stack, byte, found)
  for (const index of nextProperties(frame)) {
    const after = stacks.push({ ...frame, phase: 'colon', count, from: index + 1, property: index, blank: 0 }, below)
    enterAutomaton(stacks, shape.properties[index]!.key, after, read)
  }
  if (!mayHaveOthers(frame)) return
  const after = stacks.push({ ...frame, phase: 'colon', count, from: shape.properties.length, property: -1, blank: 0 }, below)
  enterAutomaton(stacks, shape.others!.key, after, read)
}

function beginValue(stacks: Stacks, frame: ObjectFrame, below: Stack, byte: number, found: Found): void {
  const { shape, property } = frame
  const slot = property < 0 ? shape.others!.slot : shape.properties[property]!.slot
  const after = stacks.push({ ...frame, phase: 'next', property: -1, blank: 0 }, below)
  enter(stacks, slot, after, (stack) => step(stacks, stack, byte, found))
}

/** The properties that may come next: up to the first that is required; where there is room for it and all that are required behind it. */
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
  return shape.others?.slot.isPossible === true && missing(shape, from) === 0 && count < shape.most
}

function mayClose({ shape, from, count }: ObjectFrame): boolean {
  return missing(shape, from) === 0 && count >= shape.least
}

function missing({ properties }: ObjectShape, from: number): number {
  let count = 0
  for (let index = from; index < properties.length; index++) if (properties[index]!.isRequired) count++
  return count
}

/** Whether as many properties are left as there have to be. */
function leavesEnough({ properties, others, least }: ObjectShape, from: number, count: number): boolean {
  if (least <= count || others?.slot.isPossible) return true
  let left = 0
  for (let index = from; index < properties.length; index++) if (properties[index]!.slot.isPossible) left++
  return count + left >= least
}

/** A count matters only where there are limits. */
function counted({ least, most }: ObjectShape, count: number): number {
  return most === Number.POSITIVE_INFINITY ? Math.min(count, least) : count
}
