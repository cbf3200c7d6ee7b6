import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PythonFailure } from '../python/host/python-host.ts'
import { chooseCheckout, interpreterFor, withOwnPython } from './own-classes.ts'

const root = mkdtempSync(join(tmpdir(), 'own-classes-'))

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

const dataset = (name: string) => `
from opencompass.registry import LOAD_DATASET
from .base import BaseDataset
@LOAD_DATASET.register_module()
class ${name}(BaseDataset):
    @staticmethod
    def load(path, **kwargs):
        with open(path, encoding='utf-8') as f:
            return Dataset.from_list([{'text': f.read()}])
`

beforeAll(() => {
  write('checkout/opencompass/registry.py', "from mmengine.registry import Registry\nLOAD_DATASET = Registry('load_dataset')\n")
  write(
    'checkout/opencompass/datasets/rare.py',
    dataset('RareExamDataset').replace('from .base', 'from datasets import Dataset\nfrom .base'),
  )
  write('project/rows.txt', 'a row')
  write('project/.env', 'KEY=secret')
  write('outside.txt', 'not for the config')
  symlinkSync(join(root, 'outside.txt'), join(root, 'project', 'link.txt'))
  chooseCheckout(join(root, 'checkout'))
})

afterAll(() => chooseCheckout(undefined))

function marked(type: string): Record<string, unknown> {
  const config = { datasets: [{ abbr: 'd', type, path: 'rows.txt' }] }
  const { datasets } = withOwnPython(config, join(root, 'project', 'config.yaml')) as { datasets: Record<string, unknown>[] }
  return datasets[0] ?? {}
}

describe('classes that only a checkout has', () => {
  test('a name that its source registers is run from there', () => {
    expect(marked('RareExamDataset')).toMatchObject({ type: 'PythonDataset', object: 'RareExamDataset', settings: { path: 'rows.txt' } })
  })

  test("AISBench's class of that name is the same", () => {
    expect(marked('ais_bench.benchmark.datasets.RareExamDataset')).toMatchObject({ type: 'PythonDataset', object: 'RareExamDataset' })
  })

  test('a class that is written here stays ours, and an unknown one unknown', () => {
    expect(marked('MMLUDataset')).toMatchObject({ type: 'MMLUDataset' })
    expect(marked('NoSuchDataset')).toMatchObject({ type: 'NoSuchDataset' })
  })
})

describe('what interpreted code may read', () => {
  const read = async (path: string) =>
    interpreterFor(join(root, 'project')).load({ kind: 'dataset', name: 'RareExamDataset' }).call({ settings: { path } })

  test('files beside the config', async () => {
    expect(JSON.stringify(await read('rows.txt'))).toContain('a row')
  })

  test.each(['.env', 'link.txt', '../outside.txt', '/etc/hostname'])('not %s', async (path) => {
    const error: unknown = await read(path).then(
      () => undefined,
      (thrown) => thrown,
    )
    expect(error).toBeInstanceOf(PythonFailure)
    expect(error).toMatchObject({ exception: 'FileNotFoundError' })
  })
})
