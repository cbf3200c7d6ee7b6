import type { Reading, Steps } from './reading.ts'
import { endOfSpace, isSpace } from './scanners.ts'
import { followMark, leaveReasoning, startBlock } from './transitions.ts'

/** What the model says, up to the next mark that is not text. */
export function* readText(r: Reading): Steps {
  const { bare, syntax } = r.syntax
  while (r.state === 'text') {
    if (r.skipsSpace) r.passSpace()
    if (r.isEmpty) {
      if (r.isEnded) r.state = 'over'
      else yield
      continue
    }
    r.skipsSpace = false
    if (r.isAtStart && syntax.messages !== undefined) {
      // The prompt wrote the beginning of the first head: the reply may continue it, or say something.
      r.state = 'head'
      r.isHeadCertain = false
      r.head = ''
      r.isAtStart = false
      return
    }
    if (r.isAtStart && bare !== undefined) {
      r.say('text', endOfSpace(r.text, r.at))
      if (r.isEmpty) continue
      const first = r.text[r.at]
      if ((first === '{' && bare.json) || (first === '[' && (bare.json?.list || bare.python))) {
        r.isAtStart = false
        startBlock(r, bare)
        return
      }
    }
    const { at, marker } = (r.isSaid ? r.places.said : r.places.text).find(r.text, r.at, r.isFinal)
    if (at > r.at) {
      r.isAtStart = false
      r.say('text', at)
    }
    if (marker) followMark(r, marker)
    else if (!r.isEmpty) yield
  }
}

/** What the model thinks. White space beside the marks is not part of it, so that it waits for what follows. */
export function* readReasoning(r: Reading): Steps {
  while (r.state === 'reasoning') {
    if (r.skipsSpace) r.passSpace()
    if (r.isEmpty) {
      if (!r.isEnded) yield
      else {
        leaveReasoning(r, true)
        r.state = 'over'
      }
      continue
    }
    const { at, marker } = r.places.reasoning.get(r.span!)!.find(r.text, r.at, r.isFinal)
    if (at > r.at) {
      r.skipsSpace = false
      let last = at
      while (last > r.at && isSpace(r.text.charCodeAt(last - 1))) last--
      if (last > r.at) r.say('reasoning', last, r.takePendingSpace())
      r.pendingSpace += r.text.slice(last, at)
      r.at = at
    }
    if (marker) followMark(r, marker)
    else if (!r.isEmpty) yield
  }
}

/** What was generated after the turn had ended. */
export function* readRest(r: Reading): Steps {
  for (;;) {
    r.addRest(r.text.slice(r.at))
    const first = endOfSpace(r.text, r.at)
    if (first < r.text.length && !r.hasProblemAfterEnd) {
      r.hasProblemAfterEnd = true
      r.report('the model went on after its turn had ended', r.offset + first)
    }
    r.at = r.text.length
    if (r.isEnded) {
      r.state = 'over'
      return
    }
    yield
  }
}
