import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { vocabularyFile } from '../on-demand.ts'

/** Tokenizers of the real transformers.js with published vocabularies: what AutoTokenizer.from_pretrained would open. */
export async function openTokenizers(names: readonly string[]): Promise<Record<string, unknown>> {
  const modules = join(process.env.ROLECALL_PEERS ?? '.', 'node_modules')
  // Its build for browsers takes a runtime that is already there: no network runs here, so tensors are enough.
  const ort = (await import(join(modules, 'onnxruntime-common/dist/esm/index.js'))) as object
  Object.assign(globalThis, { [Symbol.for('onnxruntime')]: { ...ort } })
  const { PreTrainedTokenizer } = (await import(join(modules, '@huggingface/transformers/dist/transformers.web.js'))) as {
    PreTrainedTokenizer: new (json: unknown, config: unknown) => unknown
  }
  const read = (path: string | undefined) => JSON.parse(readFileSync(path ?? '', 'utf8')) as unknown
  return Object.fromEntries(
    names.map((name) => [
      name,
      new PreTrainedTokenizer(read(vocabularyFile(name, 'tokenizer.json')), read(vocabularyFile(name, 'tokenizer_config.json'))),
    ]),
  )
}
