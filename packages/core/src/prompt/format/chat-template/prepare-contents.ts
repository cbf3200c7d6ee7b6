import type { Note } from '../../../base/errors/note.ts'
import { dictGet, isDict, isList, type PyValue } from '../../../base/python/index.ts'
import type { Media } from '../../../base/text/index.ts'
import { neededFormats } from '../more-formats.ts'
import type { EngineModel, EngineView } from '../parts/as-engine.ts'
import { asTemplateTakes } from '../parts/as-template-takes.ts'
import type { EngineMessage } from '../parts/engine-message.ts'
import type { PartsEngine } from '../parts/parts-engine.ts'
import type { WrittenMedia } from '../parts/place-media.ts'
import { type ContentRole, contentRoles, mediaShapes, TemplateContents } from '../parts/template-contents.ts'
import type { ShownMessage } from './shown-messages.ts'

/** The serving stack whose treatment of contents is followed, and what it knows about the model. */
export type PartsOptions = EngineModel & { engine: PartsEngine }

/** Prepares the contents of messages for a template: as it takes them itself, or as a serving stack would. */
export class ContentPreparer {
  readonly contents: TemplateContents
  readonly #source: string
  readonly #options: PartsOptions | undefined
  #view: EngineView | undefined

  constructor(source: string, options: PartsOptions | undefined, render: (messages: readonly PyValue[]) => string | undefined) {
    this.contents = new TemplateContents(render)
    this.#source = source
    this.#options = options
  }

  prepare(shown: readonly ShownMessage[], notes: Note[]): readonly ShownMessage[] {
    if (this.#options === undefined && shown.every(isString) && this.#takesStrings()) return shown
    const given = shown.map(({ message, pieces, path }) => ({ message, pieces, path }))
    const seen = this.#options === undefined ? asTemplateTakes(given, this.contents, notes) : this.#asEngine(given, this.#options)
    // llama.cpp may put the first message into the second.
    const dropped = shown.length - seen.length
    const prepared = seen.map((one, index): ShownMessage => {
      const { content: _, ...own } = shown[index + dropped]!
      return { ...own, ...one, ...(one.content ? { content: one.content } : {}) }
    })
    if (this.#options !== undefined) this.#noteLeftOut(prepared, this.#options.engine, notes)
    return prepared
  }

  /** Whether the template writes something for media of a kind in a message of a role. */
  takes(role: string, kind: Media['kind']): boolean {
    const known = contentRoles.find((probed) => probed === role) ?? 'user'
    return Object.entries(mediaShapes).some(([shape, media]) => media.kind === kind && this.contents.media(known, shape).fate === 'shown')
  }

  /** What the template wrote for the media of its messages. */
  mediaOf(shown: readonly ShownMessage[]): WrittenMedia[] {
    return shown.flatMap((message, turn) => {
      if (message.media.length === 0) return []
      const marks = this.#placeholders(message)
      return message.media.map((piece, index) => ({ piece, placeholder: marks[index] ?? '', turn }))
    })
  }

  #takesStrings(): boolean {
    return this.contents.text('user', 'string') === 'shown' || this.contents.text('user', 'part') !== 'shown'
  }

  #asEngine(
    given: readonly { message: ShownMessage['message']; pieces: ShownMessage['pieces']; path: string }[],
    options: PartsOptions,
  ): EngineMessage[] {
    this.#view ??= neededFormats('parts', 'the rules of serving stacks are').engines.asEngine(options.engine, this.#source, options)
    return this.#view.convert(given)
  }

  /** The texts that stand for the media of a message. */
  #placeholders({ message, content, parts }: ShownMessage): string[] {
    if (content !== undefined) return content.filter(({ control, source }) => control && source.path === 'parts').map(({ text }) => text)
    const list = dictGet(message, 'content')
    if (parts === undefined || !isList(list ?? null)) return []
    return (list as readonly PyValue[]).flatMap((part) => {
      const shape = shapeOf(part)
      if (shape === undefined) return []
      const { fate, placeholder } = this.contents.media(roleOf(message), shape)
      return fate === 'shown' ? [placeholder] : []
    })
  }

  /** Media that a stack drops, or passes on in a shape for which the template writes nothing. */
  #noteLeftOut(shown: readonly ShownMessage[], engine: PartsEngine, notes: Note[]): void {
    for (const message of shown) {
      const { length } = this.#placeholders(message)
      for (const { media, source } of message.media.slice(length))
        notes.push({
          code: 'part-left-out',
          where: source.path,
          text: `prepared as ${engine} does, the ${media.kind} leaves no trace in the prompt`,
        })
    }
  }
}

function isString({ content, message }: ShownMessage): boolean {
  return content !== undefined || !isList(dictGet(message, 'content') ?? null)
}

function roleOf(message: ShownMessage['message']): ContentRole {
  return contentRoles.find((role) => role === dictGet(message, 'role')) ?? 'user'
}

/** The shape of a part of media; undefined for text. */
function shapeOf(part: PyValue): string | undefined {
  const type = isDict(part) ? dictGet(part, 'type') : undefined
  if (typeof type !== 'string' || !isDict(part)) return undefined
  const withUrl = `{ type: ${type}, url }`
  if (dictGet(part, 'url') !== undefined && Object.hasOwn(mediaShapes, withUrl)) return withUrl
  const plain = `{ type: ${type} }`
  return Object.hasOwn(mediaShapes, plain) ? plain : undefined
}
