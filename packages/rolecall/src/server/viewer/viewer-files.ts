import { existsSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PromptError } from '@rolecall/core/internal/errors'
import { readSentencePiece } from '@rolecall/core/internal/tokenizer'
import { readGgufMetadata } from '../../node/models/gguf/read-gguf.ts'
import { packageFile } from '../../node/own-files.ts'
import { readWholeFile } from '../../node/read-whole-file.ts'

/** The built page: in the package, made by `npm run build`; in a clone, by `buildViewer`. */
export const builtViewer = fileURLToPath(packageFile('dist/viewer/'))

/** Files with which the page runs the embedded model, by their paths on the site. */
export function embeddedFiles(): Map<string, string> {
  return new Map([
    ['embedded/model.safetensors', fileURLToPath(packageFile('embedded-model/model.int8.safetensors'))],
    ['embedded/tokenizer.json', fileURLToPath(packageFile('embedded-model/tokenizer.json'))],
  ])
}

/** The folder of the built page; throws if it is not built. */
export function viewerFolder(folder = builtViewer): string {
  if (existsSync(new URL('index.html', `file://${folder.endsWith('/') ? folder : `${folder}/`}`))) return folder
  throw new PromptError('not-built', {
    where: folder,
    problem: 'the viewer is not built',
    fix: 'run `npm run build:viewer` in a clone, or reinstall rolecall',
  })
}

/** A tokenizer file for the page; of a GGUF file, which has gigabytes, only the vocabulary, as JSON. */
export function tokenizerFile(path: string): Uint8Array<ArrayBuffer> {
  if (!path.endsWith('.gguf')) return new Uint8Array(checkedTokenizer(path))
  const entries = [...readGgufMetadata(path)].filter(([key]) => key.startsWith('tokenizer.ggml.'))
  return new TextEncoder().encode(JSON.stringify(entries, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value)))
}

/** A run's config may name any file as its tokenizer, and pages are published: what is none is refused. */
function checkedTokenizer(path: string): Buffer {
  const bytes = readWholeFile(path)
  if (path.endsWith('.model')) readSentencePiece(bytes, basename(path))
  else if (!isTokenizerJson(bytes, basename(path)))
    throw new PromptError('bad-tokenizer', {
      where: path,
      problem: 'this is not a tokenizer: it is shown to nobody',
      fix: 'correct the tokenizer of the model in the config',
    })
  return bytes
}

function isTokenizerJson(bytes: Buffer, name: string): boolean {
  try {
    const content = JSON.parse(bytes.toString('utf8')) as { model?: { vocab?: unknown } } | null
    return name === 'tokenizer_config.json' ? isTokenizerConfig(content) : typeof content?.model?.vocab === 'object'
  } catch {
    return false
  }
}

/** A link of this name may lead to credentials, which are a JSON object as well. */
function isTokenizerConfig(content: unknown): boolean {
  const keys = ['tokenizer_class', 'chat_template', 'bos_token', 'eos_token', 'added_tokens_decoder', 'model_max_length']
  return typeof content === 'object' && content !== null && keys.some((key) => key in content)
}

const mediaTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
}

export function mediaType(path: string): string {
  return mediaTypes[extname(path)] ?? 'application/octet-stream'
}
