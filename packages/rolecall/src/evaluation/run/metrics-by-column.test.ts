import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { rolecall } from '../../../../../proof/testing/rolecall.ts'

const asked = { role: 'HUMAN', prompt: '{question}' }
const config = (given: object = {}) => ({
  models: [{ abbr: 'tiny', type: 'embedded', format: 'internlm2', max_out_len: 6 }],
  datasets: [
    {
      abbr: 'sums',
      rows: [
        { id: 'a', category: 'plus', question: '12+30=?', answer: '42' },
        { id: 'b', category: 'minus', question: '5-3=?', answer: '9' },
        { id: 'c', category: 'plus', question: '2+2=?', answer: '5' },
        { id: 'd', question: '1+1=?', answer: '2' },
      ],
      train_rows: [
        { question: '3+3=?', answer: '6' },
        { question: '4+4=?', answer: '8' },
        { question: '7+7=?', answer: '14' },
      ],
      by: 'category',
      keep_columns: ['id'],
      reader_cfg: { input_columns: ['question'], output_column: 'answer' },
      infer_cfg: {
        ice_template: { template: { round: [asked, { role: 'BOT', prompt: '{answer}' }] } },
        prompt_template: { template: { begin: ['</E>'], round: [asked] }, ice_token: '</E>' },
        retriever: { type: 'FixKRetriever', fix_id_list: [2, 0] },
      },
      ...given,
    },
  ],
})
const folder = (given?: object) => folderWith({ 'rolecall.config.json': JSON.stringify(config(given)) })

describe('metrics by column', () => {
  test('are reported with their counts in every output format', async () => {
    const at = folder()
    const { code, stdout } = await rolecall(['run', '-w', 'runs', '--verbose'], at)
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /sums by category: accuracy %\ncategory +rows +tiny\nplus +2 +50\.0 \[.*\nminus +1 +0\.0 .*\n\(none\) +1 +100\.0/,
    )
    const [run] = readdirSync(join(at, 'runs'))
    const written = (name: string) => readFileSync(join(at, 'runs', run!, name), 'utf8')
    expect(JSON.parse(written('summary/summary.json')).results[0].by).toMatchObject([
      {
        column: 'category',
        figures: [
          { of: 'plus', rows: 2, value: 50, answers: { answered: 2 } },
          { of: 'minus', rows: 1, value: 0 },
          { of: '(none)', rows: 1, value: 100 },
        ],
      },
    ])
    expect(written('summary/summary.md')).toContain('| category | rows | tiny |')
    expect(written('summary/summary.txt')).toContain('sums by category: accuracy %')
    const [heading, ...lines] = written('summary/summary.csv').split('\n')
    const cells = lines.map((line) => Object.fromEntries(heading!.split(',').map((name, place) => [name, line.split(',')[place]])))
    expect(cells.slice(0, 4).map(({ figure, by, of, value, rows }) => [figure, by, of, value, rows])).toEqual([
      ['main', '', '', '50', '4'],
      ['by', 'category', 'plus', '50', '2'],
      ['by', 'category', 'minus', '0', '1'],
      ['by', 'category', '(none)', '100', '1'],
    ])
  })

  test('use columns that records keep, with the indices of the examples', async () => {
    const at = folder()
    await rolecall(['run', '-w', 'runs'], at)
    const [run] = readdirSync(join(at, 'runs'))
    const records = readFileSync(join(at, 'runs', run!, 'predictions/tiny/sums.jsonl'), 'utf8')
      .trim()
      .split('\n')
    expect(records.map((line) => JSON.parse(line))).toMatchObject([
      { columns: { id: 'a', category: 'plus' }, example_ids: [2, 0] },
      { columns: { id: 'b', category: 'minus' } },
      { columns: { id: 'c', category: 'plus' } },
      { columns: { id: 'd' } },
    ])
    // Rescoring with another column sends nothing.
    const again = await rolecall(['score', 'runs', '--json'], at)
    expect(JSON.parse(again.stdout).results[0].by[0].figures).toHaveLength(3)
  })

  test('record indices for examples that are chosen per row, too', async () => {
    const bm25 = { ...config().datasets[0]!.infer_cfg, retriever: { type: 'RandomRetriever', ice_num: 2 } }
    const at = folder({ infer_cfg: bm25 })
    await rolecall(['run', '-w', 'runs', '--limit', '1'], at)
    const [run] = readdirSync(join(at, 'runs'))
    const [record] = readFileSync(join(at, 'runs', run!, 'predictions/tiny/sums.jsonl'), 'utf8')
      .trim()
      .split('\n')
    const { example_ids: ids } = JSON.parse(record!)
    expect(ids).toHaveLength(2)
    for (const id of ids) expect([0, 1, 2]).toContain(id)
  })

  test('are refused before anything is sent if no row has the column', async () => {
    const { code, stderr } = await rolecall(['run', '-w', 'runs'], folder({ by: 'categry' }))
    expect(code).toBe(2)
    expect(stderr).toContain('sums › by')
    expect(stderr).toContain('did you mean "category"?')
    expect((await rolecall(['run', '-w', 'runs'], folder({ keep_columns: ['nothing'] }))).stderr).toContain('sums › keep_columns')
  })
})
