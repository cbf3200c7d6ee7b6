import { dictEntries, isDict, isList, type PyValue, parseJson, pyStr, stringifyJson } from '@rolecall/core/internal/python'
import { callsOf, type RecordedCall } from '@rolecall/core/internal/reply'

/** A value in one line: the messages of a conversation, calls, the entries of a list, else Python's `str`; null is empty. */
export function shortText(value: PyValue): string {
  if (value === null) return ''
  if (typeof value === 'string') return value
  if (!isList(value) || value.length === 0) return pyStr(value)
  const contents = value.map(contentOf)
  if (contents.every((text) => text !== undefined)) return contents.filter((text) => text !== '').join(' · ')
  const calls = callsOf(value)
  if (calls) return calls.map(callText).join(' · ')
  const isNested = value.some((one) => isDict(one) || (isList(one) && !callsOf(one)))
  return isNested ? pyStr(value) : value.map((one) => (isList(one) && one.length === 0 ? '' : shortText(one))).join(' · ')
}

/** `get_weather(city="Berlin")`; code and malformed calls as they are. */
function callText(call: RecordedCall): string {
  if ('code' in call) return call.code
  if ('malformed' in call) return call.malformed
  const json = (value: PyValue) => stringifyJson(value, { ensureAscii: false })
  const { name, arguments: given } = call
  return `${name}(${
    isDict(given)
      ? dictEntries(given)
          .map(([key, value]) => `${key}=${json(value)}`)
          .join(', ')
      : json(given)
  })`
}

/** The answer of a row in one line: its text, or its calls if it has no text. */
export function shortAnswer({ prediction, calls }: { prediction: PyValue; calls?: PyValue | undefined }): string {
  const isEmpty = isList(prediction) ? prediction.every((one) => one === '') : prediction === ''
  return shortText(isEmpty && calls !== undefined ? calls : prediction)
}

/** The content of a message; undefined for other values. */
function contentOf(value: PyValue): string | undefined {
  if (!isDict(value)) return undefined
  const message = new Map(dictEntries(value).map(([name, one]) => [String(name), one]))
  if (typeof message.get('role') !== 'string') return undefined
  const content = message.get('content') ?? ''
  return typeof content === 'string' ? content : pyStr(content)
}

/** The values of a row, or those of the given columns. */
export function rowText(line: string, columns: readonly string[] = []): string {
  return valuesOf(line, columns) ?? line
}

/** A row in one line: its values, or those of the given columns. Also works for truncated JSON. */
export function shortRow(line: string, columns: readonly string[] = []): string {
  const values = valuesOf(line, columns, mediaName) ?? valuesOf(closeJson(line), columns, mediaName)
  return (values ?? line.replace(/^\s*\{\s*"/, '')).replace(/\s+/g, ' ').slice(0, 160)
}

function withShown(value: PyValue, show: (text: string) => string): PyValue {
  if (typeof value === 'string') return show(value)
  return isList(value) ? value.map((one) => (typeof one === 'string' ? show(one) : one)) : value
}

/** `[cat.png]` for a file of media, `[image/png]` for a data URI; other texts as they are. */
function mediaName(text: string): string {
  const file = /^file:(?:[^#]*\/)?([^/#]+)#sha256=[0-9a-f]{64}$/.exec(text)?.[1]
  const type = /^data:((?:image|audio|video)\/[\w.+-]+)[;,]/.exec(text)?.[1]
  return file === undefined && type === undefined ? text : `[${file ?? type}]`
}

function valuesOf(line: string, columns: readonly string[], show = (text: string) => text): string | undefined {
  try {
    const row = parseJson(line)
    if (!isDict(row)) return undefined
    const all = dictEntries(row)
    const chosen = all.filter(([name]) => columns.includes(String(name)))
    return (chosen.length > 0 ? chosen : all).map(([, value]) => shortText(withShown(value, show))).join(' · ')
  } catch {
    return undefined
  }
}

/** Closes truncated JSON; drops a key without a value and a number that may be incomplete. */
function closeJson(line: string): string {
  const open: string[] = []
  let [isInString, comma, depthAtComma] = [false, -1, 0]
  for (let at = 0; at < line.length; at++) {
    const letter = line[at]!
    if (isInString) {
      if (letter === '\\') at++
      else if (letter === '"') isInString = false
    } else if (letter === '"') isInString = true
    else if (letter === '{' || letter === '[') open.push(letter === '{' ? '}' : ']')
    else if (letter === '}' || letter === ']') open.pop()
    else if (letter === ',') [comma, depthAtComma] = [at, open.length]
  }
  const ends = (depth: number) => open.slice(0, depth).reverse().join('')
  // Drops an incomplete escape or character.
  const whole = isInString
    ? `${line.replace(/(?<!\\)(?:\\\\)*\\(?:u[0-9a-f]{0,3})?$/i, '').replace(/\uFFFD+$/, '')}"${ends(open.length)}`
    : ''
  if (whole !== '' && canRead(whole)) return whole
  return comma < 0 ? line : `${line.slice(0, comma)}${ends(depthAtComma)}`
}

function canRead(text: string): boolean {
  try {
    parseJson(text)
    return true
  } catch {
    return false
  }
}
