import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { rolecall } from '../../../../../proof/testing/rolecall.ts'
import { type Scripted, type Seen, scriptedServer } from '../../../../../proof/testing/scripted-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'rolecall-harness-'))
afterAll(() => rmSync(folder, { recursive: true }))

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

type Sample = {
  doc_id: number
  arguments: Record<string, { arg_0: string | [string]; arg_1: string }>
  resps: (string | [string, string])[][]
} & Record<string, unknown>

const linesOf = (file: string) => readFileSync(file, 'utf8').split('\n').slice(0, -1)

function filesIn(out: string): { results: string; samples: string } {
  const names = readdirSync(out)
  const named = (start: string) => join(out, names.find((name) => name.startsWith(start)) ?? '')
  return { results: named('results_'), samples: named('samples_') }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

write(
  'tasks/owls.yaml',
  'task: owls\ntag: birds\ndataset_path: json\ndataset_kwargs: {data_files: {test: owls.jsonl}, trust_remote_code: true}\ntest_split: test\n' +
    'doc_to_text: "{{q}}"\ndoc_to_target: a\ngeneration_kwargs: {until: ["\\n"], max_gen_toks: 8}\nmetadata: {version: 2.0}\n',
)
write('tasks/owls.jsonl', '{"q": "Fliegen Eulen? é", "a": "ja", "n": 1.0}\n{"q": "Bellen Eulen?", "a": "nein", "n": 2.0}\n')

const server = await scriptedServer((seen) =>
  seen.path.endsWith('/chat/completions')
    ? { json: { choices: [{ message: { content: 'ja' }, finish_reason: 'stop' }] } }
    : { json: { choices: [{ text: 'ja', finish_reason: 'stop' }] } },
)
afterAll(() => server.close())
const run = (...words: string[]) => rolecall(['run', '--tasks', 'tasks/owls.yaml', '--no-cache', '-w', 'runs', ...words], folder)
/** The results of the task with a part of its file replaced. */
async function resultsWithout(part: string, other = '') {
  const name = `replaced-${other.length}`
  write(`${name}/owls.yaml`, readFileSync(join(folder, 'tasks/owls.yaml'), 'utf8').replace(part, other))
  write(`${name}/owls.jsonl`, readFileSync(join(folder, 'tasks/owls.jsonl'), 'utf8'))
  const words = ['run', '--tasks', `${name}/owls.yaml`, '--no-cache', '-w', 'runs', '--model', 'local-completions']
  await rolecall([...words, '--model_args', served('/completions'), '--output_path', name], folder)
  return JSON.parse(readFileSync(filesIn(join(folder, name, 'zoo__owl')).results, 'utf8'))
}

/** A tokenizer with a token for each character, which writes BOS. */
const vocabulary = ['<s>', ...new Set('<|user|>Fliegen Eulen? é<|end|><|assistant|>')]
function writeTokenizer(name: string): void {
  const bos = { id: 0, content: '<s>', single_word: false, lstrip: false, rstrip: false, normalized: false, special: true }
  const single = [{ SpecialToken: { id: '<s>', type_id: 0 } }, { Sequence: { id: 'A', type_id: 0 } }]
  const tokenizer = {
    model: { type: 'BPE', vocab: Object.fromEntries(vocabulary.map((text, id) => [text, id])), merges: [] },
    added_tokens: [bos],
    post_processor: { type: 'TemplateProcessing', single, pair: [], special_tokens: { '<s>': { id: '<s>', ids: [0], tokens: ['<s>'] } } },
  }
  write(`${name}/tokenizer.json`, JSON.stringify(tokenizer))
}

const generation = [
  '--gen_kwargs',
  'temperature=0.7,top_k=20,typical_p=0.5',
  'presence_penalty=1',
  'max_tokens=3',
  'chat_template_kwargs={"a": [1.5]}',
]
const served = (path: string) => `model=zoo/owl,base_url=${server.url}${path}`

describe('results in the shape of lm-evaluation-harness', () => {
  test('stay in the output folder, and are not written before the run is complete', async () => {
    write('tasks/up.yaml', readFileSync(join(folder, 'tasks/owls.yaml'), 'utf8').replace('task: owls', 'task: ../../up'))
    const words = ['run', '--tasks', 'tasks/up.yaml', '--no-cache', '-w', 'up-runs', '--model', 'local-completions']
    const output = ['--model_args', served('/completions'), '--output_path', 'deep/out', '--log_samples']
    const cut = await rolecall([...words, ...output, '--max-time', '0.0001'], folder)
    expect(cut).toMatchObject({ code: 5, stderr: expect.stringContaining('nothing is written before the run is complete') })
    expect(existsSync(join(folder, 'deep'))).toBe(false)
    await rolecall([...words, ...output], folder)
    expect(readdirSync(join(folder, 'deep/out/zoo__owl'))).toEqual([
      expect.stringMatching(/^results_/),
      expect.stringMatching(/^samples_\.\.__\.\.__up_/),
    ])
  })

  test('an output path that cannot be written is refused before the first request, and a model named .. stays inside', async () => {
    write('taken', '')
    const before = server.seen.length
    const model = ['--model', 'local-completions', '--model_args']
    expect(await run(...model, served('/completions'), '--output_path', 'taken/out')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/--output-path\n.*taken is a file, and the results need a folder/),
    })
    expect(server.seen).toHaveLength(before)
    const { code, stderr } = await run(...model, `model=..,base_url=${server.url}/completions`, '--output_path', 'inside/out')
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(readdirSync(join(folder, 'inside'))).toEqual(['out'])
    expect(readdirSync(join(folder, 'inside/out'))).toEqual(['__'])
  })

  test('samples have the hashes of document, prompt and target; results the metrics', async () => {
    const model = [
      '--model',
      'local-completions',
      '--model_args',
      `${served('/completions')},num_concurrent=2,tokenizer_backend=None,dtype=auto`,
    ]
    const { stderr, code } = await run(
      ...model,
      '--gen_kwargs',
      'temperature=0.5,do_sample=true',
      '--batch_size',
      '4',
      '--output_path',
      'out',
      '--log_samples',
    )
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringMatching(/it is not read.*--model-args › dtype/) })
    expect(stderr).toContain('--batch-size changes nothing here')
    const { results, samples } = filesIn(join(folder, 'out/zoo__owl'))
    const [first, second] = linesOf(samples).map((line) => JSON.parse(line) as Sample)
    expect(first).toMatchObject({
      doc_id: 0,
      target: 'ja',
      arguments: {
        gen_args_0: { arg_0: 'Fliegen Eulen? é', arg_1: { until: ['\n'], max_gen_toks: 8, temperature: 0.5, do_sample: true } },
      },
      resps: [['ja']],
      filtered_resps: ['ja'],
      filter: 'none',
      metrics: ['exact_match'],
      doc_hash: sha256('{\n  "q": "Fliegen Eulen? é",\n  "a": "ja",\n  "n": 1.0\n}'),
      prompt_hash: sha256('Fliegen Eulen? é'),
      target_hash: sha256('ja'),
      exact_match: 1,
    })
    const written = JSON.parse(readFileSync(results, 'utf8'))
    expect(readFileSync(results, 'utf8')).toContain('"exact_match,none": 0.5,')
    expect(written).toMatchObject({
      results: { owls: { name: 'owls', alias: 'owls', sample_len: 2 } },
      versions: { owls: 2 },
      'n-shot': { owls: 0 },
      'n-samples': { owls: { original: 2, effective: 2 } },
      config: { model: 'local-completions', batch_size: 4, gen_kwargs: { temperature: 0.5, do_sample: true } },
      model_name: 'zoo/owl',
      chat_template: null,
    })
    expect((await resultsWithout('metadata: {version: 2.0}')).versions).toEqual({ owls: 'Yaml' })
    expect((await resultsWithout('{version: 2.0}', '{version: 0}')).versions).toEqual({ owls: 0 })
    // The harness selects by tags and does not record them.
    expect(written.configs.owls).not.toHaveProperty('tag')
    expect(written.configs.owls.dataset_kwargs).toEqual({ data_files: { test: 'owls.jsonl' } })
    const hashes = [first!, second!].map(({ doc_hash, prompt_hash, target_hash }) => `${doc_hash}${prompt_hash}${target_hash}`)
    expect(written.task_hashes.owls).toBe(sha256(hashes.join('')))
    expect(server.seen.at(-1)?.path).toBe('/v1/completions')
  })

  test('messages are one JSON text, and a .json path names the file', async () => {
    const model = ['--model', 'local-chat-completions', '--model_args', served('/chat/completions'), '--apply_chat_template']
    const { code } = await run(...model, '--system_instruction', 'Kurz.', '--limit', '1', '--output_path', 'chat/own.json', '--log_samples')
    expect(code).toBe(0)
    const names = readdirSync(join(folder, 'chat'))
    const [sample] = linesOf(join(folder, 'chat', names.find((name) => name.startsWith('samples_owls_'))!)).map(
      (line) => JSON.parse(line) as Sample,
    )
    const messages = '[{"role": "system", "content": "Kurz."}, {"role": "user", "content": "Fliegen Eulen? é"}]'
    expect(sample!.arguments.gen_args_0!.arg_0).toEqual([messages])
    expect(sample!.prompt_hash).toBe(sha256(messages))
    const written = JSON.parse(readFileSync(join(folder, 'chat', names.find((name) => name.startsWith('own_'))!), 'utf8'))
    expect(written).toMatchObject({
      config: { limit: 1 },
      'n-samples': { owls: { original: 2, effective: 1 } },
      system_instruction_sha: sha256('Kurz.'),
      fewshot_as_multiturn: true,
      chat_template: '',
      chat_template_sha: null,
    })
  })

  test('with a chat template, a completion has the stops of the task only, as in the harness', async () => {
    const template =
      '{% for m in messages %}<|{{ m.role }}|>{{ m.content }}<|end|>{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}'
    writeTokenizer('owl')
    write('owl/tokenizer_config.json', JSON.stringify({ chat_template: template }))
    const model = ['--model', 'local-completions', '--model_args', `${served('/completions')},tokenizer=owl`, '--apply_chat_template']
    const { code, stderr } = await run(...model, '--limit', '1')
    expect({ code, stderr }).toMatchObject({ code: 0 })
    const { prompt, ...fields } = JSON.parse(server.seen.at(-1)!.body) as { prompt: number[] }
    expect(prompt.map((id) => vocabulary[id]).join('')).toBe('<|user|>Fliegen Eulen? é<|end|><|assistant|>')
    expect(fields).toEqual({ model: 'zoo/owl', max_tokens: 8, temperature: 0, stop: ['\n'] })
  })

  test('a tokenizer writes BOS only with add_bos_token, as in the harness, whatever its files say', async () => {
    writeTokenizer('owl')
    write('owl/tokenizer_config.json', JSON.stringify({ bos_token: '<s>' }))
    const sent: string[] = []
    for (const more of ['', ',add_bos_token=True']) {
      const model = ['--model', 'local-completions', '--model_args', `${served('/completions')},tokenizer=owl${more}`]
      const { code, stderr } = await run(...model, '--limit', '1')
      expect({ code, stderr }).toMatchObject({ code: 0 })
      const { prompt } = JSON.parse(server.seen.at(-1)!.body) as { prompt: number[] }
      sent.push(prompt.map((id) => vocabulary[id]).join(''))
    }
    expect(sent).toEqual(['Fliegen Eulen? é', '<s>Fliegen Eulen? é'])
  })

  test('a server is sent the temperature of a task although it says do_sample: false, and its other settings as they are, max_new_tokens beside max_tokens, as in the harness', async () => {
    write(
      'warm/owls.yaml',
      readFileSync(join(folder, 'tasks/owls.yaml'), 'utf8').replace(
        'max_gen_toks',
        'do_sample: false, num_beams: 1, early_stopping: true, temperature: 1, max_new_tokens',
      ),
    )
    write('warm/owls.jsonl', readFileSync(join(folder, 'tasks/owls.jsonl'), 'utf8'))
    const words = ['run', '--tasks', 'warm/owls.yaml', '--no-cache', '-w', 'runs', '--limit', '1', '--model', 'local-completions']
    const { code, stderr } = await rolecall([...words, '--model_args', served('/completions'), '--gen_kwargs', 'num_beams=3'], folder)
    expect({ code, stderr }).toMatchObject({ code: 0 })
    const body = JSON.parse(server.seen.at(-1)!.body) as object
    expect(body).toMatchObject({ temperature: 1, max_tokens: 256, max_new_tokens: 8, early_stopping: true, num_beams: 3 })
    expect(Object.keys(body)).not.toContain('do_sample')
  })

  test('a chat server is sent four stops of a task, as in the harness, and its reply is not cut at the others', async () => {
    write('stops/owls.yaml', readFileSync(join(folder, 'tasks/owls.yaml'), 'utf8').replace('["\\n"]', '[a1, a2, a3, a4, a]'))
    write('stops/owls.jsonl', readFileSync(join(folder, 'tasks/owls.jsonl'), 'utf8'))
    const words = ['run', '--tasks', 'stops/owls.yaml', '--no-cache', '-w', 'runs', '--limit', '1', '--model', 'local-chat-completions']
    const output = ['--apply_chat_template', '--output_path', 'stops/out', '--log_samples']
    const { code, stderr } = await rolecall([...words, '--model_args', served('/chat/completions'), ...output], folder)
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(JSON.parse(server.seen.at(-1)!.body).stop).toEqual(['a1', 'a2', 'a3', 'a4'])
    const [sample] = linesOf(filesIn(join(folder, 'stops/out/zoo__owl')).samples)
    expect((JSON.parse(sample!) as Sample).resps).toEqual([['ja']])
  })

  test('max_gen_toks of --model_args is the length of tasks without one, eos_string ends replies, and max_tokens of a task comes first', async () => {
    const task = (settings: string) => readFileSync(join(folder, 'tasks/owls.yaml'), 'utf8').replace('max_gen_toks: 8', settings)
    const sent = async (settings: string) => {
      write('lengths/owls.yaml', task(settings))
      write('lengths/owls.jsonl', readFileSync(join(folder, 'tasks/owls.jsonl'), 'utf8'))
      const words = ['run', '--tasks', 'lengths/owls.yaml', '--no-cache', '-w', 'runs', '--limit', '1', '--model', 'local-completions']
      const given = `${served('/completions')},max_gen_toks=500,eos_string=<eos>`
      const { code, stderr } = await rolecall([...words, '--model_args', given], folder)
      expect({ code, stderr }).toMatchObject({ code: 0 })
      const { max_tokens, stop } = JSON.parse(server.seen.at(-1)!.body)
      return { max_tokens, stop }
    }
    expect(await sent('do_sample: false')).toEqual({ max_tokens: 500, stop: ['\n', '<eos>'] })
    expect(await sent('max_gen_toks: 8')).toEqual({ max_tokens: 8, stop: ['\n', '<eos>'] })
    expect(await sent('max_gen_toks: 8, max_tokens: 9')).toEqual({ max_tokens: 9, stop: ['\n', '<eos>'] })
  })

  test('with a tokenizer, only the end of a prompt that is longer than max_length is sent, as in the harness, and all of it if there is no room for a reply', async () => {
    writeTokenizer('owl')
    const sent = async (length: number, note: string) => {
      const given = `${served('/completions')},tokenizer=owl,max_length=${length}`
      const { code, stdout } = await run('--model', 'local-completions', '--model_args', given, '--limit', '1')
      expect({ code, stdout: stdout.replace(/\s+/g, ' ') }).toMatchObject({ code: 0, stdout: expect.stringContaining(note) })
      const { prompt } = JSON.parse(server.seen.at(-1)!.body) as { prompt: number[] }
      return prompt.map((id) => vocabulary[id]).join('')
    }
    // One token of the 15 is kept free, and the task generates 8.
    const note = 'the prompt and its reply do not fit into 14 tokens: only its end is sent'
    expect(await sent(15, note)).toBe('Fliegen Eulen? é'.slice(-6))
    expect(await sent(9, 'as a reply of up to 8 tokens alone does not fit into 8 tokens')).toBe('Fliegen Eulen? é')
  })

  test('generation settings are sent; those that mean nothing here as they are', async () => {
    const { code } = await run('--model', 'local-completions', '--model_args', served('/completions'), ...generation)
    expect(code).toBe(0)
    expect(JSON.parse(server.seen.at(-1)!.body)).toMatchObject({
      ...{
        temperature: 0.7,
        presence_penalty: 1,
        max_tokens: 3,
        stop: ['\n'],
        top_k: 20,
        typical_p: 0.5,
        chat_template_kwargs: { a: [1.5] },
      },
    })
    const { stderr } = await run('--model', 'embedded', ...generation)
    expect(stderr).toMatch(/not sent[\s\S]*--gen-kwargs › typical_p, chat_template_kwargs/)
  })

  test('requests that score a choice are not sent generation settings, as in the harness', async () => {
    const choice = readFileSync(join(folder, 'tasks/owls.yaml'), 'utf8').replace(/generation_kwargs.*\n/, '')
    write('choice/owls.yaml', `${choice}output_type: multiple_choice\ndoc_to_choice: [ja, nein]\n`)
    write('choice/owls.jsonl', readFileSync(join(folder, 'tasks/owls.jsonl'), 'utf8'))
    const before = server.seen.length
    const words = ['run', '--tasks', 'choice/owls.yaml', '--no-cache', '-w', 'runs', '--model', 'local-completions']
    await rolecall([...words, '--model_args', served('/completions'), ...generation], folder)
    const bodies = server.seen.slice(before).flatMap(({ body }) => (body === '' ? [] : [JSON.parse(body) as object]))
    expect(bodies.length).toBeGreaterThan(0)
    expect(bodies.filter((body) => 'top_k' in body || 'typical_p' in body)).toEqual([])
  })

  test('mistakes are reported before the first request', async () => {
    const fail = async (...words: string[]) => (await run(...words)).stderr
    expect(await fail('--log-samples')).toContain('this flag needs --output-path')
    expect(await fail('--model', 'hf', '--model_args', 'pretrained=gpt2')).toMatch(/"hf" cannot be run here[\s\S]*local-completions/)
    expect(await fail('--model_args', 'model=x')).toContain('this flag needs --model')
    expect(await fail('--model', 'local-completions', '--model_args', 'model=x')).toContain('it has no base_url')
    expect(await fail('--model', 'local-completions', '--model_args', 'model')).toContain('"model" is not KEY=VALUE')
    expect(await fail('--model', 'local-completions', '--model_args', `${served('')},num_concurrent=many`)).toContain(
      'it is not a positive integer',
    )
    expect(await fail('--model', 'local-chat-completions', '--model_args', served(''))).toContain('add --apply-chat-template')
    expect(await fail('--model', 'local-completions', '--model_args', served(''), '--apply_chat_template')).toContain('tokenizer=PATH')
    const [flag, ...settings] = ['--gen_kwargs', 'temperature=hot', 'temperature', 'max_tokens=many'] as const
    for (const setting of settings) expect(await fail(flag, setting)).toMatch(/is not a number|is not KEY=VALUE/)
    expect(await fail('--model', 'embedded', '--models', 'x')).toContain('--models is also given')
    expect(await fail('--fewshot_as_multiturn', 'maybe')).toContain('expected true or false')
    const alone = await rolecall(['run', '--output-path', 'out'], folder)
    expect(alone.stderr).toContain('this flag needs --tasks')
  })
})

const shared = fileURLToPath(new URL('../../../../../../shared/foreign-results', import.meta.url))

/** Replies as the model of a recorded run did. */
function replay(samples: readonly Sample[]): (seen: Seen) => Scripted {
  const texts = new Map(samples.map(({ arguments: { gen_args_0: given }, resps }) => [String(given!.arg_0), resps[0]![0] as string]))
  const scores = new Map(
    samples.flatMap(({ arguments: given, resps }) =>
      Object.values(given).map(
        ({ arg_0, arg_1 }, index) =>
          [`${arg_0}${arg_1}`, { context: String(arg_0), scored: resps[index]![0] as [string, string] }] as const,
      ),
    ),
  )
  return ({ path, body }) => {
    if (path.endsWith('/models')) return { json: { data: [{ id: 'mock-1' }] } }
    const { prompt, messages, echo } = JSON.parse(body)
    if (messages) return { json: { choices: [{ message: { content: texts.get(pythonJson(messages)) }, finish_reason: 'stop' }] } }
    if (!echo) return { json: { choices: [{ text: texts.get(prompt), finish_reason: 'stop' }] } }
    const known = scores.get(prompt)
    // What a server can do is tried with other texts first.
    const tokens: string[] = known ? [known.context, prompt.slice(known.context.length)] : [...prompt]
    const value = Number(known?.scored[0] ?? -1)
    const best = { [tokens.at(-1)!]: value, ...(known?.scored[1] === 'False' ? { '<other>': value + 0.1 } : {}) }
    const logprobs = {
      tokens,
      token_logprobs: tokens.map((_, index) => (index === 0 ? null : known ? value : -1 - index / 100)),
      text_offset: tokens.map((_, index) => tokens.slice(0, index).join('').length),
      top_logprobs: tokens.map((_, index) => (index === 0 ? null : best)),
    }
    return { json: { choices: [{ text: prompt, logprobs, finish_reason: 'length' }] } }
  }
}

const pythonJson = (messages: readonly { role: string; content: string }[]) =>
  `[${messages.map(({ role, content }) => `{"role": "${role}", "content": ${JSON.stringify(content)}}`).join(', ')}]`

describe.skipIf(!existsSync(shared))('files that lm-evaluation-harness wrote (skipped without ../shared)', () => {
  test.each([
    ['mc-3shot', 'minibench_mc', ['--num_fewshot', '3']],
    ['gen-plain', 'minibench_gen', []],
    ['gen-chat-3shot-multiturn', 'minibench_gen', ['--num_fewshot', '3', '--apply_chat_template']],
    ['gen-chat-system', 'minibench_gen', ['--apply_chat_template', '--system_instruction', 'SYSTEM']],
  ])(
    '%s: the same samples, metrics, configs and hashes',
    async (name, task, words) => {
      const real = filesIn(join(shared, 'lm-eval', name, 'mock-1'))
      const expected = JSON.parse(readFileSync(real.results, 'utf8'))
      const samples = linesOf(real.samples)
      const replaying = await scriptedServer(replay(samples.map((line) => JSON.parse(line) as Sample)))
      const isChat = words.includes('--apply_chat_template')
      const given = words.map((word) => (word === 'SYSTEM' ? expected.system_instruction : word))
      const model = [
        '--model',
        isChat ? 'local-chat-completions' : 'local-completions',
        '--model_args',
        `model=mock-1,base_url=${replaying.url}`,
      ]
      const { stderr } = await rolecall(
        [
          'run',
          ...model,
          '--tasks',
          join(shared, 'lm-eval/_tasks', `${task}.yaml`),
          '--data-dir',
          shared,
          ...given,
          '--no-cache',
          '-w',
          'runs',
          '--output_path',
          name,
          '--log_samples',
        ],
        folder,
      )
      await replaying.close()
      expect(stderr).toContain('wrote ')
      const ours = filesIn(resolve(folder, name, 'mock-1'))
      // Reasoning is not part of an answer here (docs/lm-eval.md).
      const isSame = (line: string) => !line.includes('<think>')
      const without = linesOf(ours.samples).filter((_, index) => isSame(samples[index]!))
      expect(without).toEqual(samples.filter(isSame))
      expect(samples.length - without.length).toBe(task === 'minibench_gen' ? 4 : 0)
      const written = JSON.parse(readFileSync(ours.results, 'utf8'))
      const { metadata: _, ...config } = expected.configs[task]
      expect(written.configs[task]).toMatchObject(config)
      expect(Object.keys(written.configs[task])).toEqual(Object.keys(expected.configs[task]))
      for (const key of [
        'results',
        'group_subtasks',
        'versions',
        'n-shot',
        'higher_is_better',
        'n-samples',
        'task_hashes',
        'model_source',
        'model_name',
        'system_instruction',
        'system_instruction_sha',
        'fewshot_as_multiturn',
        'chat_template',
        'chat_template_sha',
      ])
        expect([key, written[key]]).toEqual([key, expected[key]])
      expect(readFileSync(ours.results, 'utf8').slice(0, 400).split('"configs"')[0]).toBe(
        readFileSync(real.results, 'utf8').slice(0, 400).split('"configs"')[0],
      )
    },
    20_000,
  )
})
