import { expect, test } from 'vitest'
import { parseHubName, showHubName, shownHubPath } from './hub-name.ts'

const site = 'huggingface'
const kind = 'models'

test.for([
  ['Qwen/Qwen3-8B', { site, kind, id: 'Qwen/Qwen3-8B' }],
  ['Qwen/Qwen3-8B@v1.0', { site, kind, id: 'Qwen/Qwen3-8B', revision: 'v1.0' }],
  ['org/name:Q4_K_M', { site, kind, id: 'org/name', quantisation: 'Q4_K_M' }],
  ['hf:org/name:IQ4_XS', { site, kind, id: 'org/name', quantisation: 'IQ4_XS' }],
  ['hf://org/name@refs/pr/1', { site, kind, id: 'org/name', revision: 'refs/pr/1' }],
  ['org/name@feature%2Fx', { site, kind, id: 'org/name', revision: 'feature/x' }],
  ['hf://models/org/name', { site, kind, id: 'org/name' }],
  ['hf://org/name/sub/file.jinja', { site, kind, id: 'org/name', path: 'sub/file.jinja' }],
  ['hf.co/org/name:q8_0', { site, kind, id: 'org/name', quantisation: 'q8_0' }],
  ['https://huggingface.co/org/name/tree/main', { site, kind, id: 'org/name', revision: 'main' }],
  ['https://huggingface.co/org/name/blob/main/a/b.json?x=1', { site, kind, id: 'org/name', revision: 'main', path: 'a/b.json' }],
  ['https://huggingface.co/datasets/org/name', { site, kind: 'datasets', id: 'org/name' }],
  ['hf://datasets/org/name@v2/config/test', { site, kind: 'datasets', id: 'org/name', revision: 'v2', path: 'config/test' }],
  ['hf://gpt2', { site, kind, id: 'gpt2' }],
  ['hf:gpt2@v1:Q8_0', { site, kind, id: 'gpt2', revision: 'v1', quantisation: 'Q8_0' }],
  ['hf://datasets/squad', { site, kind: 'datasets', id: 'squad' }],
  [
    'hf://datasets/squad@main/plain_text/validation',
    { site, kind: 'datasets', id: 'squad', revision: 'main', path: 'plain_text/validation' },
  ],
  ['https://huggingface.co/datasets/org/name/viewer/easy/test?row=3', { site, kind: 'datasets', id: 'org/name', path: 'easy/test' }],
  [
    'https://huggingface.co/datasets/squad/viewer/plain_text',
    { site, kind: 'datasets', id: 'squad', revision: 'main', path: 'plain_text' },
  ],
  ['https://huggingface.co/datasets/org/name/viewer', { site, kind: 'datasets', id: 'org/name' }],
  ['https://huggingface.co/org/name/discussions', { site, kind, id: 'org/name' }],
  ['https://huggingface.co/org/viewer', { site, kind, id: 'org/viewer' }],
  ['https://www.modelscope.cn/datasets/org/name/dataPeview', { site: 'modelscope', kind: 'datasets', id: 'org/name' }],
  ['https://www.modelscope.cn/models/org/name/files', { site: 'modelscope', kind, id: 'org/name' }],
  ['hf.co/gpt2', { site, kind, id: 'gpt2' }],
  ['https://huggingface.co/gpt2/resolve/main/tokenizer.json', { site, kind, id: 'gpt2', revision: 'main', path: 'tokenizer.json' }],
  ['https://huggingface.co/datasets/squad/tree/main', { site, kind: 'datasets', id: 'squad', revision: 'main' }],
  ['ms://org/name', { site: 'modelscope', kind, id: 'org/name' }],
  ['https://www.modelscope.cn/models/org/name', { site: 'modelscope', kind, id: 'org/name' }],
] as const)('%s is a name', ([text, name]) => {
  expect(parseHubName(text)).toEqual(name)
  expect(parseHubName(showHubName(parseHubName(text)!))).toEqual(name)
})

test.for([
  './org/name',
  '/org/name',
  'name',
  'a/b/c',
  'data/test.jsonl',
  'C:\\x',
  'org/name:latest',
  '',
  'templates/chat.jinja',
  'org/name@50%',
  '../x/y',
])('%s is none', (text) => expect(parseHubName(text)).toBeUndefined())

test.for(['hf://', 'hf://..', 'hf://a b/c', 'ms://', 'ms://one', 'https://modelscope.cn/one'])('%s is an error', (text) => {
  expect(() => parseHubName(text)).toThrow('not the name of a repository')
})

test.each([
  'hf://acme/tiny/../../../.bashrc',
  'hf://acme/tiny@..',
  'hf://acme/tiny@a%2F..%2Fb',
  'hf://acme/tiny@%zz',
  'hf://acme/tiny//etc/passwd',
  'https://huggingface.co/acme/tiny/resolve/%2E%2E%2F..%2Fx/file',
  'https://huggingface.co/acme/tiny/blob/main/a%2F..%2F..%2Fb',
  'https://huggingface.co/acme/tiny/blob/main/%zz',
  'https://huggingface.co/datasets/acme/tiny/viewer/..%2F..%2Fx/y',
])('%s is refused: parts of a name become parts of paths in the cache', (text) => {
  expect(() => parseHubName(text)).toThrow('not the name of a repository')
})

test('paths in a cache are shown as names', () => {
  const commit = 'b968826d9c46dd6066d109eabc6255188de91218'
  expect(shownHubPath(`/c/hub/models--Qwen--Qwen3-8B/snapshots/${commit}`)).toBe('Qwen/Qwen3-8B@b968826d9c46')
  expect(shownHubPath(`/c/hub/datasets--a--b--c/snapshots/${commit}/x/y.csv`)).toBe('datasets/a/b--c@b968826d9c46/x/y.csv')
  expect(shownHubPath('C:\\c\\models--a--b\\.rolecall\\starts\\0\\m.gguf')).toBe('a/b/m.gguf')
  expect(shownHubPath('/c/models/a--b/snapshots/master/m.gguf')).toBe('ms://a/b/m.gguf')
  expect(shownHubPath(`/c/hub/models--gpt2/snapshots/${commit}/vocab.json`)).toBe('gpt2@b968826d9c46/vocab.json')
  expect(shownHubPath('/c/models/mine/snapshots/old/m.gguf')).toBe('/c/models/mine/snapshots/old/m.gguf')
  expect(shownHubPath('models/qwen/chat_template.jinja')).toBe('models/qwen/chat_template.jinja')
})
