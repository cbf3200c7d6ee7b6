import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { readGgufTokenizer } from '../../../prompt/tokenizer/gguf/gguf-tokenizer.ts'
import { readHuggingFaceTokenizer } from '../../../prompt/tokenizer/hugging-face/hugging-face-tokenizer.ts'
import { readSentencePiece } from '../../../prompt/tokenizer/sentencepiece/sentencepiece-tokenizer.ts'
import type { Tokenizer } from '../../../prompt/tokenizer/tokenizer.ts'
import { readGgufMetadata } from './gguf/read-gguf.ts'

/** Reads a model's tokenizer: its folder, a `tokenizer.json` (with the `tokenizer_config.json` beside it), a `tokenizer.model`, or a GGUF file. */
export function loadTokenizer(path: string): Tokenizer {
  if (!existsSync(path)) {
    throw new PromptError('no-file', {
      where: path,
      problem: 'there is no such file or folder',
      fix: "give the model's folder, its tokenizer.json, its tokenizer.model or a GGUF file",
    })
  }
  if (statSync(path).isDirectory()) return loadTokenizer(inFolder(path))
  if (path.endsWith('.gguf')) return readGgufTokenizer(readGgufMetadata(path), basename(path))
  if (path.endsWith('.model')) return readSentencePiece(readFileSync(path), basename(path))
  const beside = join(dirname(path), 'tokenizer_config.json')
  return readHuggingFaceTokenizer(readJson(path), existsSync(beside) ? readJson(beside) : {}, path)
}

function inFolder(folder: string): string {
  const found = ['tokenizer.json', 'tokenizer.model'].map((name) => join(folder, name)).find((file) => existsSync(file))
  if (found !== undefined) return found
  throw new PromptError('no-file', {
    where: folder,
    problem: 'the folder has neither a tokenizer.json nor a tokenizer.model',
    fix: "give the model's folder",
  })
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new PromptError('bad-tokenizer', {
      where: path,
      problem: `this is not JSON (${(error as Error).message})`,
      fix: "give the tokenizer.json of the model's folder; if it is truncated, copy it again",
    })
  }
}
