import type { PyValue } from '../../../base/python/index.ts'
import type { TagMark, TagMarkers } from './compile-syntax.ts'
import type { MarkerSet } from './marker-set.ts'
import { TextBuffer } from './text-buffer.ts'

export type TaggedPart = 'name' | 'head' | 'between' | 'key' | 'attributes' | 'value'

/** A call with tagged arguments while it is being read: which part comes next, and what that part says so far. */
export class TaggedCall {
  part: TaggedPart = 'name'
  /** What the part says so far. */
  readonly text = new TextBuffer()
  /** The call's id, where it stands before the name. */
  id: string | undefined
  key = ''
  attributes = ''
  entries: [string, PyValue][] = []
  /** The arguments so far, as JSON. */
  readonly json = new TextBuffer()
  /** Where the value that is open began in the call's text. */
  valueFrom = 0
  /** Marks count in values, too: a value that never closed has swallowed them. */
  seesMarks = false
  #markers!: TagMarkers

  /** Nothing of the next call is known. */
  start(markers: TagMarkers, seesMarks: boolean): void {
    this.#markers = markers
    this.seesMarks = seesMarks
    this.part = 'name'
    this.text.clear()
    this.id = undefined
    this.key = ''
    this.attributes = ''
    this.entries = []
    this.json.clear()
    this.valueFrom = 0
  }

  get markers(): MarkerSet<TagMark> {
    switch (this.part) {
      case 'name':
        return this.#markers.name
      case 'head':
        return this.#markers.head
      case 'between':
        return this.#markers.between
      case 'key':
        return this.#markers.key
      case 'attributes':
        return this.#markers.attributes
      case 'value':
        return this.seesMarks ? this.#markers.openValue : this.#markers.value
      default:
        return this.part satisfies never
    }
  }

  /** What the part says; the next one starts empty. */
  take(): string {
    const text = this.text.toString()
    this.text.clear()
    return text
  }
}
