import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { madeUpServer } from '../../../../../proof/testing/claims/made-up-server.ts'
import { rolecall } from '../../../../../proof/testing/rolecall.ts'
import { scriptedServer } from '../../../../../proof/testing/scripted-server.ts'
import { loadEmbedded } from '../../node/models/load-embedded.ts'
import { openViewed } from '../view/open-viewed.ts'

const folder = mkdtempSync(join(tmpdir(), 'rolecall-tasks-'))
afterAll(() => rmSync(folder, { recursive: true }))

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

const jsonLines = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')
const owl = (question: string, label: number) => ({ question, choices: ['no', 'yes'], label })

write('rolecall.config.yaml', 'models:\n  - { abbr: tiny, type: embedded, format: chatml, max_out_len: 4 }\n')
write(
  'tasks/owls/_owls.yaml',
  `dataset_path: zoo/owls
test_split: test
fewshot_split: train
tag: birds
output_type: multiple_choice
doc_to_text: "Question: {{question}}\\nAnswer:"
doc_to_choice: "{{choices}}"
doc_to_target: label
metric_list: [{metric: acc}, {metric: acc_norm}]
`,
)
write('tasks/owls/choice.yaml', 'include: _owls.yaml\ntask: owls_choice\ndescription: "About owls.\\n\\n"\n')
write(
  'tasks/owls/write.yaml',
  `include: _owls.yaml
task: owls_write
output_type: generate_until
doc_to_choice: null
doc_to_target: "{{choices[label]}}"
process_docs: !function utils.shout
gen_prefix: "It is"
generation_kwargs: {until: ["\\n"], max_gen_toks: 8}
metric_list: [{metric: exact_match, ignore_case: true}]
`,
)
write('tasks/owls/utils.py', 'def shout(dataset):\n    return dataset.map(lambda doc: {"question": doc["question"].upper()})\n')
write('tasks/owls/group.yaml', 'group: owls\ntask: [owls_choice, owls_write]\naggregate_metric_list: [{metric: acc}]\n')
write(
  'tasks/owls/text.yaml',
  'task: owls_text\ndataset_path: zoo/owls\ntest_split: test\noutput_type: loglikelihood_rolling\ndoc_to_text: ""\ndoc_to_target: "{{question}}"\n',
)
write(
  'tasks/owls/sums.yaml',
  'task: sums\ndataset_path: json\ndataset_kwargs: {data_files: {test: sums.jsonl}}\ntest_split: test\ndoc_to_text: "{{q}}"\ndoc_to_target: a\n',
)
write('tasks/owls/sums.jsonl', jsonLines([{ q: '1.0 or {{2}}', a: 1.5 }]))
write('data/zoo/owls/test.jsonl', jsonLines([owl('Do owls fly?', 1), owl('Are owls fish?', 0)]))
write('data/zoo/owls/train-00000-of-00001.jsonl', jsonLines([owl('Do owls hunt?', 1), owl('Do owls bark?', 0), owl('Do owls swim?', 0)]))

const where = ['--include-path', 'tasks', '--data-dir', 'data']
const render = async (...words: string[]) => {
  const { stdout, stderr } = await rolecall(['render', ...words, ...where, '--text'], folder)
  return stdout + stderr
}
const fail = async (...words: string[]) => (await rolecall(['run', ...words], folder)).stderr

describe('render', () => {
  test("shows each choice after the examples, as plain text whatever the model's format", async () => {
    const shown = await render('--tasks', 'owls_choice', '--num-fewshot', '1', '--label', '0')
    expect(shown).toContain('About owls.\n\nQuestion: Do owls bark?\nAnswer: no\n\nQuestion: Do owls fly?\nAnswer: no')
    expect(await render('--tasks', 'owls_choice', '--label', '1')).toContain('Question: Do owls fly?\nAnswer: yes')
    expect(shown).not.toContain('<|im_start|>')
  })

  test("renders chats in the model's format, and leaves the start of an answer open", async () => {
    const words = ['--tasks', 'owls_write', '--num-fewshot', '1', '--apply-chat-template', '--system-instruction', 'Be brief.']
    expect(await render(...words)).toContain(
      '<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nQuestion: DO OWLS BARK?\nAnswer:<|im_end|>\n<|im_start|>assistant\nIt is no<|im_end|>\n' +
        '<|im_start|>user\nQuestion: DO OWLS FLY?\nAnswer:<|im_end|>\n<|im_start|>assistant\nIt is',
    )
    expect(await render(...words, '--fewshot-as-multiturn', 'false')).toContain(
      'Answer: It is no\n\nQuestion: DO OWLS FLY?\nAnswer:<|im_end|>\n<|im_start|>assistant\nIt is',
    )
  })

  test('tracks the source of each text', async () => {
    const { stdout } = await rolecall(['render', '--tasks', 'owls_choice', ...where, '--num-fewshot', '1', '--json'], folder)
    const [first] = JSON.parse(stdout)
    const pieces: { text: string; source: { by: string; path: string; example?: number } }[] = (first.prompt ?? first).pieces
    const found = (text: string) => pieces.find((piece) => piece.text.includes(text))?.source
    expect(found('Do owls fly?')).toMatchObject({ by: 'field', path: 'question' })
    expect(found('Do owls bark?')).toMatchObject({ by: 'field', path: 'question', example: 0 })
    expect(found('About owls.')).toMatchObject({ by: 'template', path: expect.stringContaining('description') })
  })

  test('reads files next to the task, and never treats rows as templates', async () => {
    expect(await render('--tasks', 'tasks/owls/sums.yaml')).toContain('1.0 or {{2}}')
  })
})

describe('run', () => {
  test("runs a group, with the harness's metric names, and again from the recorded rows", async () => {
    const words = ['run', '--tasks', 'owls,owls_text', ...where, '--num-fewshot', '1', '--work-dir', 'out', '--no-cache', '--json']
    const { stdout, stderr, code } = await rolecall(words, folder)
    expect(stderr).not.toContain('error')
    expect(code).toBe(0)
    const [time] = readdirSync(join(folder, 'out'))
    const results = readFileSync(join(folder, 'out', time!, 'results/tiny/owls_choice.json'), 'utf8')
    expect(results).toContain('"acc,none"')
    expect(results).toContain('acc_norm_stderr,none')
    expect(stdout).toContain('byte_perplexity,none')
    expect(stdout).toContain('"owls"')
    const { groups } = JSON.parse(readFileSync(join(folder, 'out', time!, 'summary/summary.json'), 'utf8'))
    expect(groups[0].figures).toEqual({ sample_len: 4, 'acc,none': expect.any(Number), 'acc_stderr,none': expect.any(Number) })
    expect(readFileSync(join(folder, 'out', time!, 'summary/summary.md'), 'utf8')).toMatch(/owls acc,none 0\.\d{4} \(standard error/)
    const scored = await rolecall(['score', `out/${time}`], folder)
    expect(scored.stdout + scored.stderr).toContain('acc,none')
  }, 60_000)
})

test('reports whether the model would generate a text greedily', async () => {
  const model = await loadEmbedded()
  const piece = { text: 'Question: 1 + 1 = ?\nAnswer:', control: false, source: { by: 'message' as const, path: 'prompt' } }
  const { text } = await model.generate({ kind: 'completion', pieces: [piece], bos: 'tokenizer', stop: [], notes: [] }, { maxTokens: 3 })
  write(
    'tasks/own/own.jsonl',
    jsonLines([
      { q: '1 + 1 = ?', a: text },
      { q: '1 + 1 = ?', a: ' zebras' },
    ]),
  )
  const keys = 'dataset_path: json\ndataset_kwargs: {data_files: own.jsonl}\ntest_split: train\ndoc_to_text: "Question: {{q}}\\nAnswer:"\n'
  write('tasks/own/own.yaml', `task: own\n${keys}output_type: loglikelihood\ndoc_to_target: a\n`)
  const { stdout, stderr } = await rolecall(['run', '--tasks', 'tasks/own/own.yaml', '--json', '--work-dir', 'own'], folder)
  expect(stderr).not.toMatch(/^error/m)
  expect(stdout).toContain('"acc,none": 0.5')
  expect(stderr).toContain('own: the standard error of "perplexity" is drawn 1,000 times; lm-evaluation-harness draws 100,000 times')
}, 60_000)

describe('without a context', () => {
  const keys = 'dataset_path: json\ndataset_kwargs: {data_files: pairs.jsonl}\ntest_split: train\ndoc_to_text: ""\ndoc_to_target: 0\n'
  write('tasks/pairs/pairs.jsonl', jsonLines([{ more: 'Owls are wise', less: 'Owls are late' }]))
  write(
    'tasks/pairs/pairs.yaml',
    `task: pairs\n${keys}output_type: multiple_choice\ndoc_to_choice: "{{[more, less]}}"\ntarget_delimiter: ""\n`,
  )
  const run = (config: string, out: string) =>
    rolecall(['run', config, '--tasks', 'tasks/pairs/pairs.yaml', '--no-cache', '-w', out], folder)

  test('the first token is conditioned on BOS, as in lm-evaluation-harness', async () => {
    const { stdout } = await run('rolecall.config.yaml', 'prefixed')
    const [time] = readdirSync(join(folder, 'prefixed'))
    const record = JSON.parse(
      readFileSync(join(folder, 'prefixed', time!, 'predictions/tiny/pairs.jsonl'), 'utf8')
        .split('\n')
        .at(-2)!,
    )
    const { tokenizer, score } = await loadEmbedded()
    const ids = [tokenizer!.bos!, ...tokenizer!.encodeRun('Owls are wise', true, () => false).ids]
    const source = { by: 'message' as const, path: 'prompt' }
    const [scored] = await score!([{ kind: 'completion', pieces: [{ ids, source }], bos: 'none', stop: [], notes: [] }])
    const expected = scored!.logProbabilities.slice(1).reduce<number>((sum, value) => sum + value!, 0)
    expect(record.scores[0].value).toBeCloseTo(expected, 4)
    expect(stdout).not.toContain('first token')
  })

  test('a server that does not score the first token of a text is reported', async () => {
    const server = await madeUpServer()
    write('server.yaml', `models:\n  - { abbr: any, type: openai, path: any, base_url: '${server.url}', format: plain }\n`)
    const { stdout } = await run('server.yaml', 'unprefixed')
    await server.close()
    expect(stdout.replace(/\s+/g, ' ')).toMatch(
      /note the context is empty, and any does not report the probability of a text's first token.*set tokenizer_path/,
    )
  })
})

describe('import and view', () => {
  test('reports which tasks of a folder can run, and why others cannot', async () => {
    write('more/good.yaml', 'task: good\ndataset_path: x\ntest_split: test\ndoc_to_text: q\ndoc_to_target: !function utils.f\n')
    write('more/bad.yaml', 'task: bad\ndataset_path: x\ntest_split: test\ndoc_to_text: q\ndoc_to_target: !function utils.g\n')
    write('more/metric.yaml', 'task: metric\ndataset_path: x\ndoc_to_text: q\ndoc_to_target: a\nmetric_list: [{metric: rouge}]\n')
    write('more/utils.py', 'def f(doc):\n    return doc["a"]\n')
    const { stdout } = await rolecall(['import', 'more', '--report', 'report.md'], folder)
    expect(stdout).toMatch(/good {2}not checked: [\s\S]*3 tasks: 0 ready, 1 not checked, 2 cannot run/)
    expect(stdout).toContain('bad  cannot run: ')
    expect(readFileSync(join(folder, 'report.md'), 'utf8')).toContain('| metric | cannot run | generate_until |  | ')
    write('data/x/test.jsonl', '{"q": "1+1=?", "a": "2"}\n')
    const there = await rolecall(['import', 'more', '--data-dir', 'data', '--json'], folder)
    expect(JSON.parse(there.stdout).tasks).toMatchObject([{ word: 'cannot run' }, { task: 'good', word: 'ready' }, { word: 'cannot run' }])
    const one = JSON.parse((await rolecall(['import', 'tasks/owls/write.yaml', '--json'], folder)).stdout)
    expect(one.tasks).toMatchObject([{ task: 'owls_write', outputType: 'generate_until', functions: ['utils.shout'] }])
    expect((await rolecall(['import', 'more', '-o', 'x.yaml'], folder)).stderr).toContain('run --tasks')
  })

  test('gold labels that are none of the choices are reported, and refused if all are', async () => {
    const text = (label: string) => ({ ...owl('Are owls birds?', 0), label })
    write('numbers/zoo/owls/test.jsonl', jsonLines([owl('Do owls fly?', 1), owl('Are owls fish?', -1), owl('Do owls see?', 2)]))
    write('words/zoo/owls/test.jsonl', jsonLines([text('Yes'), text('No')]))
    for (const data of ['numbers', 'words']) write(`${data}/zoo/owls/train.jsonl`, jsonLines([owl('Do owls hunt?', 1)]))
    const report = async (...words: string[]) => (await rolecall(['import', 'tasks/owls/choice.yaml', ...words], folder)).stdout
    const some = "2 of 3 gold answers cannot be scored right: gold '-1': there are 2 choices, numbered from 0 (row 1)"
    expect(await report('--data-dir', 'numbers')).toMatch(
      /^owls_choice {2}ready\n {2}warning .*\n1 tasks: 1 ready.*\n {2}warning: unscorable-gold 1\n/,
    )
    expect(await report('--data-dir', 'numbers')).toContain(some)
    expect(JSON.parse(await report('--data-dir', 'numbers', '--json'))).toMatchObject({
      tasks: [{ warnings: [expect.stringContaining(some)] }],
    })
    await report('--data-dir', 'numbers', '--report', 'tasks.csv')
    expect(readFileSync(join(folder, 'tasks.csv'), 'utf8')).toContain('2 of 3 gold answers')
    expect(await report('--data-dir', 'words')).toMatch(/cannot run: .*gold 'Yes': it is none of the choices "no", "yes"/)
  })

  test('the viewer gets the datasets of tasks', async () => {
    const flags = { tasks: 'owls', includePath: [join(folder, 'tasks')], dataDir: join(folder, 'data') }
    const { configs } = await openViewed([join(folder, 'rolecall.config.yaml')], flags)
    expect(JSON.stringify(configs[0]!.site)).toContain('owls_choice')
  })
})

describe('mistakes', () => {
  test('a function that fails for every reply but an empty one is found before the first request', async () => {
    const keys = 'dataset_path: json\ndataset_kwargs: {data_files: s.jsonl}\ntest_split: train\ndoc_to_text: q\ndoc_to_target: a\n'
    write('tasks/summary/s.jsonl', jsonLines([{ q: '1+1=?', a: '2' }]))
    write('tasks/summary/s.yaml', `task: s\n${keys}metric_list: [{metric: score, aggregation: mean}]\nprocess_results: !function s.score\n`)
    const body = '    if not replies[0]:\n        return {"score": 0}\n    import rouge\n    return {"score": rouge.score(replies[0])}\n'
    write('tasks/summary/s.py', `def score(doc, replies):\n${body}`)
    expect(await fail('--tasks', 'tasks/summary/s.yaml')).toMatch(
      /s\.py:5:28\s+the function s\.score is not supported: it needs rouge\.score/,
    )
  })

  test('are reported before the first request', async () => {
    expect(await fail('--tasks', 'owl_choice', ...where)).toContain('did you mean "owls_choice"?')
    expect(await fail('--tasks', 'owls_choice')).toContain('pass the folder with --include-path')
    expect(await fail('--tasks', 'owls_choice', '--include-path', 'tasks', '--data-dir', 'elsewhere')).toMatch(
      /the split "test" of "zoo\/owls" was not found: the repository is not in the cache[\s\S]*put its files at elsewhere\/zoo\/owls\/test\.parquet/,
    )
    expect(await fail('--num-fewshot', '2')).toContain('this flag needs --tasks')
    expect(await fail('--tasks', 'owls_choice', ...where, '--fewshot-as-multiturn')).toContain('plain text has no turns')
    expect(await fail('--tasks', 'owls_choice', ...where, '--num-fewshot', '9')).toContain('9 examples are needed, but there are 3')
    expect(await fail('--tasks', 'owls', '--include-path', 'nowhere')).toContain('there is no folder nowhere')
  })
})

test('reply functions are recorded with their file; unsupported ones are rejected before the first request', async () => {
  const keys = 'dataset_path: zoo/owls\ntest_split: test\noutput_type: multiple_choice\ndoc_to_text: question\ndoc_to_choice: choices\n'
  const metric = 'doc_to_target: label\nmetric_list: [{metric: sure, aggregation: mean, higher_is_better: true}]\n'
  const task = (name: string) =>
    write(`tasks/replies/${name}.yaml`, `task: ${name}\n${keys}${metric}process_results: !function read.${name}\n`)
  write(
    'tasks/replies/read.py',
    'def read(doc, results):\n    return {"sure": len([1 for ll, greedy in results])}\ndef lost(doc, results):\n    import nltk\n    return {"sure": nltk.edit_distance("a", "b")}\n',
  )
  task('read')
  task('lost')
  const read = await rolecall(['run', '--tasks', 'tasks/replies/read.yaml', '--data-dir', 'data', '--json'], folder)
  expect(read.stdout).toContain('"sure,none": 2')
  const lost = await rolecall(['run', '--tasks', 'tasks/replies/lost.yaml', '--data-dir', 'data'], folder)
  expect(lost.code).toBe(2)
  expect(lost.stderr).toContain('the function read.lost is not supported')
}, 60_000)

test('mistakes in task files are reported with their place, and a run of tasks is named after them', async () => {
  write('tasks/slips/spelt.yaml', 'task: spelt\ndataset_path: json\ntest_split: test\ndoc_to_text: q\ndoc_to_taget: a\n')
  write('tasks/slips/lost.yaml', 'include: nowhere.yaml\ntask: lost\n')
  expect(await fail('--tasks', 'tasks/slips/spelt.yaml')).toMatch(
    /spelt › doc_to_taget\s+it is not known here\s+→ did you mean "doc_to_target"\?/,
  )
  expect(await fail('--tasks', 'tasks/slips/lost.yaml')).toContain(`${folder}/tasks/slips/nowhere.yaml`)
  // In another folder, since a config in a parent folder would be used.
  const elsewhere = mkdtempSync(join(tmpdir(), 'rolecall-elsewhere-'))
  const where = ['--include-path', join(folder, 'tasks'), '--data-dir', join(folder, 'data')]
  const { stdout, stderr } = await rolecall(['run', '--tasks', 'owls_write', ...where, '--limit', '1'], elsewhere)
  expect(stdout + stderr).toContain('outputs/owls_write/')
  expect(stdout + stderr).not.toContain('only the format differs')
  rmSync(elsewhere, { recursive: true })
}, 60_000)

describe('tasks on a server', () => {
  test('get plain text at /v1/completions unless --apply-chat-template is given', async () => {
    const paths: string[] = []
    const server = await scriptedServer((seen) => {
      paths.push(seen.path)
      if (seen.path.endsWith('/models')) return { json: { data: [{ id: 'm' }] } }
      const reply = seen.path.endsWith('/chat/completions') ? { message: { content: 'yes' } } : { text: ' yes' }
      return { json: { choices: [{ ...reply, finish_reason: 'stop' }] } }
    })
    write('served/rolecall.config.yaml', `models:\n  - { abbr: m, type: openai, path: m, base_url: '${server.url}' }\n`)
    const given = ['--include-path', '../tasks', '--data-dir', '../data']
    const run = (...flags: string[]) => rolecall(['run', '--tasks', 'owls_write', ...given, '--no-cache', ...flags], join(folder, 'served'))
    const { stdout, code } = await run('--verbose')
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('tokens not reported by the server') })
    expect(new Set(paths)).toEqual(new Set(['/v1/completions']))
    paths.length = 0
    write('tasks/owls/plain.yaml', 'include: write.yaml\ntask: owls_plain\ngen_prefix: null\n')
    await rolecall(['run', '--tasks', 'owls_plain', ...given, '--no-cache', '--apply-chat-template'], join(folder, 'served'))
    await server.close()
    expect(new Set(paths)).toEqual(new Set(['/v1/chat/completions']))
  }, 60_000)
})

test('a tag is not a group, and all metrics of a task are in the table with their standard errors', async () => {
  const { stdout } = await rolecall(['run', '--tasks', 'birds', ...where, '--no-cache', '-w', 'tagged', '--verbose'], folder)
  expect(stdout).not.toContain('birds')
  for (const name of [
    'acc,none',
    'acc_stderr,none',
    'acc_norm,none',
    'acc_norm_stderr,none',
    'exact_match,none',
    'exact_match_stderr,none',
  ])
    expect(stdout).toContain(name)
}, 60_000)

test('filters that take several replies get them all', async () => {
  write(
    'tasks/owls/vote.yaml',
    `include: write.yaml
task: owls_vote
repeats: 3
generation_kwargs: {until: ["\\n"], do_sample: true, temperature: 0.5}
filter_list:
  - {name: vote, filter: [{function: majority_vote}, {function: take_first}]}
  - {name: first, filter: [{function: take_first_k, k: 2}, {function: majority_vote}, {function: take_first}]}
`,
  )
  const { stdout, code } = await rolecall(['run', '--tasks', 'owls_vote', ...where, '--no-cache', '-w', 'votes', '--verbose'], folder)
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('exact_match,vote') })
  expect(stdout).toContain('exact_match,first')
}, 60_000)
