import { afterAll, expect, test } from 'vitest'
import { pyRepr } from '../../../../../core/src/base/python/index.ts'
import { refuseUnsupported } from '../check-task.ts'
import { FunctionMark } from '../yaml/function-mark.ts'
import { functionHost } from './function-host.ts'
import { setTaskPeers } from './jieba-module.ts'

afterAll(() => setTaskPeers(() => ({})))

const source = `
import jieba

def score(doc, results):
    return {"acc": len(list(jieba.cut(results[0], cut_all=False)))}
`
const mark = new FunctionMark('utils.score', 'task.yaml')
const find = () => functionHost((path) => (path === 'utils.py' ? source : undefined))

test('jieba splits words where jieba-wasm is installed; without it, the task is refused with how to install it', () => {
  setTaskPeers(() => ({ words: (text) => text.split('|') }))
  const found = find()(mark).call([null, ['猫头鹰|在|夜里|叫']])
  expect(pyRepr(found as Parameters<typeof pyRepr>[0])).toBe("{'acc': 4}")
  setTaskPeers(() => ({}))
  const keys = new Map([['process_results', mark]])
  expect(() => refuseUnsupported(keys, undefined, find())).toThrow('it needs jieba.cut. Run npm install jieba-wasm; or leave the task out')
})
