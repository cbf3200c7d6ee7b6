import { describe, expect, test } from 'vitest'
import type { Doc } from '../task/field.ts'
import { taskFromYaml } from '../task/task-from-yaml.ts'
import { asSingleTurn, joined, textOfFragments } from './message.ts'
import { exampleSampler } from './sample-examples.ts'
import { requestsOf, type TaskRequest } from './task-requests.ts'

const docs: Doc[] = [
  { q: 'Is iron heavy?', label: 1, a: 'yes' },
  { q: 'Do owls bark?', label: 0, a: 'no' },
]
const pool: Doc[] = [
  { q: 'Is snow cold?', label: 1, a: 'yes' },
  { q: 'Is fire wet?', label: 0, a: 'no' },
  { q: 'Do fish swim?', label: 1, a: 'yes' },
]
const choice = `
output_type: multiple_choice
doc_to_text: "Q: {{q}}\\nA:"
doc_to_choice: ["no", "yes"]
doc_to_target: label
fewshot_split: train
test_split: test
`
const generate = 'doc_to_text: "Q: {{q}}"\ndoc_to_target: a\nfewshot_split: train\ntest_split: test\n'

function contextOf(request: TaskRequest): string {
  return request.kind === 'rolling' ? textOfFragments(request.text) : textOfFragments(joined(request.prompt?.messages ?? []))
}

describe('plain text', () => {
  test('each choice is a continuation after the delimiter', () => {
    const task = taskFromYaml(choice, docs)
    const requests = requestsOf(task, docs[0]!, { examples: [], isChat: false })
    expect(requests.map((one) => one.kind === 'loglikelihood' && textOfFragments(one.continuation))).toEqual([' no', ' yes'])
    expect(contextOf(requests[0]!)).toBe('Q: Is iron heavy?\nA:')
  })

  test('examples show their answers; a system instruction precedes the description, with nothing after it', () => {
    const task = taskFromYaml(`${choice}description: "About {{q}}"`, docs)
    const [request] = requestsOf(task, docs[0]!, { examples: [pool[0]!, pool[1]!], system: 'Be brief.', isChat: false })
    expect(contextOf(request!)).toBe(
      'Be brief.\n\nAbout Is iron heavy?Q: Is snow cold?\nA: yes\n\nQ: Is fire wet?\nA: no\n\nQ: Is iron heavy?\nA:',
    )
  })

  test('the start of an answer is delimited only if there is no white space', () => {
    const task = taskFromYaml(`${generate}gen_prefix: "It is"`, docs)
    const [request] = requestsOf(task, docs[0]!, { examples: [pool[0]!], isChat: false })
    expect(contextOf(request!)).toBe('Q: Is snow cold? It is yes\n\nQ: Is iron heavy? It is')
  })

  test('a numeric doc_to_text makes each choice an input', () => {
    const task = taskFromYaml(
      'output_type: multiple_choice\ndoc_to_text: "{{label}}"\ndoc_to_choice: "{{[q + \' No\', q + \' Yes\']}}"\ndoc_to_target: a',
      docs,
    )
    const requests = requestsOf(task, docs[0]!, { examples: [], isChat: false })
    expect(task.hasInputs).toBe(true)
    expect(requests.map(contextOf)).toEqual(['Is iron heavy? No', 'Is iron heavy? Yes'])
    expect(requests.map((one) => one.kind === 'loglikelihood' && textOfFragments(one.continuation))).toEqual([' yes', ' yes'])
  })

  test('acc_mutual_info also scores each choice without the question', () => {
    const task = taskFromYaml(`${choice}metric_list: [{metric: acc_mutual_info}]`, docs)
    const requests = requestsOf(task, docs[0]!, { examples: [], isChat: true })
    expect(requests.map((one) => one.kind === 'loglikelihood' && [one.prompt !== undefined, textOfFragments(one.continuation)])).toEqual([
      [true, 'no'],
      [true, 'yes'],
      [false, 'no'],
      [false, 'yes'],
    ])
  })

  test('rolling scores only the target', () => {
    const task = taskFromYaml('output_type: loglikelihood_rolling\ndoc_to_text: ""\ndoc_to_target: "{{q}}"', docs)
    expect(requestsOf(task, docs[1]!, { examples: [], isChat: false }).map(contextOf)).toEqual(['Do owls bark?'])
  })
})

describe('chats', () => {
  const task = taskFromYaml(`${generate}gen_prefix: "It is"\ndescription: Short.`, docs)
  const [request] = requestsOf(task, docs[0]!, { examples: [pool[0]!], isChat: true })
  const messages = request!.kind === 'generate' ? request!.prompt.messages : []
  const shown = (given: typeof messages) => given.map(({ role, content }) => `${role}: ${textOfFragments(content)}`)

  test('are rendered turn by turn, without delimiters', () => {
    expect(shown(messages)).toEqual([
      'system: Short.',
      'user: Q: Is snow cold?',
      'assistant: It is yes',
      'user: Q: Is iron heavy?',
      'assistant: It is',
    ])
  })

  test('can be merged into one turn', () => {
    expect(shown(asSingleTurn(messages))).toEqual([
      'system: Short.',
      'user: Q: Is snow cold? It is yes\n\nQ: Is iron heavy?',
      'assistant: It is',
    ])
  })

  test('have no delimiter before a choice, unless the answer has begun', () => {
    const ends = (yaml: string) => {
      const [one] = requestsOf(taskFromYaml(choice + yaml, docs), docs[0]!, { examples: [], isChat: true })
      return one!.kind === 'loglikelihood' && textOfFragments(one!.continuation)
    }
    expect(ends('')).toBe('no')
    expect(ends('gen_prefix: "It is"')).toBe(' no')
    expect(ends('gen_prefix: "It is "')).toBe('no')
  })
})

describe('examples', () => {
  const many = Array.from({ length: 30 }, (_, index): Doc => ({ q: `${index}`, label: 0, a: 'no' }))
  const drawn = (yaml: string, from: Doc[], count: number) => {
    const task = taskFromYaml(yaml, from, from)
    const draw = exampleSampler(task, count)
    return from.slice(0, 2).map((doc) => draw(doc).map((one) => Number((one as { q: string }).q)))
  }

  test("are drawn like Python's random.Random(1234).sample, document by document", () => {
    // python3 -c "import random; r = random.Random(1234); print(r.sample(range(30), 3), r.sample(range(30), 3))"
    expect(drawn(generate, many, 3)).toEqual([
      [24, 14, 3],
      [0, 2, 29],
    ])
  })

  test('exclude the document itself if they come from its split', () => {
    const same = generate.replace('fewshot_split: train', 'fewshot_split: test')
    for (const [index, found] of drawn(same, many.slice(0, 4), 3).entries()) expect(found).not.toContain(index)
    expect(drawn(`${same}fewshot_config: {sampler: first_n}`, many, 2)).toEqual([
      [1, 2],
      [0, 2],
    ])
  })

  test('can run out', () => {
    expect(() => drawn(generate, many.slice(0, 2), 3)).toThrow('3 examples are needed, but there are 2')
    expect(() => exampleSampler(taskFromYaml(generate, docs), 1)).toThrow('has no split or samples')
  })
})

describe('mistakes', () => {
  test('are reported with the key', () => {
    expect(() => taskFromYaml('doc_to_text: "{{nope}}"\ndoc_to_target: a', docs)).toThrow("'nope' is undefined")
    expect(() => taskFromYaml('output_type: guess\ndoc_to_text: q\ndoc_to_target: a', docs)).toThrow('output_type: there is no "guess"')
    expect(() => taskFromYaml('class: utils.Task\ndoc_to_text: q\ndoc_to_target: a', docs)).toThrow('class: it is not a function')
    expect(() => taskFromYaml('doc_to_text: q', docs)).toThrow('doc_to_target: it is empty')
    expect(() => taskFromYaml(`${choice}process_docs: !function utils.f`, docs).find).not.toThrow()
    expect(() => taskFromYaml(choice.replace('["no", "yes"]', '"{{q}}"'), docs)).toThrow('it does not return a list of choices')
  })

  test('keys without an effect are noted', () => {
    const { notes } = taskFromYaml('doc_to_text: q\ndoc_to_target: a\ntask: t\ndoc_to_txt: q', docs).config
    expect(notes).toEqual([
      { code: 'unread-key', where: 'task.yaml › t › doc_to_txt', text: 'it is not read; did you mean "doc_to_text"?' },
    ])
  })
})
