import { at, listAt, row, textAt } from '../row-values.ts'
import { oneFile } from '../simple.ts'
import { judged } from './judged-questions.ts'

/** Two answers; the chosen one is A or B. */
const pairs = oneFile({
  file: '{name}',
  reads: 'a folder with the file "name": prompt, chosen, rejected, winner',
  takes: judged,
  as: 'list',
  change(entry) {
    const first = at(entry, 'winner') === 'A' ? 'chosen' : 'rejected'
    const second = first === 'chosen' ? 'rejected' : 'chosen'
    const [question, answerA, answerB] = [at(entry, 'prompt'), at(entry, first), at(entry, second)]
    const judged = {
      prompt: question,
      Answer_A: answerA,
      Answer_B: answerB,
      subset: at(entry, 'subset'),
      winner: at(entry, 'winner'),
      model_a: at(entry, `${first}_model`),
      model_b: at(entry, `${second}_model`),
      dataset_name: 'rewardbench',
      lan: 'en',
    }
    return row({ question, answerA, answerB, judge: judged }, entry)
  },
})

export const judgeBench = pairs
export const rewardBench = pairs

/** Chats with two answers, the better one first. */
export const rmb = oneFile({
  file: '{name}',
  reads: 'a folder with the file "name": conversation_input, chosen, reject',
  takes: judged,
  as: 'list',
  change(entry) {
    if (at(entry, 'subset') !== 'pair') return []
    const turns = listAt(entry, 'conversation_input').map(
      (turn) => `\n\n ### ${at(turn, 'role') === 'user' ? 'User' : 'Assistant'}:${textAt(turn, 'content')}`,
    )
    const question = `${turns.join('')}\n\n ### Assistant:`
    const [answerA, answerB] = [at(at(entry, 'chosen'), 'answer'), at(at(entry, 'reject'), 'answer')]
    const judged = {
      question,
      Answer_A: answerA,
      Answer_B: answerB,
      winner: 'A',
      pair_uid: at(entry, 'pair_uid'),
      subset: at(entry, 'subset'),
      goal: at(entry, 'goal'),
    }
    return row({ question, answerA, answerB, judge: judged }, entry)
  },
})
