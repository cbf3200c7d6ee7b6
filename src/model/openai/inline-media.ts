import { dictEntries, dictFromEntries, isDict, isList, type PyValue } from '../../base/python/index.ts'
import type { ApiMessage, Prompt } from '../../prompt/format/format.ts'

type ChatPrompt = Prompt & { kind: 'chat' }

/** Reads media of a `file:` URL as a data URI. */
export type ReadMedia = (url: string) => Promise<string>

/**
 * The prompt with the files of a dataset's rows and templates as data URIs, which a server can read. Messages of a client keep their URLs:
 * a client must not read files of this machine.
 */
export async function inlineMedia(prompt: ChatPrompt, read: ReadMedia): Promise<ChatPrompt> {
  if (!prompt.messages.some((message) => isOfFiles(message))) return prompt
  const messages: ApiMessage[] = []
  for (const message of prompt.messages) {
    const own = isOfFiles(message)
    messages.push(own ? { ...message, parts: (await inlined(message.parts!, read)) as readonly PyValue[] } : message)
  }
  return { ...prompt, messages }
}

function isOfFiles({ content, parts }: ApiMessage): boolean {
  return (
    parts !== undefined &&
    content.some(
      (piece) => 'media' in piece && piece.media.url.startsWith('file:') && piece.source.by !== 'message' && piece.source.by !== 'tool',
    )
  )
}

async function inlined(value: PyValue | readonly PyValue[], read: ReadMedia): Promise<PyValue> {
  if (typeof value === 'string') return value.startsWith('file:') ? read(value) : value
  if (isList(value)) return Promise.all(value.map((one) => inlined(one, read)))
  if (!isDict(value)) return value as PyValue
  const entries = await Promise.all(
    dictEntries(value).map(async ([key, one]) => [key, key === 'text' ? one : await inlined(one, read)] as const),
  )
  return dictFromEntries(entries)
}
