import { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { folderWith } from '../../../../proof/testing/folder-with.ts'
import { rolecall } from '../../../../proof/testing/rolecall.ts'
import { withSelection } from './flags.ts'
import { harnessFlags, withHarnessWords } from './harness-words.ts'
import { withRunOptions } from './run/run-options.ts'

const own = () => withRunOptions(new Command('run'))
const words = async (...given: string[]) => (await withHarnessWords(['run', ...given], own())).words.slice(1)
const notes = async (...given: string[]) => (await withHarnessWords(['run', ...given], own())).notes

/** `python -m lm_eval run --help`, version 0.4.13. */
const documented =
  '--config --tasks --model --model_args --apply_chat_template --limit --use_cache --num_fewshot --batch_size --max_batch_size --device --gen_kwargs --output_path --log_samples --samples --cache_requests --check_integrity --system_instruction --fewshot_as_multiturn --include_path --verbosity --write_out --show_config --wandb_args --wandb_config_args --trackio_args --hf_hub_log_args --predict_only --seed --trust_remote_code --confirm_run_unsafe_code --metadata'

describe('flags of lm_eval', () => {
  test('each is a flag here, or is ignored or refused with a reason', () => {
    const names = documented.split(' ').map((flag) => flag.slice(2).replaceAll('_', '-'))
    expect(Object.keys(harnessFlags).sort()).toEqual([...names].sort())
    const known = own().options.map(({ long }) => long)
    for (const [name, { ignored, refused }] of Object.entries(harnessFlags))
      expect([name, ignored !== undefined || refused !== undefined || name === 'config']).toEqual([name, !known.includes(`--${name}`)])
  })

  test('may have underscores, short names and several words', async () => {
    expect(await words('-M', 'local-completions', '-t', 'arc_easy', 'gsm8k', '--num_fewshot=5', '-L', '0.1')).toEqual(
      '--model local-completions --tasks arc_easy,gsm8k --num-fewshot 5 --limit 0.1'.split(' '),
    )
    expect(
      await words('--model_args', 'model=m', 'base_url=http://h/v1', '-a', 'timeout=9', '--gen_kwargs', 'stop=["a","b"]', 'top_p=1'),
    ).toEqual(['--model-args', 'model=m,base_url=http://h/v1,timeout=9', '--gen-kwargs', 'stop=["a","b"],top_p=1'])
    expect(await words('--model_args', '{"model": "m", "a": [1, 2]}', '-s', '-o', 'out')).toEqual([
      '--model-args',
      '{"model": "m", "a": [1, 2]}',
      '--log-samples',
      '--output-path',
      'out',
    ])
    expect(await words('--tasks', 'a,b', 'c', '--fewshot_as_multiturn', 'false')).toEqual([
      '--tasks',
      'a,b,c',
      '--fewshot-as-multiturn',
      'false',
    ])
  })

  test('leave our own words alone', async () => {
    expect(await words('-w', 'out', '-r', '--no-cache', '--metrics', '9090')).toEqual([
      '-w',
      'out',
      '-r',
      '--no-cache',
      '--metrics',
      '9090',
    ])
    const folder = folderWith({ 'eval.yaml': 'models: []\n', 'task.yaml': 'task: a\n' })
    expect(await words('--tasks', 'a', `${folder}/task.yaml`, `${folder}/eval.yaml`)).toEqual([
      '--tasks',
      `a,${folder}/task.yaml`,
      `${folder}/eval.yaml`,
    ])
    expect(await words('--apply-chat-template', `${folder}/eval.yaml`)).toEqual(['--apply-chat-template', `${folder}/eval.yaml`])
    expect(await words('--fewshot_as_multiturn', `${folder}/eval.yaml`)).toEqual(['--fewshot-as-multiturn=true', `${folder}/eval.yaml`])
    expect(await words('--limit', '1', '--tasks')).toEqual(['--limit', '1', '--tasks'])
    const { words: unchanged } = await withHarnessWords(['diff', '-a', '--num_fewshot', 'b'], new Command('diff'))
    expect(unchanged).toEqual(['diff', '-a', '--num_fewshot', 'b'])
  })

  test('that change nothing are noted with their values, and others are refused', async () => {
    expect(
      await words('--device', 'cuda:0', '-w', '--use_cache', 'db', '--cache_requests', 'refresh', '--tasks', 'a', '-v', 'INFO'),
    ).toEqual(['--tasks', 'a'])
    expect(await notes('--device', 'cuda:0', '-w')).toEqual([
      '--device changes nothing here: the server decides where the model runs',
      expect.stringContaining('--write_out changes nothing here'),
    ])
    await expect(words('--wandb_args', 'project=p', 'job=j')).rejects.toMatchObject({ where: '--wandb_args', code: 'other-flag' })
    await expect(words('--predict_only')).rejects.toMatchObject({ fix: expect.stringContaining('--no-score') })
    await expect(words('--apply_chat_template', 'rag')).rejects.toMatchObject({ fix: expect.stringContaining('--chat-template') })
    const { notes: shown } = await withHarnessWords(['render', '--model', 'x', '--tasks', 'a'], withSelection(new Command('render')))
    expect(shown).toEqual(['--model changes nothing here: `rolecall render` sends nothing'])
  })

  test('may be set by a config file, which the command line overrides', async () => {
    const folder = folderWith({
      'c.yaml':
        'model: local-completions\nmodel_args: {model: m, timeout: 5}\ntasks: [a, b]\nnum_fewshot: 2\nlog_samples: false\nlimit: null\n',
      'list.yaml': '- a\n',
      'more.yaml': 'fewshot_as_multiturn: false\napply_chat_template: true\ndevice: cpu\n',
      'itself.yaml': 'config: itself.yaml\n',
    })
    expect(await words('--config', `${folder}/c.yaml`, '--num_fewshot', '3')).toEqual([
      '--model',
      'local-completions',
      '--model-args',
      '{"model": "m", "timeout": 5}',
      '--tasks',
      'a,b',
      '--num-fewshot',
      '2',
      '--num-fewshot',
      '3',
    ])
    expect(await words('--config', `${folder}/more.yaml`, `${folder}/c.yaml`)).toEqual([
      '--fewshot-as-multiturn',
      'false',
      '--apply-chat-template',
      `${folder}/c.yaml`,
    ])
    expect(await notes('--config', `${folder}/more.yaml`)).toEqual([expect.stringContaining('--device changes nothing here')])
    await expect(words('--config', `${folder}/itself.yaml`)).rejects.toThrow('a config file cannot name another')
    await expect(words('--config', `${folder}/list.yaml`)).rejects.toThrow('it holds no keys')
    await expect(words('-C', `${folder}/none.yaml`)).rejects.toThrow('there is no file')
  })
})

const task =
  'dataset_path: json\ndataset_kwargs: {data_files: {test: rows.jsonl, train: rows.jsonl}}\ntest_split: test\nfewshot_split: train\ndoc_to_text: "{{q}}?"\ndoc_to_target: a\n'
const rows = Array.from({ length: 12 }, (_, number) => `{"q": "q${number}", "a": "a${number}"}\n`).join('')
const folder = folderWith({
  'tasks/birds.yaml': `task: birds\n${task}`,
  'tasks/bears.yaml': `task: bears\n${task}`,
  'tasks/rows.jsonl': rows,
  'empty/x.txt': '',
})
const dry = async (...given: string[]) => {
  const { stdout, stderr, code } = await rolecall(
    ['run', '--model', 'openai:m@http://127.0.0.1:1/v1', '--dry-run', '--json', ...given],
    folder,
  )
  const plans = code === 0 ? (JSON.parse(stdout) as { dataset: string; rows: number }[]) : []
  return { counts: Object.fromEntries(plans.map(({ dataset, rows: count }) => [dataset, count])), stderr }
}
const tasks = ['--tasks', 'birds', 'bears', '--include_path', 'tasks']

describe('rows of a run', () => {
  test('--limit below 1 is a share, rounded up; --samples names documents', async () => {
    expect((await dry(...tasks, '--limit', '0.1')).counts).toEqual({ birds: 2, bears: 2 })
    expect((await dry(...tasks, '--limit', '5.0')).counts).toEqual({ birds: 5, bears: 5 })
    expect((await dry(...tasks, '--samples', '{"bears": [3, 1]}')).counts).toEqual({ birds: 12, bears: 2 })
    expect((await dry('--tasks', 'b*s', '--include_path', 'tasks', '--limit', '1')).counts).toEqual({ bears: 1, birds: 1 })
    expect((await dry('--tasks', 'tasks', '--limit', '1')).counts).toEqual({ bears: 1, birds: 1 })
  })

  test('mistakes are refused', async () => {
    expect((await dry(...tasks, '--limit', '0')).stderr).toContain('a share of them such as 0.1')
    expect((await dry(...tasks, '--limit', '1.5')).stderr).toContain('a share of them such as 0.1')
    expect((await dry(...tasks, '--samples', '{"bears": [12]}')).stderr).toContain('there is no document 12: there are 12')
    expect((await dry(...tasks, '--samples', '{"bees": [1]}')).stderr).toContain('it names bees, which is not evaluated')
    expect((await dry(...tasks, '--samples', 'nowhere.json')).stderr).toContain('--samples')
    expect((await dry(...tasks, '--samples', '{}', '--limit', '1')).stderr).toContain('keep one of them')
    expect((await dry(...tasks, '--seed', '1,2')).stderr).toContain('or four')
    expect((await dry('--seed', '1,2,3')).stderr).toContain('four seeds need --tasks')
    expect((await dry('--tasks', 'empty')).stderr).toContain('no task')
    expect((await dry('--tasks', 'x*', '--include_path', 'tasks')).stderr).toContain('matches "x*"')
    expect((await dry(...tasks, '--metadata', '{"a"')).stderr).toContain('not a JSON object')
  })

  test('--seed draws other examples, as random.Random(SEED).sample does', async () => {
    const shown = async (...seed: string[]) =>
      (
        await rolecall(['render', '--tasks', 'birds', '--include-path', 'tasks', '--num-fewshot', '2', '--text', ...seed], folder)
      ).stdout.trim()
    // python3 -c "import random; print(random.Random(1234).sample(range(12), 2), random.Random(7).sample(range(12), 2))"
    expect(await shown()).toBe('q7? a7\n\nq1? a1\n\nq0?')
    expect(await shown('--seed', '7')).toBe(await shown('--seed', '0,1,2,7'))
    expect(await shown('--seed', '7')).not.toBe(await shown())
  })
})
