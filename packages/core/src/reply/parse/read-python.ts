import { PromptError } from '../../base/errors/prompt-error.ts'
import { stringifyJson } from '../../base/python/index.ts'
import { readPythonCall } from '../values/python-call.ts'
import { typedTexts } from '../values/typed-value.ts'
import { reportOpenList } from './read-block.ts'
import type { Reading, Steps } from './reading.ts'
import { isSpace, PythonScanner } from './scanners.ts'
import { becomeText, endsEarly, finishCall, followMark, refuse, scanCall, startCall } from './transitions.ts'

/** Python's calls, one after the other: `[f(a=1), g()]`, or one per line. */
export function* readPython(r: Reading): Steps {
  while (r.state === 'python') {
    yield* readName(r)
    if (r.state === 'python') yield* readArguments(r)
  }
}

function* readName(r: Reading): Steps {
  for (;;) {
    // Until a call is found, a tentative block may still be text.
    const mayBeText = r.isTentative && r.callsInBlock === 0
    const isStart = r.rawLength === 0
    if (isStart) {
      const from = r.at
      while (!r.isEmpty && (isSpace(r.text.charCodeAt(r.at)) || r.text[r.at] === ',' || r.text[r.at] === ';')) r.at++
      if (mayBeText) r.lead += r.text.slice(from, r.at)
    }
    if (r.isEmpty) {
      if (!r.isEnded) {
        yield
        continue
      }
      if (mayBeText) return becomeText(r)
      if (!isStart) return refuse(r, 'truncated', endsEarly)
      if (r.isInList) reportOpenList(r)
      r.state = 'over'
      return
    }
    const first = r.text[r.at]
    if (isStart) {
      const mark = r.marks.match(r.text, r.at, r.isFinal)
      if (mark === 'partial') {
        yield
        continue
      }
      if (mark !== undefined) {
        if (r.isInList) reportOpenList(r)
        return followMark(r, mark)
      }
      if (first === ']' && r.isInList) {
        if (mayBeText) return becomeText(r)
        r.state = 'list-end'
        r.at++
        return
      }
      if (first === '[' && !r.isInList && r.callsInBlock === 0) {
        r.isInList = true
        r.at++
        continue
      }
      if (r.callsInBlock > 0) startCall(r)
    }
    let end = r.at
    while (end < r.text.length && isNameCharacter(r.text.charCodeAt(end))) end++
    r.takeRaw(end)
    if (r.isEmpty) continue
    if (r.text[r.at] === '(' && r.rawLength > 0) break
    if (mayBeText) return becomeText(r)
    const found = r.marks.match(r.text, r.at, r.isFinal)
    if (found === 'partial') yield
    else if (found === undefined) return refuse(r, 'malformed', 'expected a call', true)
    else return refuse(r, 'truncated', endsEarly)
  }
  const name = r.raw.trim()
  const isKnown = r.tools?.has(name) ?? r.block.python!.list !== 'opened'
  if (r.isTentative && r.callsInBlock === 0 && !isKnown) return becomeText(r)
  r.call.startNamed(r.calls, name)
  r.argumentsFrom = r.rawLength
}

function* readArguments(r: Reading): Steps {
  if (!(yield* scanCall(r, new PythonScanner(!r.isStrict)))) return
  try {
    const { name, given: written } = readPythonCall(r.raw)
    const given = r.block.python!.texts ? typedTexts(written, r.tools?.schemaOf(name)) : written
    const argumentsText = stringifyJson(given, { ensureAscii: false })
    r.call.addArguments(argumentsText)
    r.found = { name, arguments: given, argumentsText }
  } catch (error) {
    if (!(error instanceof PromptError)) throw error
    r.found = { error: 'malformed', problem: error.problem }
  }
  r.foundLength = r.rawLength
  finishCall(r, false)
  r.argumentsFrom = 0
  r.lead = ''
  if (!r.isInList && r.block.close === undefined) r.state = 'text'
}

function isNameCharacter(code: number): boolean {
  return code > 0x7f || /[\w.-]/.test(String.fromCharCode(code))
}
