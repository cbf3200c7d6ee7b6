import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith } from '../folder-with.ts'
import { madeUpServer } from './made-up-server.ts'
import { openCompassClaims } from './opencompass-claims.ts'
import { claimLines, isTrue } from './run-outcome.ts'

const dataset = (evaluator: string) =>
  `d_datasets = [dict(abbr='d', type='JsonlDataset', path='gone.jsonl', reader_cfg=dict(input_columns=['q'], output_column='a'),
  infer_cfg=dict(prompt_template=dict(template='{q}')), eval_cfg=dict(evaluator=dict(type='${evaluator}')))]\n`

test('the words about the configs of a checkout are those of their runs', async () => {
  const folder = 'opencompass/configs/datasets'
  const checkout = folderWith({
    [`${folder}/known.py`]: dataset('AccEvaluator'),
    [`${folder}/unknown.py`]: dataset('NoEvaluator'),
    [`${folder}/bad.py`]: 'x = (',
  })
  const server = await madeUpServer()
  const { words, claims } = await openCompassClaims(checkout, { url: server.url, work: join(checkout, 'work') })
  await server.close()
  expect(words).toEqual({ ready: 0, 'not checked': 1, 'cannot run': 2 })
  expect(claims.map(({ name, data, said }) => [name, data, said])).toEqual([
    ['known.py', 'absent', 'not checked'],
    ['known.py', 'made up', 'ready'],
    ['unknown.py', 'absent', 'cannot run'],
  ])
  expect(claims.every(isTrue)).toBe(true)
}, 30_000)

test('a word that a run contradicts is listed', () => {
  const lines = claimLines('X', [{ name: 'a', data: 'absent', said: 'ready', did: { word: 'every row failed', why: 'd' } }])
  expect(lines[0]).toContain('1 contradictions')
  expect(lines.at(-1)).toContain('said "ready", but the run: every row failed d')
})
