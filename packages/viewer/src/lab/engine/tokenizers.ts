import { readHuggingFaceTokenizer, readSentencePiece, type Tokenizer } from '@rolecall/core/internal/tokenizer'
import type { TokenizerSource } from './contract.ts'

/** As `tinyChat` has it; the network itself is loaded only when it is asked. */
const embeddedConfig = { bos_token: '<s>', eos_token: '<|im_end|>' }

const read = new Map<string, Promise<Tokenizer>>()

/** A tokenizer, read once; failures are not cached. */
export function tokenizerOf(source: TokenizerSource): Promise<Tokenizer> {
  const key = keyOf(source)
  const known = read.get(key)
  if (known) return known
  const loading = readTokenizer(source)
  loading.catch(() => read.delete(key))
  read.set(key, loading)
  return loading
}

function keyOf(source: TokenizerSource): string {
  return source.kind === 'url' ? source.url : `${source.kind} ${source.name}`
}

async function readTokenizer(source: TokenizerSource): Promise<Tokenizer> {
  switch (source.kind) {
    case 'embedded':
      return readHuggingFaceTokenizer(await (await fetched('embedded/tokenizer.json')).json(), embeddedConfig, source.name)
    case 'url': {
      const response = await fetched(source.url)
      const packed = response.body?.pipeThrough(new DecompressionStream('gzip'))
      const { tokenizer, config } = (await new Response(packed).json()) as { tokenizer: object; config: object }
      return readHuggingFaceTokenizer(tokenizer as never, config as never, source.name)
    }
    case 'huggingface': {
      const config: unknown = source.config === undefined ? {} : JSON.parse(source.config)
      return readHuggingFaceTokenizer(JSON.parse(source.tokenizer), config as never, source.name)
    }
    case 'sentencepiece':
      return readSentencePiece(source.bytes, source.name)
    case 'gguf': {
      const { readGgufTokenizer } = await import('rolecall/internal/model/gguf/gguf-tokenizer')
      return readGgufTokenizer(new Map(source.metadata) as never, source.name)
    }
    default:
      return source satisfies never
  }
}

async function fetched(url: string): Promise<Response> {
  const response = await fetch(new URL(url, self.location.href))
  if (!response.ok) throw new Error(`${url}: status ${response.status}`)
  return response
}
