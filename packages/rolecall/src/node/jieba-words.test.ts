import { describe, expect, test } from 'vitest'
import { runExample } from '../../../../proof/testing/run-example.ts'
import { registerOpenCompass } from '../compat/opencompass/register-opencompass.ts'
import { chooseExamples } from '../evaluation/dataset/retrieve/choose-examples.ts'
import { evaluateAnswers } from '../evaluation/score/evaluate/evaluate-answers.ts'
import { evaluatorOf, evaluators } from '../evaluation/score/evaluate/evaluators.ts'
import { postprocessorOf, postprocessors } from '../evaluation/score/postprocess/postprocessors.ts'
import { findPeer } from './find-peer.ts'
import { jiebaWords, scoringPeers } from './jieba-words.ts'

registerOpenCompass()

const isInstalled = findPeer('jieba-wasm') !== undefined
// The reporter hides skipped tests, so print the reason.
if (!isInstalled) console.warn('words by jieba were not tried: jieba-wasm is not installed (scripts/install-peers.sh)')

describe.skipIf(!isInstalled)('with jieba-wasm (skipped where it is not installed)', () => {
  test("words match jieba's README", () => {
    // https://github.com/fxsjy/jieba
    expect(jiebaWords()!('我来到北京清华大学')).toEqual(['我', '来到', '北京', '清华大学'])
    expect(jiebaWords()!('他来到了网易杭研大厦')).toEqual(['他', '来到', '了', '网易', '杭研', '大厦'])
  })

  test('postprocessors and ROUGE use them', () => {
    const peers = scoringPeers()
    expect(postprocessorOf('general_cn', 'mine', peers)('The 猫 sat, on')).toBe('The   猫   sat ,   on')
    expect(postprocessorOf('flores-chinese', 'mine', peers)('今天天气很好\n……')).toBe('今天天气 很 好')
    const { figures } = evaluateAnswers(
      evaluatorOf({ type: 'JiebaRougeEvaluator' }, true, 'mine', peers),
      ['今天天气很好', '', '!'],
      ['今天天气不错', '', 'Ja'],
    )
    // One of three words and one of two: 2·(1/3·1/2)/(5/6) for the first row; 0 for rows without words.
    expect(figures.rouge1).toBeCloseTo(40 / 3, 5)
  })

  for (const definition of [...new Set(evaluators.values())].filter(({ needsWords }) => needsWords)) {
    test(`the worked example of ${definition.names[0]}, as in the docs`, () => runExample(definition, scoringPeers()))
  }

  for (const { names, example } of [...new Set(postprocessors.values())].filter(({ needsWords }) => needsWords)) {
    test(`the worked example of ${names[0]}, as in the docs`, () => {
      expect(postprocessorOf({ type: names[0]!, ...example.options }, 'mine', scoringPeers())(example.answer)).toEqual(example.becomes)
    })
  }

  test('BM25 matches words, not characters', async () => {
    const rows = [{ q: '大学生在公园' }, { q: '北京大学在海淀' }, { q: '上海的天气' }]
    const chosen = await chooseExamples(
      { reader_cfg: { input_columns: ['q'] }, infer_cfg: { retriever: { type: 'BM25Retriever', ice_num: 1, tokenizer: 'jieba' } } },
      rows,
      undefined,
      undefined,
      jiebaWords(),
    )
    expect(await chosen.examplesFor({ q: '北京大学好吗' }, 0)).toEqual([rows[1]])
  })
})

test('without jieba, evaluators that need words say what to install', () => {
  const peers = scoringPeers(() => undefined)
  expect(peers).toEqual({})
  expect(() => evaluatorOf({ type: 'JiebaRougeEvaluator' }, true, 'mine', peers)).toThrow(
    'mine › eval_cfg.evaluator.type: "JiebaRougeEvaluator" splits Chinese into words by jieba\'s dictionary, which is not installed',
  )
})
