import type { NamedBody } from '../syntax.ts'
import type { CallRefusal } from './call-in-progress.ts'
import type { Reading, Steps } from './reading.ts'
import { endOfSpace, ObjectScanner } from './scanners.ts'
import {
  becomeText,
  completeCall,
  endsEarly,
  finishCall,
  finishRefusal,
  followMark,
  markAhead,
  refuse,
  scanCall,
  startBlock,
  startCall,
} from './transitions.ts'

/** What follows the mark that opens a block: its first character decides what the block holds. */
export function* readBody(r: Reading): Steps {
  const { block } = r
  const { json, named, tagged, quoted, python, code } = block
  for (;;) {
    const mark = yield* markAhead(r, passLead)
    if (mark === 'end of reply') {
      if (r.isTentative) becomeText(r)
      else if (code === undefined || json !== undefined) refuse(r, 'truncated', endsEarly)
      else r.state = 'code'
      return
    }
    const likeness = mark === undefined && json?.opened ? likenessOfCall(r) : 'call'
    if (likeness === 'partial') {
      yield
      continue
    }
    if (mark !== undefined) {
      const { meaning } = mark
      const opensAnother = (meaning.kind === 'open' && meaning.block !== block) || (meaning.kind === 'section' && meaning.isOpen)
      if (r.isTentative) becomeText(r)
      else if (opensAnother) {
        // A block that begins with another one only wraps it.
        r.isInSection = true
        r.isInWrapper = true
        followMark(r, mark)
      } else if (code === undefined) refuse(r, 'malformed', 'the call is empty')
      else r.state = 'code'
      return
    }
    const first = r.text[r.at]
    if (likeness === 'words') {
      r.lead += first
      r.at++
      becomeText(r)
    } else if (python?.list === 'opened') {
      r.state = 'python'
      r.isInList = true
    } else if (json !== undefined && first === '{') r.state = 'object'
    else if ((json?.list || python) && first === '[') {
      if (r.isTentative) r.lead += '['
      r.at++
      r.state = 'bare-list'
    } else if (named !== undefined || quoted !== undefined) r.state = 'header'
    else if (tagged !== undefined) r.state = 'tagged'
    else if (python !== undefined && !python.list) r.state = 'python'
    else if (code !== undefined) r.state = 'code'
    else if (r.isTentative) becomeText(r)
    else refuse(r, 'malformed', "expected '{'", true)
    return
  }
}

/** Passes white space, which is text if no call follows. */
function passLead(r: Reading): void {
  const from = r.at
  r.passSpace()
  if (r.isTentative) r.lead += r.text.slice(from, r.at)
}

/** JSON behind words is a call only if it begins with a brace and a quote: other words with a brace need not wait for its end. */
function likenessOfCall({ text, at, isFinal }: Reading): 'call' | 'words' | 'partial' {
  const brace = text[at] === '[' ? endOfSpace(text, at + 1) : at
  const quote = text[brace] === '{' ? endOfSpace(text, brace + 1) : brace
  if (quote === text.length && !isFinal) return 'partial'
  return quote > brace && text[quote] === '"' ? 'call' : 'words'
}

/** A list has opened: of calls as JSON, or as Python. */
export function* readBareList(r: Reading): Steps {
  const { json, python } = r.block
  for (passLead(r); r.isEmpty; passLead(r)) {
    if (r.isEnded) return r.isTentative ? becomeText(r) : refuse(r, 'truncated', endsEarly)
    yield
  }
  const first = r.text[r.at]
  r.isInList = true
  if (first === '{' && json) {
    startCall(r)
    r.state = 'object'
  } else if (r.isTentative && (first === ']' || !python)) becomeText(r)
  else r.state = python && first !== ']' ? 'python' : 'list'
}

/** The name of a call whose arguments follow it: everything up to their opening brace. */
export function* readHeader(r: Reading): Steps {
  const { quoted, named } = r.block
  for (;;) {
    if (r.isEmpty && r.isEnded) return refuse(r, 'truncated', endsEarly)
    const brace = r.text.indexOf('{', r.at)
    const before = brace < 0 ? r.text : r.text.slice(0, brace)
    const { at, marker } = r.marks.find(before, r.at, r.isFinal || brace >= 0)
    r.takeRaw(at)
    if (marker !== undefined) return refuse(r, 'malformed', "expected the arguments' '{', found the end of the call")
    if (at === brace) break
    if (!r.isEnded) yield
  }
  const header = quoted ? readPrefixedName(r.raw.trim(), quoted.prefix) : readNameAndId(r.raw, named!)
  if ('error' in header) {
    refuse(r, header.error, header.problem)
    return
  }
  r.call.startNamed(r.calls, header.name, header.id)
  r.ticksLeft = header.isFenced ? 3 : 0
  r.argumentsFrom = r.rawLength
  r.state = quoted ? 'quoted' : 'object'
}

type Header = { name: string; id?: string; isFenced?: boolean }

function readPrefixedName(written: string, prefix: string): Header | CallRefusal {
  return checkedName(written.startsWith(prefix) ? written.slice(prefix.length).trim() : written)
}

/** Reads what precedes the arguments' opening brace: `name[CALL_ID]id[ARGS]`, or `function<sep>name⏎ ```json⏎`. */
export function readNameAndId(header: string, { separator, id: idMark, nameAfter, fenced, indexed }: NamedBody): Header | CallRefusal {
  const at = header.indexOf(separator)
  const before = (at < 0 ? header : header.slice(0, at)).trim()
  const after = at < 0 ? '' : header.slice(at + separator.length).trim()
  const isFenced = after !== ''
  if (isFenced && !fenced) return { error: 'malformed', problem: `expected '{' after ${separator}, found ${show(after)}` }
  const nameAt = nameAfter === undefined ? -1 : before.indexOf(nameAfter)
  if (nameAt >= 0) return checkedName(before.slice(nameAt + nameAfter!.length).trim(), { id: before.slice(0, nameAt).trim() })
  if (indexed) return checkedName(/^(?:functions\.)?(\S+):\d+$/.exec(before)?.[1] ?? '', { id: before })
  const idAt = idMark === undefined ? -1 : before.indexOf(idMark)
  const inFence = isFenced ? /^(\S+)\s*\n[ \t]*```(?:json)?$/.exec(after)?.[1] : undefined
  if (isFenced && inFence === undefined) return { error: 'malformed', problem: `expected a name and a JSON fence, found ${show(after)}` }
  const id = idAt < 0 ? '' : before.slice(idAt + idMark!.length).trim()
  return checkedName(inFence ?? (idAt < 0 ? before : before.slice(0, idAt).trim()), { id, isFenced })
}

function checkedName(name: string, { id = '', isFenced = false } = {}): Header | CallRefusal {
  if (!/^\S+$/.test(name)) return { error: 'no-name', problem: `${show(name)} is not a tool name` }
  return { name, isFenced, ...(id === '' ? {} : { id }) }
}

function show(text: string): string {
  return `'${text.length > 40 ? `${text.slice(0, 40)}…` : text}'`
}

/** The JSON of a call, or of its arguments. */
export function* readObject(r: Reading): Steps {
  const { call } = r
  const onText = call.isNamed ? (text: string) => call.addArguments(text) : undefined
  if (yield* scanCall(r, new ObjectScanner(!r.isStrict, call), onText)) completeCall(r, call.complete(r.raw.slice(r.argumentsFrom)))
}

/** What is between the calls of a list, and after the list. */
export function* readList(r: Reading): Steps {
  for (;;) {
    const mark = yield* markAhead(r, () => r.passSpace())
    if (mark !== undefined) {
      if (r.state === 'list') reportOpenList(r)
      if (mark !== 'end of reply') return followMark(r, mark)
      r.state = 'over'
      return
    }
    const first = r.text[r.at]
    if (first !== '{' && r.state === 'list' && r.isTentative && !r.hasCalls) return becomeText(r)
    if (r.state === 'list-end') {
      if (r.block.close === undefined) {
        r.state = 'text'
        return
      }
      startCall(r)
      return refuse(r, 'trailing-text', `expected ${r.block.close}`, true)
    }
    if (first === ']' || first === ',') {
      if (first === ']') r.state = 'list-end'
      r.at++
      continue
    }
    startCall(r)
    if (first === '{') r.state = 'object'
    else refuse(r, 'malformed', 'expected a call', true)
    return
  }
}

export function reportOpenList(r: Reading): void {
  r.report('the list of calls is not closed', r.position)
}

/** A call is complete: only its closing mark, or the end of its fence, should follow. */
export function* readAfterCall(r: Reading): Steps {
  for (;;) {
    const mark = yield* markAhead(r, passFence)
    if (mark === 'end of reply') {
      finishCall(r, true)
      r.state = 'over'
      return
    }
    if (mark !== undefined) {
      const isClosed = mark.meaning.kind === 'close'
      finishCall(r, !isClosed, r.position + (isClosed ? mark.text.length : 0))
      return followMark(r, mark)
    }
    const first = r.text[r.at]!
    if (!r.block.json?.several || !'{,;'.includes(first)) return refuse(r, 'trailing-text', `expected ${r.block.close}`, true)
    if (first === '{') {
      finishCall(r, false)
      startCall(r)
      r.state = 'object'
      return
    }
    r.takeRaw(r.at + 1)
  }
}

/** Passes white space and the ticks that close a fence. */
function passFence(r: Reading): void {
  r.takeRaw(endOfSpace(r.text, r.at))
  while (r.ticksLeft > 0 && r.text[r.at] === '`') {
    r.ticksLeft--
    r.takeRaw(r.ticksLeft === 0 ? endOfSpace(r.text, r.at + 1) : r.at + 1)
  }
}

/** Between calls without marks: white space and a separator belong to them only if another call follows. */
export function* readBetweenCalls(r: Reading): Steps {
  const { separator } = r.block.json!
  for (;;) {
    let at = endOfSpace(r.text, r.at)
    if (!r.hasSeparator && r.text[at] === separator) {
      r.hasSeparator = true
      at = endOfSpace(r.text, at + 1)
    }
    r.lead += r.text.slice(r.at, at)
    r.at = at
    if (!r.isEmpty || r.isEnded) break
    yield
  }
  const { lead } = r
  r.lead = ''
  if (r.text[r.at] === '{') {
    startBlock(r, r.block)
    r.lead = lead
    r.leadFrom -= lead.length
  } else {
    r.sayHeld(lead, r.position - lead.length)
    r.state = 'text'
  }
}

/** Passes the rest of a refused block, up to the next mark. */
export function* skipRefused(r: Reading): Steps {
  for (;;) {
    const { at, marker } = r.marks.find(r.text, r.at, r.isFinal)
    r.takeRaw(at)
    const isOpen = r.block.close !== undefined
    if (marker !== undefined) {
      const isClosed = marker.meaning.kind === 'close'
      finishRefusal(r, isOpen && !isClosed, r.position + (isClosed ? marker.text.length : 0))
      return followMark(r, marker)
    }
    if (r.isEnded) {
      finishRefusal(r, isOpen)
      r.state = 'over'
      return
    }
    yield
  }
}
