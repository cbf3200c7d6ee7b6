import type { ApiMessage, Prompt } from '@rolecall/core/internal/format'
import { dictEntries, dictFromEntries, isDict, isList, type PyValue } from '@rolecall/core/internal/python'

type ChatPrompt = Prompt & { kind: 'chat' }

/** Reads media of a `file:` URL: a data URI as it is written in JSON, in ASCII. */
export type ReadMedia = (url: string) => Promise<Uint8Array>

/** A prompt with marks in place of files, and the body of a request with the files in place of the marks. */
export type MediaPrompt = { prompt: ChatPrompt; body(json: string): Promise<Uint8Array<ArrayBuffer>> }

/**
 * Marks the files of a dataset's rows and templates in a prompt: a server gets them as data URIs. They are read when a request is sent, as
 * bytes: a string would be copied several times. Messages of a client keep their URLs: a client must not read files of this machine.
 * Undefined if there are no files.
 */
export function inlineMedia(prompt: ChatPrompt, read: ReadMedia): MediaPrompt | undefined {
  if (!prompt.messages.some((message) => isOfFiles(message))) return undefined
  const id = crypto.randomUUID()
  const files: (() => Promise<Uint8Array>)[] = []
  // The `data` of `input_audio` is base64 without the head of a data URI.
  const mark: Mark = (url, key) => {
    const whole = () => read(url)
    return `${id}:${files.push(key === 'data' ? async () => withoutHead(await whole()) : whole) - 1}`
  }
  const messages = prompt.messages.map((message) =>
    isOfFiles(message) ? { ...message, parts: message.parts!.map((part) => marked(part, mark)) } : message,
  )
  return {
    prompt: { ...prompt, messages },
    async body(json) {
      const chunks: Uint8Array[] = []
      const encoder = new TextEncoder()
      for (const [index, text] of json.split(new RegExp(`"${id}:(\\d+)"`)).entries())
        chunks.push(...(index % 2 === 0 ? [encoder.encode(text)] : [quote, await files[Number(text)]!(), quote]))
      return joined(chunks)
    },
  }
}

const quote = new TextEncoder().encode('"')

function isOfFiles({ content, parts }: ApiMessage): boolean {
  return (
    parts !== undefined &&
    content.some(
      (piece) => 'media' in piece && piece.media.url.startsWith('file:') && piece.source.by !== 'message' && piece.source.by !== 'tool',
    )
  )
}

type Mark = (url: string, key: PyValue | undefined) => string

function marked(value: PyValue, mark: Mark, under?: PyValue): PyValue {
  if (typeof value === 'string') return value.startsWith('file:') ? mark(value, under) : value
  if (isList(value)) return value.map((one) => marked(one, mark, under))
  if (!isDict(value)) return value
  return dictFromEntries(dictEntries(value).map(([key, one]) => [key, key === 'text' ? one : marked(one, mark, key)] as const))
}

function withoutHead(uri: Uint8Array): Uint8Array {
  return uri.subarray(uri.indexOf(comma) + 1)
}

const comma = 0x2c

function joined(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0))
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}
