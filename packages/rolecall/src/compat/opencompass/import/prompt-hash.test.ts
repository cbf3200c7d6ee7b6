import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sha256 } from '../../../python/library/sha256.ts'
import { promptHash } from './prompt-hash.ts'

test('SHA-256 matches the standard', () => {
  const sizes = [0, 1, 55, 56, 63, 64, 65, 119, 120, 1000].map((length) => new Uint8Array(length).fill(length))
  for (const bytes of sizes) expect(sha256(bytes)).toBe(createHash('sha256').update(bytes).digest('hex'))
  fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => sha256(bytes) === createHash('sha256').update(bytes).digest('hex')))
})

// Python: sha256(json.dumps(infer_cfg, sort_keys=True).encode()).hexdigest(), with fix_id_list moved to the inferencer.
const json =
  '{"inferencer": {"fix_id_list": [0, 1], "type": "GenInferencer"}, "prompt_template": {"template": "\\u95ee"}, "retriever": {"type": "FixKRetriever"}}'
const dataset = {
  infer_cfg: {
    retriever: { type: 'FixKRetriever', fix_id_list: [0, 1] },
    prompt_template: { template: '问' },
    inferencer: { type: 'GenInferencer' },
  },
}

test('the ids of fixed examples are hashed as part of the inferencer, as in OpenCompass', () => {
  expect(promptHash(dataset)).toBe(createHash('sha256').update(json).digest('hex'))
})

test('several datasets have the hash of their hashes, a single one has its own', () => {
  const one = promptHash(dataset)
  expect(promptHash([dataset])).toBe(one)
  expect(promptHash([dataset, dataset])).toBe(createHash('sha256').update(`${one},${one}`).digest('hex'))
})

test('a reader_cfg inside the infer_cfg, as in the first releases, is hashed with its columns and splits, types without their module', () => {
  const old = {
    reader_cfg: { input_columns: ['q'], output_column: 'a' },
    infer_cfg: {
      reader_cfg: { type: 'm.R', train_split: 'dev' },
      retriever: { type: 'm.ZeroRetriever' },
      inferencer: { type: 'm.GenInferencer' },
    },
  }
  const text =
    '{"inferencer": {"type": "GenInferencer"}, "reader": {"input_columns": ["q"], "output_column": "a", "type": "DatasetReader"}, ' +
    '"reader_cfg": {"train_split": "dev", "type": "R"}, "retriever": {"index_split": "dev", "type": "ZeroRetriever"}}'
  expect(promptHash(old)).toBe(createHash('sha256').update(text).digest('hex'))
})

test('the dataset itself is not modified', () => {
  const before = structuredClone(dataset)
  promptHash(dataset)
  expect(dataset).toEqual(before)
})

test('the hashes in the names of OpenCompass’s files', () => {
  const name = (module: string, type: string) => `opencompass.openicl.icl_${module}.${type}`
  const of = (template: string, inferencer: Record<string, string | number>) => ({
    infer_cfg: {
      [inferencer.max_out_len === undefined ? 'prompt_template' : 'ice_template']: {
        type: name('prompt_template', 'PromptTemplate'),
        template,
      },
      retriever: { type: name('retriever', 'ZeroRetriever') },
      inferencer,
    },
  })
  // scicode_gen_085b98.py and CIBench_generation_gen_8ab0dc.py, which has six datasets with the same prompts
  const scicode = of('', { type: name('inferencer', 'ChatInferencer'), infer_mode: 'every', max_out_len: 4096 })
  expect(promptHash(scicode).slice(0, 6)).toBe('085b98')
  const cibench = of('{questions}', { type: name('inferencer', 'AgentInferencer'), infer_mode: 'every' })
  expect(promptHash(Array(6).fill(cibench)).slice(0, 6)).toBe('8ab0dc')
})
