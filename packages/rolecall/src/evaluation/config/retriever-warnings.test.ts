import { expect, test } from 'vitest'
import { retrieverWarnings } from './check-config.ts'

const texts = (retriever?: object) => retrieverWarnings({ infer_cfg: { retriever } }, 'd').map(({ where, text }) => `${where}: ${text}`)

test('FixKRetriever without its list shows no examples, with a warning', () => {
  expect(texts({ type: 'FixKRetriever' })).toEqual([
    'd.infer_cfg.retriever: FixKRetriever has no fix_id_list, so that no examples are shown; write e.g. fix_id_list: [0, 1]',
  ])
})

test('a number of examples that differs from its list causes a warning', () => {
  expect(texts({ fix_id_list: [0], ice_num: 3 })).toEqual([
    'd.infer_cfg.retriever.ice_num: ice_num: 3 is not used: FixKRetriever shows the rows of fix_id_list (1)',
  ])
})

test('consistent settings cause no warning', () => {
  expect(
    [{ fix_id_list: [0, 1], ice_num: 2 }, { fix_id_list: [] }, { type: 'BM25Retriever', ice_num: 3 }, {}, undefined].flatMap(texts),
  ).toEqual([])
})
