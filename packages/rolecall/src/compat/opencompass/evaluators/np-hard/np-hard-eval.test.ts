import { expect, test } from 'vitest'
import { evaluateAnswers } from '../../../../evaluation/score/evaluate/evaluate-answers.ts'
import { evaluatorOf } from '../../../../evaluation/score/evaluate/evaluators.ts'
import { registerOpenCompass } from '../../register-opencompass.ts'
import { readXml } from './read-xml.ts'
import { christofidesLength, greedyLength } from './tours.ts'

registerOpenCompass()

const reply = (answer: string, tags = '<reasoning>r</reasoning>') => `<root>${tags}<final_answer>${answer}</final_answer></root>`
const graph = '3####\np edge 3 2\ne 1 2\ne 2 3\n'
const paths = '3####\n{"nodes": [0, 1, 2], "edges": [{"from": 0, "to": 1, "weight": 1}, {"from": 1, "to": 0, "weight": 4}]}'
const sack = '3####\n{"items": [{"id": 0, "weight": 2, "value": 3}, {"id": 1, "weight": 4, "value": 5}], "knapsack_capacity": 5}'
const array = '3####\n{"array": [9, 5, 7], "target": 7}'
const tour = `3####\n"${JSON.stringify({ 0: { 0: 0, 1: 2, 2: 3 }, 1: { 0: 2, 1: 0, 2: 4 }, 2: { 0: 3, 1: 4, 2: 0 } }).replaceAll('"', '\\"')}"`
const day =
  '3####\n{"meetings": [{"id": 1, "duration": 2}], "time_slots": 3, "participants": {"1": {"available_slots": [0, 1], "meetings": [1]}}}'

test.each<[type: string, answer: string, gold: string, isRight: boolean]>([
  ['P_SPP_Evaluator', reply("{'Path': '0->2', 'TotalDistance': 'none'}"), paths, true],
  ['P_SPP_Evaluator', reply("{'Path': '0->2', 'TotalDistance': '3'}"), paths, false],
  ['P_SPP_Evaluator', reply("{'Path': '0->1', 'TotalDistance': 1}"), '3####\n{"nodes": [], "edges": []}', false],
  [
    'P_EDP_Evaluator',
    'so <final_answer>I say {"Operations": 3}!</final_answer>',
    '3####\n{"string_a": "kitten", "string_b": "sitting"}',
    true,
  ],
  ['P_EDP_Evaluator', reply("{'Operations': [3]}"), '3####\n{"string_a": "kitten", "string_b": "sitting"}', false],
  ['P_BSP_Evaluator', reply("{'Position': '1'}"), array, true],
  ['P_BSP_Evaluator', reply("{'Position': -1}"), array, false],
  ['CMP_KSP_Evaluator', reply("{'Feasible': 'YES', 'TotalValue': 5, 'SelectedItemIds': [1]}"), sack, true],
  ['CMP_KSP_Evaluator', reply("{'Feasible': 'YES', 'TotalValue': 8, 'SelectedItemIds': [0, 1]}"), sack, false],
  ['CMP_GCP_D_Evaluator', reply("{'Feasible': 'Yes'}"), graph.replace('p', 'c 2 colors\np'), true],
  ['CMP_GCP_D_Evaluator', reply("{'Feasible': 1}"), graph.replace('p', 'c 2 colors\np'), false],
  ['CMP_GCP_D_Evaluator', reply("{'Feasible': 'yes'}", ''), graph.replace('p', 'c 2 colors\np'), false],
  ['HardGCPEvaluator', reply("{1: 'A', '2': 'B', 3: 'A'}"), graph, true],
  ['HardGCPEvaluator', reply("{1: 'A', 2: 'B'}"), graph, false],
  // Braces may be missing only where the text is not XML.
  ['HardGCPEvaluator', reply("1: 'A', 2: 'B', 3: 'A'"), graph, false],
  ['HardGCPEvaluator', `${reply("1: 'A', 2: 'B', 3: 'A'")} < end`, graph, true],
  ['Hard_MSP_Evaluator', reply('{1: [0, 1]}'), day, true],
  ['Hard_MSP_Evaluator', reply('{1: [1, 2]}'), day, false],
  ['Hard_MSP_Evaluator', reply('{1: [0, 1], 2: [2]}'), day, false],
  ['Hard_TSP_Evaluator', reply("{'Path': '1->2->0->1'}"), tour, true],
  ['Hard_TSP_Evaluator', reply("{'Path': '0->1->2'}"), tour, false],
  ['Hard_TSP_Evaluator', reply("{'Path': '0->1->x->0'}"), tour, false],
])('%s: %s for %s is %s', (type, prediction, reference, isRight) => {
  expect(evaluatorOf({ type }, true, 'mine').judge({ prediction, reference, row: {} }).score).toBe(Number(isRight))
})

test('problems count by their level', () => {
  const { figures } = evaluateAnswers(
    evaluatorOf({ type: 'HardGCPEvaluator' }, true, 'mine'),
    [reply('{1: 1, 2: 2, 3: 1}'), 'no'],
    [graph, graph.replace('3', '1')],
  )
  expect(figures).toEqual({ 'Weighted Accuracy': 75 })
})

test('under compat, binary search and knapsack accept nothing, as in OpenCompass', () => {
  const { figures } = evaluateAnswers(
    evaluatorOf({ type: 'P_BSP_Evaluator' }, true, 'mine', {}, { compat: 'opencompass' }),
    [reply("{'Position': '1'}")],
    [array],
  )
  expect(figures).toEqual({ 'Weighted Accuracy': 0 })
})

test.each(['no level', 'x####\n{}', '3####\nnot JSON'])('the gold answer %j is refused', (reference) => {
  const judge = () => evaluatorOf({ type: 'P_EDP_Evaluator' }, true, 'mine').judge({ prediction: '', reference, row: {} })
  expect(judge).toThrow('it is not a level, #### and a problem')
})

test.each([
  ['CMP_KSP_Evaluator', '3####\n{"items": [], "knapsack_capacity": 1e12}', 'a knapsack of 1000000000000'],
  ['HardGCPEvaluator', '3####\np edge 9999999999 1\n', 'a graph of 9999999999'],
])('%s refuses problems that would fill the memory', (type, reference, problem) => {
  expect(() => evaluatorOf({ type }, true, 'mine').judge({ prediction: reply('{}'), reference, row: {} })).toThrow(problem)
})

test('tours', () => {
  const square = [
    [0, 1, 9, 2],
    [1, 0, 3, 9],
    [9, 3, 0, 4],
    [2, 9, 4, 0],
  ]
  expect(christofidesLength(square)).toBe(10)
  expect(greedyLength(square)).toBe(10)
  expect(christofidesLength([[0]])).toBeUndefined()
  // 0 is no road.
  expect(
    christofidesLength([
      [0, 1, 0],
      [1, 0, 0],
      [0, 0, 0],
    ]),
  ).toBeUndefined()
})

test('XML, and what is none', () => {
  expect(readXml('<a x="1"> 1 &lt; 2 <b/><![CDATA[c]]></a>')).toEqual({
    name: 'a',
    text: ' 1 < 2 ',
    children: [{ name: 'b', text: '', children: [] }],
  })
  for (const text of ['', 'a', '<a>', '<a></b>', '<a/><b/>', '<a>&nbsp;</a>', '<a> & </a>', '<a>1 < 2</a>', '<a/> more', '</a>'])
    expect(readXml(text)).toBeUndefined()
})
