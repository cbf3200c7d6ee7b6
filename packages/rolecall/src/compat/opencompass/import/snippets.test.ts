import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { checkConfig } from '../../../evaluation/config/check-config.ts'
import { importConfig } from './import-config.ts'

// The Python of documents 000, 001 and 002 verbatim, in order; its meaning was compared with cases/document-00*.json.
const folder = new URL('snippets/', import.meta.url)
const expected = JSON.parse(readFileSync(new URL('expected.json', folder), 'utf8')) as Record<
  string,
  { models: unknown; datasets: unknown; notes: unknown }
>

describe('snippets pasted from the documents work, their slips included', () => {
  // Rows alone: what is missing is said.
  const rowsOnly = ['002-03.py', '002-15.py']
  test.each(rowsOnly)('%s: rows without a template', (file) => {
    expect(() => importConfig(file, { read: () => readFileSync(new URL(file, folder), 'utf8') })).toThrow(
      expect.objectContaining({ code: 'missing', where: `${file} › prompt_template` }),
    )
  })

  for (const file of readdirSync(folder).filter((name) => name.endsWith('.py') && !rowsOnly.includes(name))) {
    test(file, () => {
      const { config, notes } = importConfig(file, {
        read: (path) => (path === file ? readFileSync(new URL(file, folder), 'utf8') : undefined),
      })
      expect({ ...config, notes: notes.map(({ code, where }) => `${code} ${where}`) }).toEqual(expected[file])
      checkConfig(config, file, { foreignKeys: true })
    })
  }
})

const read = (text: string) => importConfig('c.py', { read: () => text })

describe('what documents 001 and 002 print', () => {
  test('a PromptList is a conversation, alone or beside a meta template', () => {
    const list =
      "PromptList([dict(role='SYSTEM', fallback_role='HUMAN', prompt='Solve.'), dict(role='HUMAN', prompt='1+1=?'), dict(role='BOT', prompt='2')])"
    for (const text of [list, `prompt = ${list}`, `meta_template = dict(round=[dict(role='HUMAN')])\nprompt = ${list}`]) {
      const { config, notes } = read(text)
      expect(config.datasets).toEqual([
        {
          abbr: 'prompt-list',
          rows: [{}],
          infer_cfg: {
            prompt_template: {
              template: {
                begin: [{ role: 'SYSTEM', fallback_role: 'HUMAN', prompt: 'Solve.' }],
                round: [
                  { role: 'HUMAN', prompt: '1+1=?' },
                  { role: 'BOT', prompt: '2' },
                ],
              },
            },
          },
        },
      ])
      expect(notes.map(({ code }) => code)).toEqual(['prompt-list'])
    }
  })

  test('an example beside its template masks the answer, and ex1 to ex3 become examples; what was assumed is said', () => {
    const template = "prompt_template=dict(type=PromptTemplate, template='</E>{question}\\n{answer}', ice_token='</E>')"
    const masked = read(`${template}\nexample = {'question': '1+1=?', 'answer': '2'}`)
    expect(masked.config.datasets).toMatchObject([{ reader_cfg: { output_column: 'answer' }, rows: [{ question: '1+1=?', answer: '2' }] }])
    expect(masked.notes).toMatchObject([{ code: 'assumed', text: expect.stringContaining('"answer" is taken as its output_column') }])
    const examples = ['2+2=?', '3+3=?', '1+1=?'].map((question, index) => `ex${index + 1} = {'question': '${question}', 'answer': '4'}`)
    const shown = read(
      `${examples.join('\n')}\ninfer_cfg=dict(ice_template=dict(template='{question}\\n{answer}'), ${template.replace('prompt_template=dict(', 'prompt_template=dict(')})`,
    )
    expect(shown.config.datasets).toMatchObject([
      {
        train_rows: [{ question: '2+2=?' }, { question: '3+3=?' }],
        infer_cfg: { retriever: { type: 'FixKRetriever', fix_id_list: [0, 1] } },
      },
    ])
    expect(shown.notes.map(({ code }) => code)).toEqual(['assumed', 'assumed'])
  })

  test('examples that no template shows are reported', () => {
    const rows = "ex1 = {'question': '2+2=?', 'answer': '4'}\nex2 = {'question': '1+1=?', 'answer': '2'}"
    const notesOf = (template: string) => read(`${rows}\nprompt_template = dict(${template})`).notes
    expect(notesOf("template='{question}'")).toMatchObject([
      { code: 'assumed' },
      { code: 'examples-unshown', text: 'ex1 is not shown: no template has an ice_token' },
    ])
    expect(notesOf("template='</E>{question}', ice_token='</E>'").map(({ code }) => code)).not.toContain('examples-unshown')
  })

  test('messages and a conversation template of documents 003 and 004 are a dataset and a model', () => {
    const alone = read("messages = [dict(role='user', content='1+1=?')]")
    expect(alone.config).toMatchObject({ models: [{ type: 'embedded' }], datasets: [{ rows: [{ messages: [{ content: '1+1=?' }] }] }] })
    const both = read("conv_template = 'vicuna_v1.1'\ntemperature = 0.7\nmessages = [dict(role='user', content='1+1=?')]")
    expect(both.config.models).toEqual([{ abbr: 'model', mlc_config: { conv_template: 'vicuna_v1.1', temperature: 0.7 } }])
    expect(both.notes).toMatchObject([{ code: 'combined' }])
    const beside = read("models = [dict(type='openai', abbr='m'), dict(abbr='n', conv_template='llama-2')]\nconv_template = 'vicuna_v1.1'")
    expect(beside.config.models).toMatchObject([{ conv_template: 'vicuna_v1.1' }, { conv_template: 'llama-2' }])
  })
})
