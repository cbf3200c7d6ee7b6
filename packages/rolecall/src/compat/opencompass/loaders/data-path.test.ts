import { describe, expect, test } from 'vitest'
import { filesOf } from './files.ts'
import { dataPath } from './loader-data.ts'

const at = (...paths: string[]) => Object.fromEntries(paths.map((path) => [`${path}x.jsonl`, '']))

describe('where OpenCompass looks for a dataset', () => {
  test.each([
    ['an id of its table', 'opencompass/gsm8k', at('data/gsm8k/'), {}, {}, './data/gsm8k/'],
    ['a path', './data/gsm8k', at('data/gsm8k/'), {}, {}, './data/gsm8k'],
    ['an absolute path, also where nothing lies', '/somewhere/a.jsonl', {}, {}, { COMPASS_DATA_CACHE: 'cache' }, '/somewhere/a.jsonl'],
    ['in the cache', 'opencompass/gsm8k', at('cache/data/gsm8k/'), {}, { COMPASS_DATA_CACHE: 'cache' }, 'cache/./data/gsm8k/'],
    [
      'in the home folder',
      './data/gsm8k',
      at('/home/.cache/opencompass/data/gsm8k/'),
      {},
      { HOME: '/home' },
      '/home/.cache/opencompass/./data/gsm8k',
    ],
    ['a path in local mode', './data/gsm8k', at('data/gsm8k/'), { localMode: true }, {}, './data/gsm8k'],
  ])('%s', async (_, id, files, options, environment, expected) => {
    expect(await dataPath(id, filesOf(files, environment), options)).toBe(expected)
  })

  test.each([
    ['an id in local mode is a path', 'opencompass/gsm8k', at('data/gsm8k/'), { localMode: true }, 'nothing lies at opencompass/gsm8k'],
    [
      'nothing there: the archive is named',
      'opencompass/gsm8k',
      {},
      {},
      'nothing lies at ./data/gsm8k/; OpenCompass keeps it in its archive gsm8k.zip',
    ],
    ['a file where a folder should be', 'opencompass/mmlu', { 'data/mmlu': '' }, {}, 'nothing lies at ./data/mmlu/'],
    ['an empty path', '', {}, {}, 'nothing lies at its empty path'],
  ])('%s', async (_, id, files, options, problem) => {
    await expect(dataPath(id, filesOf(files), options)).rejects.toThrow(problem)
  })

  test('an archive that does not have the path is named as downloaded', async () => {
    const files = { ...filesOf({}, { HOME: '/home' }), download: async () => true }
    const problem =
      'nothing lies at mine/gsm8k/, and its archive gsm8k.zip, which was downloaded, has no /home/.cache/opencompass/mine/gsm8k/'
    await expect(dataPath('mine/gsm8k/', files, { localMode: true })).rejects.toThrow(problem)
  })
})
