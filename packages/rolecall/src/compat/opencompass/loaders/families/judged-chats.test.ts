import { expect, test } from 'vitest'
import { filesOf, load } from '../index.ts'
import type { Table } from '../table.ts'

const rowsOf = async (type: string, settings: object, files: Record<string, unknown>) => {
  const texts = Object.entries(files).map(([path, content]) => [path, typeof content === 'string' ? content : JSON.stringify(content)])
  return ((await load(type, settings as never, filesOf(Object.fromEntries(texts)))) as Table).rows as Record<string, unknown>[]
}

const arena = (category: string) => ({ category, difficulty: '初级', question: { content: 'q {prediction}' }, answer: { content: 'a' } })

test('CompassArena: an unknown category has the prompts of the row before it, as in OpenCompass', async () => {
  const settings = { path: 'd', name: 'singleturn' }
  const rows = await rowsOf('CompassArenaSubjectiveBench', settings, { 'd/singleturn.json': [arena('代码'), arena('诗')] })
  expect(rows[1]!.pairwise_judge_prompt).toBe(rows[0]!.pairwise_judge_prompt)
  await expect(rowsOf('CompassArenaSubjectiveBench', settings, { 'd/singleturn.json': [arena('诗')] })).rejects.toThrow(
    'no rule for the category 诗',
  )
})

test('CompassArena: chats', async () => {
  const chat = { category: '代码', difficulty: '初级', conversation: [{ role: 'user', content: 'q' }] }
  const [row] = await rowsOf('CompassArenaSubjectiveBench', { path: 'd', name: 'multiturn' }, { 'd/multiturn.json': [chat] })
  expect(row).toMatchObject({ dialogue: chat.conversation, judge: { category: '代码', difficulty: '初级' } })
  expect(row!.pointwise_judge_prompt).toContain('【用户与模型的对话开始】\n{prediction}\n')
})

const wild = {
  turn: [{ role: 'user', content: 'see {checklist}' }],
  checklist: ['one'],
  primary_tag: 'Math',
  secondary_tag: [],
  session_id: 's',
}

test('WildBench: roles, and what is refused', async () => {
  const file = { 'w.jsonl': wild }
  const [chat] = await rowsOf('WildBenchDataset', { path: 'w.jsonl' }, file)
  expect(chat!.dialogue).toEqual([
    { role: 'HUMAN', content: 'see {checklist}' },
    { role: 'assistant', content: '' },
  ])
  // OpenCompass fills the checklist in last, also where the chat names it.
  expect(chat!.prompt).toContain('see - one\n')
  const [raw] = await rowsOf('WildBenchWithRawPromptDataset', { path: 'w.jsonl', eval_mode: 'single' }, file)
  expect(raw!.dialogue).toEqual([{ role: 'user', content: 'see {checklist}' }])
  await expect(rowsOf('WildBenchDataset', { path: 'w.jsonl', eval_mode: 'both' }, file)).rejects.toThrow('neither single nor pair')
  await expect(rowsOf('WildBenchDataset', { path: 'w.jsonl' }, { 'w.jsonl': { ...wild, turn: [] } })).rejects.toThrow(
    'the chat has no turns',
  )
})

test('Chinese SimpleQA: a question that names a field of the prompt stays as it is', async () => {
  const entry = { id: 1, question: 'what is {target}?', answer: 'x', primary_category: 'c' }
  const [row] = await rowsOf('CsimpleqaDataset', { path: 'd', name: 'n' }, { 'd/n.jsonl': entry })
  expect(row!.prompt_template).toContain('what is {target}?')
  expect(row!.prompt_template).toContain('{prediction}')
})

test("MT-Bench: the judge's prompts are those of OpenCompass's code, which importing a config adds", async () => {
  const single = { system_prompt: 'S', prompt_template: '{question_1}|{question_2}|{ref_answer_2}|{prediction_r2}' }
  const wording = { single_math_v1_multi_turn: single, single_v1: { system_prompt: 'T', prompt_template: '{question}: {prediction_r1}' } }
  const turns = ['q {x}', '', 'r', ''].map((content, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content }))
  const chat = { dialogue: turns, capability: 'math', others: { reference: ['one', 'two'] } }
  const files = { 'd/n.json': [{ id: 1 }, chat] }
  const [row, ...rest] = await rowsOf('MTBenchDataset', { path: 'd', name: 'n', wording }, files)
  expect(rest).toEqual([])
  expect(row).toMatchObject({ system_prompt: 'S', prompt_template: 'q {x}|r|two|{prediction_r2}' })
  const one = { ...files, 'd/n.json': [{ ...chat, capability: 'writing' }] }
  const [other] = await rowsOf('MTBenchDataset', { path: 'd', name: 'n', wording, multi_turn: false }, one)
  expect(other!.prompt_template).toBe('q {x}: {prediction_r1}')
  await expect(rowsOf('MTBenchDataset', { path: 'd', name: 'n' }, files)).rejects.toThrow('run the config from a checkout')
})

test('MT-Bench-101: each round is a row, judged after the rounds before it', async () => {
  const history = ['a', 'b'].map((user) => ({ user, bot: user.toUpperCase() }))
  const entries = ['CM', 'MR'].map((task, id) => JSON.stringify({ id, task, history })).join('\n')
  const wording = { judge: 'J ', unique_prompt: { CM: 'cm', MR: 'mr' }, score_format: ' F' }
  for (const type of ['MTBench101Dataset', 'MTBench101WithRawPromptDataset']) {
    const rows = await rowsOf(type, { path: 'd', name: 'n', wording }, { 'd/n.jsonl': `${entries}\n` })
    expect(rows.map(({ task, turn_id: turn, dialogue }) => [task, turn, (dialogue as unknown[]).length])).toEqual(
      type === 'MTBench101Dataset'
        ? [
            ['CM', '2', 4],
            ['MR', '1', 2],
            ['MR', '2', 4],
          ]
        : [
            ['CM', '2', 3],
            ['MR', '1', 1],
            ['MR', '2', 3],
          ],
    )
    expect(rows[0]).toMatchObject({ system_prompt: 'J cm F', judge: { task: 'CM', multi_id: 0, turn_id: '2' } })
    expect(rows[0]!.prompt_template).toContain('\n\n Human: a\n\nAssistant: A\n\n Human: b\n\nAssistant:  {prediction} \n ***')
    expect(rows[1]!.prompt_template).toContain("[{'role': 'user', 'content': 'a'}, {'role': 'assistant', 'content': 'A'}]")
  }
})
