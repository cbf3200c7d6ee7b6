import { dictEntries, dictFromEntries, type PyDict, type PyValue, pyStr } from '@rolecall/core/internal/python'
import { bfclRow } from '../../../../evaluation/dataset/bfcl/bfcl-row.ts'
import { BadData } from '../bad-data.ts'
import { joinPath } from '../files.ts'
import { readTable } from '../load-dataset.ts'
import type { Loader } from '../loader.ts'
import { at, dictOf, get, listAt, listOf, type RowDict, row, textAt } from '../row-values.ts'
import { oneFile } from '../simple.ts'
import { dictsOf, fromList } from '../table.ts'
import { asBase64, partsOf, tableOfParts } from './message-parts.ts'

// Dataset classes that only AISBench has.

export const aime = oneFile({ takes: ['path', '*'] })

/** Problems with the answer of their reward model. */
export const dapoMath: Loader = {
  reads: 'a .parquet file, or a folder with dapo-math-17k.parquet (or "file_name"): prompt, reward_model',
  takes: ['path', 'file_name?', '*'],
  async load(data, settings) {
    const path = await data.path(settings.path, { localMode: true })
    const file = path.endsWith('.parquet') ? path : joinPath(path, settings.text('file_name', 'dapo-math-17k.parquet'))
    const table = fromList(
      dictsOf(await readTable(data, file, 'parquet')).map((entry) => {
        const messages = listAt(entry, 'prompt')
        const asked = messages.find((message) => get(message, 'role') === 'user') ?? messages[0]
        return row({
          prompt: get(asked, 'content', ''),
          answer: pyStr(at(at(entry, 'reward_model'), 'ground_truth')),
          data_source: get(entry, 'data_source', 'math_dapo'),
          ability: get(entry, 'ability', 'MATH'),
        })
      }),
    )
    return { test: table, train: table }
  },
}

/** The Berkeley Function Calling Leaderboard, version 3: questions with functions, and the calls that answer them. */
export const bfcl: Loader = {
  reads: 'a folder with BFCL_v3_{category}.json and possible_answer/BFCL_v3_{category}.json, as in the Python package bfcl-eval',
  takes: ['path', 'category', 'test_ids?'],
  async load(data, settings) {
    const path = await data.path(settings.path)
    const file = `BFCL_v3_${settings.text('category')}.json`
    const wanted = settings.get('test_ids')
    const rows = await data.rows(joinPath(path, file))
    const isJudged = !settings.text('category').includes('relevance')
    const answers = isJudged ? await data.rows(joinPath(path, 'possible_answer', file)) : []
    if (isJudged && answers.length !== rows.length) throw new BadData(`${rows.length} questions have ${answers.length} answers`, path)
    return fromList(
      rows.flatMap((entry, place) => {
        const id = textAt(entry, 'id')
        if (wanted !== undefined && wanted !== null && !listOf(wanted).includes(id)) return []
        if (isJudged && textAt(answers[place], 'id') !== id) throw new BadData(`the answer is that of ${textAt(answers[place], 'id')}`, id)
        const made = bfclRow(dictFromEntries([...entry]) as PyDict)
        const gold = isJudged ? at(answers[place], 'ground_truth') : []
        return [new Map([...dictEntries(made), ['ground_truth', gold] as [string, PyValue]])]
      }),
    )
  },
}

const soundQuestion =
  'In this audio, what kind of sound can you hear? A: Laughter, B: Sigh, C: Cough, D: Throat clearing, E: Sneeze, F: Sniff, Please select the one closest to the correct answer. ASSISTANT:'

/** Recordings; the end of a file's name is the answer. */
export const vocalSound: Loader = {
  reads: 'a folder of .wav files: the answer is what follows the last _ of the name',
  takes: ['path', 'audio_type', 'with_parts?'],
  async load(data, settings) {
    const folder = await data.path(settings.path, { localMode: true })
    const rows: RowDict[] = []
    for (const name of (await data.names(folder)).filter((one) => one.endsWith('.wav'))) {
      const path = joinPath(folder, name)
      const audio = settings.text('audio_type') === 'audio_base64' ? await asBase64(data, path) : path
      const content = partsOf(settings, [
        ['audio', audio],
        ['text', soundQuestion],
      ])
      rows.push(row({ content, answer: name.slice(0, -'.wav'.length).split('_').at(-1)! }))
    }
    return tableOfParts(rows)
  },
}

const counts: Readonly<Record<number, string>> = { 2: 'two', 3: 'three', 4: 'four', 5: 'five', 6: 'six' }

/** Video-Bench: questions about videos on this machine. */
export const videoBench: Loader = {
  reads: 'a folder with answer/ANSWER.json and *new.json files: vid_path, question, choices',
  takes: ['path', 'video_type', 'num_frames?', 'with_parts?'],
  async load(data, settings) {
    if (settings.text('video_type') !== 'video_path')
      throw new BadData('frames of videos are not decoded here: set video_type to video_path')
    const folder = await data.path(settings.path, { localMode: true })
    const answers = await data.json(joinPath(folder, 'answer/ANSWER.json'))
    const rows: RowDict[] = []
    for (const name of (await data.names(folder)).filter((one) => one.endsWith('new.json')))
      for (const [key, entry] of dictOf(await data.json(joinPath(folder, name)))) {
        const path = textAt(entry, 'vid_path')
        const choices = [...dictOf(at(entry, 'choices'))].filter(([, text]) => text !== null)
        const listed = choices.map(([letter, text]) => `${letter}.${pyStr(text)} `).join('')
        const end = [2, 3, 5].includes(choices.length) ? ' ' : ''
        const prompt = `${choices.length === 6 ? 'Choices: ' : ' '}${listed}\n Among the ${counts[choices.length] ?? 'None'} options ${choices.map(([letter]) => letter).join(', ')} above, the one closest to the correct answer is:${end}`
        const content = partsOf(settings, [
          ['video', path],
          ['text', `${textAt(entry, 'question')}${prompt}`],
        ])
        const answer = at(at(answers, path.split('/').at(-2) ?? ''), key)
        rows.push(row({ content, video_id: pyStr(at(entry, 'video_id')), question: at(entry, 'question'), answer }))
      }
    return tableOfParts(rows)
  },
}
