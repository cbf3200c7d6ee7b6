import { PromptError } from '@rolecall/core/internal/errors'
import type { ApiMessage, Prompt } from '@rolecall/core/internal/format'
import { dictEntries, dictFromEntries, isDict, isList, type PyValue } from '@rolecall/core/internal/python'
import type { Piece } from '@rolecall/core/internal/text'

type ChatPrompt = Prompt & { kind: 'chat' }

/** Reads media of a `file:` URL that a config or a row names: a data URI as it is written in JSON, in ASCII. */
export type ReadMedia = (url: string, namedBy: 'config' | 'row') => Promise<Uint8Array>

/** A prompt with marks in place of files, and the body of a request with the files in place of the marks. */
export type MediaPrompt = { prompt: ChatPrompt; body(json: string): Promise<Uint8Array<ArrayBuffer>> }

/**
 * Marks the files of a dataset's rows and templates in a prompt: a server gets them as data URIs. They are read when a request is sent, as
 * bytes: a string would be copied several times. Messages of a client keep their URLs: a client must not read files of this machine.
 * Undefined if there are no files.
 */
export function inlineMedia(prompt: ChatPrompt, read: ReadMedia): MediaPrompt | undefined {
  if (!prompt.messages.some((message) => filesOf(message).size > 0)) return undefined
  refuseNamedFiles(prompt)
  const id = crypto.randomUUID()
  const files: (() => Promise<Uint8Array>)[] = []
  // The `data` of `input_audio` is base64 without the head of a data URI.
  const mark: Mark = (url, key, namedBy) => {
    const whole = () => read(url, namedBy)
    return `${id}:${files.push(key === 'data' ? async () => withoutHead(await whole()) : whole) - 1}`
  }
  const messages = prompt.messages.map((message) => {
    const named = filesOf(message)
    if (named.size === 0) return message
    return {
      ...message,
      parts: message.parts!.map((part) => marked(part, named, mark)),
      content: message.content.map((piece) => markedPiece(piece)),
    }

    // APIs with other parts than OpenAI's read the pieces: the place of a file is that of its content, and of its type.
    function markedPiece(piece: Piece): Piece {
      const namedBy = 'media' in piece ? named.get(piece.media.url) : undefined
      if (!('media' in piece) || namedBy === undefined) return piece
      const { url, kind } = piece.media
      return { ...piece, media: { kind, url: `${id}:${files.push(() => read(url, namedBy)) - 1}` } }
    }
  })
  const contentOf = async (text: string) => {
    const [number, part] = text.split(':')
    const uri = await files[Number(number)]!()
    if (part === undefined) return uri
    return part === 'data' ? withoutHead(uri) : typeIn(uri)
  }
  return {
    prompt: { ...prompt, messages },
    async body(json) {
      const chunks: Uint8Array[] = []
      const encoder = new TextEncoder()
      for (const [index, text] of json.split(new RegExp(`"${id}:(\\d+(?::data|:type)?)"`)).entries()) {
        if (index % 2 === 0) chunks.push(encoder.encode(text))
        else chunks.push(quote, await contentOf(text), quote)
      }
      return joined(chunks)
    },
  }
}

const quote = new TextEncoder().encode('"')

/** The files that a message has as media, and who names each. */
function filesOf({ content, parts }: ApiMessage): ReadonlyMap<string, 'config' | 'row'> {
  const files = new Map<string, 'config' | 'row'>()
  if (parts === undefined) return files
  for (const piece of content) {
    if (!('media' in piece) || !isFile(piece.media.url) || piece.source.by === 'message' || piece.source.by === 'tool') continue
    const { url } = piece.media
    files.set(url, piece.source.by === 'template' && files.get(url) !== 'row' ? 'config' : 'row')
  }
  return files
}

/** The end of a reference to a file, which a reader has made from what a row says. */
export const madeByReader = /#sha256=[0-9a-f]{64}$/

function isFile(url: string): boolean {
  return url.startsWith('file:')
}

/**
 * Refuses a file that a row itself names. Rows are data from anywhere: only references that a reader has made, with the hash of the file's
 * content, are sent.
 */
export function refuseNamedFiles(prompt: Prompt): void {
  if (prompt.kind !== 'chat') return
  for (const message of prompt.messages)
    for (const piece of message.content) {
      if (!('media' in piece) || piece.source.by !== 'field' || !isFile(piece.media.url) || madeByReader.test(piece.media.url)) continue
      throw refusedFile(piece.media.url, piece.source.path)
    }
}

/** `where` is the field, which begins with its column. */
function refusedFile(url: string, where: string): PromptError {
  const [column = where] = /^[^[.]+/.exec(where) ?? []
  return new PromptError('row-names-file', {
    where,
    problem: `it names a file of this machine (${url.slice(0, 200)}), which would be sent to the model's server`,
    fix: `if the column holds paths of media, add to the dataset: media_columns: [${column}], and media_root if they are not below the folder of the data file`,
  })
}

type Mark = (url: string, key: PyValue | undefined, namedBy: 'config' | 'row') => string

/** A part with marks in place of exactly the files that its message shows. */
function marked(value: PyValue, named: ReadonlyMap<string, 'config' | 'row'>, mark: Mark, under?: PyValue): PyValue {
  if (typeof value === 'string') {
    const namedBy = named.get(value)
    return namedBy === undefined ? value : mark(value, under, namedBy)
  }
  if (isList(value)) return value.map((one) => marked(one, named, mark, under))
  if (!isDict(value)) return value
  return dictFromEntries(dictEntries(value).map(([key, one]) => [key, key === 'text' ? one : marked(one, named, mark, key)] as const))
}

function withoutHead(uri: Uint8Array): Uint8Array {
  return uri.subarray(uri.indexOf(comma) + 1)
}

/** The type in the head of a data URI. */
function typeIn(uri: Uint8Array): Uint8Array {
  return uri.subarray(uri.indexOf(colon) + 1, uri.indexOf(semicolon))
}

const [comma, colon, semicolon] = [0x2c, 0x3a, 0x3b]

function joined(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0))
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}
