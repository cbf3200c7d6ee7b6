import { dictEntries, dictFromEntries, isDict, type PyValue, parseJson, stringifyJson } from '../../base/python/index.ts'
import type { MarkPair } from '../syntax.ts'
import type { ToolChecker } from '../tool-checker.ts'
import { readElements } from '../values/read-elements.ts'
import { declaredValue, propertySchema, typedValue } from '../values/typed-value.ts'
import type { TagMark, TagMarkers } from './compile-syntax.ts'
import { GrowingText } from './growing-text.ts'
import type { Marker, MarkerSet } from './marker-set.ts'
import type { Reading, Steps } from './reading.ts'
import { endsEarly, finishCall, followMark, refuse } from './transitions.ts'

/** A call with tagged arguments, up to the mark that ends it. */
export function* readTagged(r: Reading): Steps {
  const call = new TaggedCall(r)
  r.call.start(r.calls, undefined, true)
  while (r.state === 'tagged') {
    const { markers } = call
    const { at, marker } = markers.find(r.text, r.at, r.isFinal)
    call.takeText(at)
    if (marker !== undefined) call.follow(marker)
    else if (!r.isEnded) {
      yield
      if (r.isTokenOf(r.marks) && typeof call.markers.match(r.text, 0, true) !== 'object') call.seesMarks = true
    } else call.end()
  }
}

class TaggedCall {
  /** Marks count in values: a value that never closed has swallowed them. */
  seesMarks: boolean
  readonly #r: Reading
  readonly #markers: TagMarkers
  #part: 'name' | 'head' | 'between' | 'key' | 'attributes' | 'value' = 'name'
  /** The text of the part so far. */
  readonly #text = new GrowingText()
  /** The id of the call, where it precedes the name. */
  #id: string | undefined
  #key = ''
  #attributes = ''
  readonly #entries: [string, PyValue][] = []
  /** The arguments so far, as JSON. */
  #json = ''
  /** Where the open value began in the text of the call. */
  #valueFrom = 0
  /** Whether the open value begins with a CDATA section; undefined until its first mark. */
  #isCdata: boolean | undefined
  /** The last characters of the part so far. */
  #tail = ''

  constructor(r: Reading) {
    this.#r = r
    this.#markers = r.syntax.tags.get(r.block)!
    this.seesMarks = r.isStrict
  }

  get #body() {
    return this.#r.block.tagged!
  }

  get markers(): MarkerSet<TagMark> {
    return this.#markers[this.#part === 'value' && this.seesMarks ? 'openValue' : this.#part]
  }

  takeText(to: number): void {
    const text = this.#r.text.slice(this.#r.at, to)
    this.#text.add(text)
    this.#tail = (this.#tail + text.slice(-16)).slice(-16)
    this.#r.takeRaw(to)
  }

  follow({ text, meaning: mark }: Marker<TagMark>): void {
    const r = this.#r
    const { elements, headEnd, parameter } = this.#body
    const end = r.at + text.length
    if (mark === 'id-end') {
      this.#id = this.#text.take().trim()
      r.takeRaw(end)
      return
    }
    if (this.#isInCdata()) {
      this.takeText(end)
      return
    }
    // The mark ends a part that has no end mark, or lacks it.
    if (this.#part === 'name' && !this.#endName()) return
    if (this.#part === 'value') {
      if (mark === 'other') refuse(r, 'truncated', endsEarly)
      else if (elements === undefined) this.#endValue()
    }
    if (mark === 'close') this.#close(end)
    if (mark === 'other' && r.state === 'tagged') this.#leaveOpen(end)
    if (mark === 'close' || mark === 'other') return
    switch (mark) {
      case 'name-end':
        this.#part = headEnd === undefined ? 'between' : 'head'
        break
      case 'head-end':
        this.#text.take()
        this.#part = 'between'
        break
      case 'parameter':
        if (!this.#endBetween()) return
        if (elements) this.#text.add(text)
        this.#part = elements ? 'value' : 'key'
        break
      case 'key-end':
        this.#key = unescapeName(this.#text.take(), parameter!.keyEnd)
        this.#part = parameter!.valueOpen === undefined ? 'value' : 'attributes'
        this.#valueFrom = r.rawLength + text.length
        break
      case 'value-open':
        this.#attributes = this.#text.take()
        this.#part = 'value'
        this.#valueFrom = r.rawLength + text.length
        break
      case 'value-close':
        this.#part = 'between'
        break
      default:
        mark satisfies never
    }
    r.takeRaw(end)
  }

  /** The name is complete; false if it is empty. */
  #endName(): boolean {
    const { prefix = '', nameEnd = '', namespaced } = this.#body
    const written = this.#text.take().trim()
    const name = unescapeName(written.startsWith(prefix) ? written.slice(prefix.length).trim() : written, nameEnd)
    if (name === '') {
      refuse(this.#r, 'no-name', 'the call has no name')
      return false
    }
    this.#r.call.setName(namespaced ? withoutNamespace(name, this.#r.tools) : name, this.#id)
    this.#part = 'between'
    return true
  }

  /** Between arguments there should be white space; a JSON object in their place is all of them. */
  #endBetween(): boolean {
    if (this.#part !== 'between') return true
    const text = this.#text.take().trim()
    if (text === '') return true
    const given = this.#entries.length === 0 && text.startsWith('{') ? entriesOfJson(text) : undefined
    if (given === undefined) {
      refuse(this.#r, 'malformed', `expected an argument, found '${text.slice(0, 40)}'`)
      return false
    }
    for (const [key, value] of given) this.#addEntry(key, value)
    return true
  }

  #isInCdata(): boolean {
    if (this.#part !== 'value' || !this.#body.parameter?.cdata) return false
    this.#isCdata ??= this.#text.value.trimStart().startsWith(cdata.open)
    return this.#isCdata && !this.#tail.trimEnd().endsWith(cdata.close)
  }

  #endValue(): void {
    const { padding, typeAttribute, json, cdata } = this.#body.parameter!
    const written = this.#text.take()
    let text = cdata ? withoutCdata(written) : written
    if (padding !== undefined) {
      if (text.startsWith(padding)) text = text.slice(padding.length)
      if (text.endsWith(padding)) text = text.slice(0, -padding.length)
    }
    // A value that is declared not to be a text is JSON.
    const isText = json ? false : typeAttribute === undefined ? undefined : isDeclaredText(this.#attributes, typeAttribute)
    const schema = isText === undefined ? propertySchema(this.#schema, this.#key) : undefined
    this.#addEntry(this.#key, isText === undefined ? typedValue(text, schema) : declaredValue(text, isText))
    this.#attributes = ''
    this.#isCdata = undefined
    this.#part = 'between'
  }

  get #schema(): PyValue | undefined {
    return this.#r.tools?.schemaOf(this.#r.call.name!)
  }

  #addEntry(key: string, value: PyValue): void {
    const written = `${stringifyJson(key, { ensureAscii: false })}: ${stringifyJson(value, { ensureAscii: false })}`
    this.#tell(`${this.#entries.length === 0 ? '{' : ', '}${written}`)
    this.#entries.push([key, value])
  }

  #tell(written: string): void {
    this.#json += written
    this.#r.call.addArguments(written)
  }

  #close(end: number): void {
    const r = this.#r
    const { elements } = this.#body
    if (elements && this.#part === 'value') {
      const given = readElements(this.#text.take(), elements, this.#schema)
      if ('problem' in given) {
        refuse(r, 'malformed', given.problem)
        return
      }
      for (const [key, value] of given.entries) this.#addEntry(key, value)
    } else if (this.#part === 'key' || this.#part === 'attributes') {
      const text = this.#text.take().trim()
      r.report(`the argument ${this.#part === 'key' ? text : this.#key} of ${r.call.name} has no value`, r.position)
    }
    if (!this.#endBetween()) return
    this.#complete()
    finishCall(r, false, r.offset + end)
    const mark = r.marks.match(r.text, r.at, r.isFinal)
    if (typeof mark === 'object') followMark(r, mark)
    else {
      r.state = 'text'
      r.at = end
    }
  }

  /** There are no more arguments. */
  #complete(): void {
    const r = this.#r
    this.#tell(this.#entries.length === 0 ? '{}' : '}')
    r.found = { name: r.call.name!, arguments: dictFromEntries(this.#entries), argumentsText: this.#json, id: r.call.id }
    r.foundLength = r.rawLength
  }

  /** Another mark is where the call should be closed: the call ends there. */
  #leaveOpen(end: number): void {
    const r = this.#r
    const mark = r.marks.match(r.text, r.at, r.isFinal)
    if (this.#part === 'key' || this.#part === 'attributes' || typeof mark !== 'object') this.takeText(end)
    else if (this.#endBetween()) {
      this.#complete()
      finishCall(r, true)
      followMark(r, mark)
    }
  }

  /** The reply has ended. */
  end(): void {
    const r = this.#r
    if (this.#isComplete()) {
      this.#complete()
      finishCall(r, true)
      r.state = 'over'
    } else if (!this.#readValueAgain()) refuse(r, 'truncated', endsEarly)
  }

  /** Whether the call lacks nothing but its closing mark. */
  #isComplete(): boolean {
    if (this.#part === 'name') return this.#body.nameEnd === undefined && this.#endName() && this.#endBetween()
    return this.#part === 'between' && this.#endBetween()
  }

  /** A value that never closed has swallowed what follows: reads it again with all marks. */
  #readValueAgain(): boolean {
    if (this.#part !== 'value' || this.#body.elements || this.#r.isStrict) return false
    this.seesMarks = true
    // Then marks count inside a CDATA section, too.
    this.#isCdata = false
    if (!this.#r.rewind(this.#valueFrom, this.markers)) return false
    this.#text.value = this.#r.raw.slice(this.#valueFrom)
    return true
  }
}

const cdata: MarkPair = { open: '<![CDATA[', close: ']]>' }

function withoutCdata(written: string): string {
  const text = written.trim()
  return text.startsWith(cdata.open) && text.endsWith(cdata.close) ? text.slice(cdata.open.length, -cdata.close.length) : written
}

function withoutNamespace(name: string, tools: ToolChecker | undefined): string {
  const last = name.slice(name.lastIndexOf('.') + 1)
  return tools?.has(last) && !tools.has(name) ? last : name
}

function entriesOfJson(text: string): [string, PyValue][] | undefined {
  try {
    const value = parseJson(text)
    return isDict(value) ? dictEntries(value) : undefined
  } catch {
    return undefined
  }
}

/** Whether the attribute says that the value is a text; undefined if it is absent. */
function isDeclaredText(attributes: string, name: string): boolean | undefined {
  const found = new RegExp(`(?:^|\\s)${name}\\s*=\\s*"([^"]*)"`).exec(attributes)?.[1]
  return found === undefined ? undefined : found === 'true' || found === 'string'
}

/** A name or key written as an attribute, in which entities stand for the characters that would end it. */
function unescapeName(written: string, end: string): string {
  const text = written.trim()
  if (!end.startsWith('"') || !text.includes('&')) return text
  return text.replace(/&(amp|quot|lt|gt|apos|#39);/g, (_, name: string) => entities[name]!)
}

const entities: Record<string, string> = { amp: '&', quot: '"', lt: '<', gt: '>', apos: "'", '#39': "'" }
