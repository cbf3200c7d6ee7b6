import { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { folderWith } from '../../../../proof/testing/folder-with.ts'
import { rolecall } from '../../../../proof/testing/rolecall.ts'
import { withHarnessWords } from './harness-words.ts'
import { openCompassFlags, withMode } from './open-compass-words.ts'
import { withRunOptions } from './run/run-options.ts'

const own = () => withRunOptions(new Command('run'))
const translated = async (...given: string[]) => withHarnessWords(['run', ...given], own())
const words = async (...given: string[]) => (await translated(...given)).words.slice(1)

describe('flags of OpenCompass and AISBench', () => {
  test('each is a flag here, or is ignored or refused with a reason', () => {
    const known = new Set(own().options.map(({ long }) => long))
    for (const [name, { ignored, refused, is = name }] of Object.entries(openCompassFlags))
      expect([name, ignored !== undefined || refused !== undefined]).toEqual([name, !known.has(`--${is}`)])
  })

  test('--with-python leaves the config that follows alone', async () => {
    const folder = folderWith({ 'eval.py': 'datasets = []\n', 'env/bin/python': '' })
    expect(await words('--with-python', `${folder}/eval.py`)).toEqual(['--with-python=true', `${folder}/eval.py`])
    expect(await words('--with-python', `${folder}/env`, `${folder}/eval.py`)).toEqual([
      '--with-python',
      `${folder}/env`,
      `${folder}/eval.py`,
    ])
  })

  test('what changes nothing is noted, and what cannot be done is refused', async () => {
    expect((await translated('--debug', '--dump-eval-details', 'False', '-r', '--max-workers-per-gpu', '2')).notes).toEqual([
      expect.stringContaining('--debug changes nothing here'),
      expect.stringContaining('--dump-eval-details changes nothing here'),
      expect.stringContaining('--max-workers-per-gpu changes nothing here'),
    ])
    await expect(words('--slurm', '-p', 'gpu')).rejects.toThrow('--shard auto')
    await expect(words('--dataset-num-runs', '4')).rejects.toThrow('n=NUMBER')
    expect(await words('--stop-words', '</s>', '<|end|>', '--num-prompts', '8', '-a', 'vllm')).toEqual([
      '--stop',
      '</s>',
      '--stop',
      '<|end|>',
      '--limit',
      '8',
      '--launch',
      'vllm',
    ])
  })

  test('--mode is another command or flag here', () => {
    const rewritten = (line: string) => withMode(line.split(' ')).words.join(' ')
    expect(rewritten('run eval.py --mode all -r')).toBe('run eval.py -r')
    expect(rewritten('run eval.py -m infer')).toBe('run eval.py --no-score')
    expect(rewritten('run eval.py --mode=eval -r')).toBe('score eval.py')
    expect(rewritten('run eval.py -w out -r 20240101_000000 -m viz --json')).toBe('score out/20240101_000000 --json')
    expect(rewritten('run eval.py --mode eval')).toBe('run eval.py --mode eval')
    expect(rewritten('run --preset mmlu --mode ppl')).toBe('run --preset mmlu --mode ppl')
    expect(rewritten('diff -m eval b')).toBe('diff -m eval b')
  })
})

const rows = '{"question": "1+1=?", "answer": "2"}\n{"question": "1+2=?", "answer": "3"}\n'
const folder = folderWith({ 'sums.jsonl': rows, 'configs/datasets/x.txt': '' })

test('a model of Hugging Face and a file of questions are described by flags', async () => {
  const { stdout, stderr } = await rolecall(
    [
      'run',
      '--hf-type',
      'base',
      '--hf-path',
      'org/tiny',
      '--custom-dataset-path',
      'sums.jsonl',
      '--base-url',
      'http://127.0.0.1:1/v1',
      '--dry-run',
      '--json',
    ],
    folder,
  )
  expect(stderr).not.toContain('error')
  expect(JSON.parse(stdout)).toMatchObject([{ model: 'tiny_hf', dataset: 'sums', rows: 2 }])
  const both = await rolecall(['run', 'sums.jsonl', '--hf-path', 'org/tiny'], folder)
  expect(both.stderr).toContain('OpenCompass would use the config alone')
  const none = await rolecall(['run', '--mode', 'eval'], folder)
  expect(none.stderr).toContain('eval and viz read a finished run')
})
