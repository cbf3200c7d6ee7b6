import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { compileChat } from '../../internal/compile.ts'
import { structuralTagTrials } from './index.ts'

// @mlc-ai/web-xgrammar: `ROLECALL_XGRAMMAR=/folder/with/node_modules`, or among the peers of the tests.
const folders = [process.env.ROLECALL_XGRAMMAR, process.env.ROLECALL_PEERS].filter((folder) => folder !== undefined)
const library = folders.map((folder) => `${folder}/node_modules/@mlc-ai/web-xgrammar/lib/index.js`).find((path) => existsSync(path))
const templates = fileURLToPath(new URL('../../../../../../shared/templates-2026/', import.meta.url))

type XGrammar = {
  Grammar: { fromStructuralTag(tag: object): Promise<{ dispose(): void }> }
  Testings: { isGrammarAcceptString(grammar: object, text: string): Promise<boolean> }
}

/** Its file is CommonJS, which its package.json calls a module. */
function loadXGrammar(path: string): XGrammar {
  const copy = join(mkdtempSync(join(tmpdir(), 'xgrammar-')), 'index.cjs')
  copyFileSync(path, copy)
  return createRequire(import.meta.url)(copy) as XGrammar
}

/** Its test engine takes a tenth of a second for a text. */
const tried = new Set(['a call', 'two calls', 'numbers and truth values'])

test.skipIf(library === undefined || !existsSync(templates))(
  'xgrammar accepts what chat templates write for calls, and refuses mutations of it',
  async () => {
    const { Grammar, Testings } = loadXGrammar(library!)
    const counts = { templates: 0, proven: 0, refused: 0, accepted: 0, mutations: 0 }
    const wrong: string[] = []
    for (const file of readdirSync(templates).filter((name) => name.endsWith('.jinja'))) {
      const special_tokens = { bos_token: '<s>', eos_token: '</s>' }
      const { format } = compileChat({ chat_template: readFileSync(`${templates}${file}`, 'utf8'), special_tokens })
      const before = wrong.length
      let trials: { probe: string; reply: string; tag: object; mutations: readonly string[] }[]
      try {
        trials = [...structuralTagTrials(format)]
      } catch {
        counts.refused++
        continue
      }
      if (trials.length === 0) continue
      counts.templates++
      const grammars = new Map<string, { dispose(): void }>()
      for (const { probe, reply, tag, mutations } of trials.filter((trial) => tried.has(trial.probe))) {
        const key = JSON.stringify(tag)
        const grammar = grammars.get(key) ?? (await Grammar.fromStructuralTag(tag).catch(() => undefined))
        if (grammar === undefined) {
          wrong.push(`${file}, ${probe}: no grammar, so that it is not accepted`)
          continue
        }
        grammars.set(key, grammar)
        if (await Testings.isGrammarAcceptString(grammar, reply)) counts.accepted++
        else wrong.push(`${file}, ${probe}: not accepted`)
        for (const mutation of mutations) {
          if (await Testings.isGrammarAcceptString(grammar, mutation)) wrong.push(`${file}, ${probe}: ${JSON.stringify(mutation)}`)
          else counts.mutations++
        }
      }
      for (const grammar of grammars.values()) grammar.dispose()
      if (wrong.length === before) counts.proven++
    }
    console.log(counts, wrong)
    expect(counts.proven / counts.templates).toBeGreaterThan(0.85)
    expect(wrong.filter((text) => !text.endsWith('not accepted'))).toEqual([])
  },
  600_000,
)
