import { pyStr } from '@rolecall/core/internal/python'
import { BadData } from '../bad-data.ts'
import { joinPath } from '../files.ts'
import type { Loader } from '../loader.ts'
import { at, fail, listAt, lookUp, type RowDict, row, textAt } from '../row-values.ts'
import { fromList } from '../table.ts'
import { multiTurnPrompts, ruleOf, singleTurnPrompts } from './arena-prompts.ts'
import { simpleQaPrompt } from './chinese-simpleqa-prompt.ts'
import { comparisons, lengthControlled } from './compassbench-prompts.ts'
import { judged } from './judged-questions.ts'
import { wildBenchPrompts } from './wildbench-prompts.ts'

/** Fills in the fields that are given, in one pass: values are not filled again. */
const filled = (template: string, values: Readonly<Record<string, string>>) =>
  template.replace(/\{(\w+)\}/g, (field, name: string) => (Object.hasOwn(values, name) ? values[name]! : field))

/** CompassBench: a judge prompt in the language of the question. */
function compassBench(prompts: { zh: string; en: string }): Loader {
  return {
    reads: 'a folder with {name}.json: question, category, language, others.level',
    takes: judged,
    async load(data, settings) {
      const entries = await data.list(joinPath(settings.path, `${settings.name}.json`))
      return fromList(
        entries.map((entry) => {
          const [question, lan] = [textAt(entry, 'question'), at(entry, 'language')]
          const judge = { lan, level: at(at(entry, 'others'), 'level'), category: at(entry, 'category'), question }
          return row({ question, judge_prompt: filled(lan === 'zh' ? prompts.zh : prompts.en, { question }), judge }, entry)
        }),
      )
    },
  }
}

export const compassBenchPairs = compassBench(comparisons)
export const compassBenchLengths = compassBench(lengthControlled)

/** CompassArena's questions or chats, with judge prompts for one answer and for two. A category without a rule keeps the prompts before it. */
export const compassArenaSubjective: Loader = {
  reads: 'a folder with {name}.json: category, difficulty, question and answer (singleturn) or conversation (multiturn)',
  takes: judged,
  async load(data, settings) {
    const path = joinPath(await data.path(settings.path, { localMode: true }), `${settings.name}.json`)
    const entries = await data.list(path)
    if (!/singleturn|multiturn/.test(settings.name)) return fromList([])
    let before: [string, string] | undefined
    return fromList(
      entries.map((entry) => {
        const [category, difficulty] = [at(entry, 'category'), at(entry, 'difficulty')]
        const rule = ruleOf(pyStr(category))
        const isSingle = settings.name.includes('singleturn')
        const question = isSingle ? textAt(at(entry, 'question'), 'content') : ''
        if (rule !== undefined) before = isSingle ? singleTurnPrompts(rule, question) : multiTurnPrompts(rule)
        const [pointwise, pairwise] = before ?? fail(`there is no rule for the category ${pyStr(category)}`, entry)
        const prompts = { pointwise_judge_prompt: pointwise, pairwise_judge_prompt: pairwise }
        if (!isSingle) return row({ dialogue: at(entry, 'conversation'), ...prompts, judge: { category, difficulty } }, entry)
        return row({ question, ...prompts, judge: { question, answer: at(at(entry, 'answer'), 'content'), category, difficulty } }, entry)
      }),
    )
  },
}

const roles = { user: 'HUMAN', assistant: 'assistant' }

/** WildBench: a chat, and a judge prompt with its history and checklist. OpenCompass's own roles end with an empty answer. */
function wildBench(isRaw: boolean): Loader {
  return {
    reads: 'a .jsonl file: turn, checklist, primary_tag, secondary_tag, session_id',
    takes: ['path', 'K?', 'eval_mode?', '*'],
    async load(data, settings) {
      const mode = settings.text('eval_mode', 'pair')
      const entries = await data.rows(await data.path(settings.path, { localMode: true }))
      return fromList(entries.map((entry) => wildBenchRow(entry, mode, isRaw)))
    },
  }
}

function wildBenchRow(entry: RowDict, mode: string, isRaw: boolean): RowDict {
  const turns = listAt(entry, 'turn').map((turn) => ({ role: textAt(turn, 'role'), content: textAt(turn, 'content') }))
  const last = turns.at(-1) ?? fail('the chat has no turns', entry)
  const template = wildBenchPrompts[mode]
  if (template === undefined) throw new BadData('"eval_mode" is neither single nor pair')
  const speakers: Readonly<Record<string, string>> = { user: 'USER', assistant: 'ASSISTANT' }
  const history = turns
    .slice(0, -1)
    .flatMap(({ role, content }) => (speakers[role] === undefined ? [] : [`${speakers[role]}: ${content}\n\n`]))
    .join('')
  const checklist = listAt(entry, 'checklist')
    .map((item) => `- ${pyStr(item)}\n`)
    .join('')
  const dialogue = isRaw
    ? turns
    : [...turns.map(({ role, content }) => ({ role: lookUp(roles, role), content })), { role: 'assistant', content: '' }]
  const tags = { primary_tag: at(entry, 'primary_tag'), secondary_tag: at(entry, 'secondary_tag') }
  // One after the other, as in OpenCompass, where a chat may name the later fields.
  const prompt = filled(filled(filled(template, { history }), { user_query: last.content }), { checklist })
  return row({ dialogue, history, prompt, judge: { other: null, ...tags, question_id: at(entry, 'session_id') } }, entry)
}

export const wildBenchChats = wildBench(false)
export const wildBenchMessages = wildBench(true)

/** Chinese SimpleQA: a question as messages, and the prompt of its judge. */
export const chineseSimpleQa: Loader = {
  reads: 'a folder with {name}.jsonl: id, question, answer, primary_category',
  takes: judged,
  async load(data, settings) {
    const entries = await data.rows(joinPath(await data.path(settings.path), `${settings.name}.jsonl`))
    return fromList(
      entries.map((entry) => {
        const [question, answer, category] = [textAt(entry, 'question'), at(entry, 'answer'), at(entry, 'primary_category')]
        return row(
          {
            primary_category: category,
            question,
            gold_ans: answer,
            messages: [
              { role: 'system', content: '你是一个智能助手。' },
              { role: 'user', content: question },
            ],
            system_prompt: '你是一个智能助手，请根据给定问题、标准答案和模型预测的答案来评估模型的回答是否正确。',
            prompt_template: filled(simpleQaPrompt, { predicted_answer: '{prediction}', question, target: pyStr(answer) }),
            judge: { primary_category: category, question, question_id: at(entry, 'id') },
          },
          entry,
        )
      }),
    )
  },
}
