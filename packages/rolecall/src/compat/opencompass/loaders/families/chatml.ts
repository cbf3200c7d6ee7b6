import { isList, type PyValue } from '@rolecall/core/internal/python'
import { fail, get, listAt, type RowDict, row, textAt } from '../row-values.ts'
import { oneFile } from '../simple.ts'

/** Appended to every user message. */
const reminder = '\nRemember to put your final answer within \\boxed{}.'

const roles = ['system', 'user', 'assistant']

/** A user's chats: messages that end with a question, and the answer to it, or to each question. */
export const chatml = oneFile({
  reads: 'a .jsonl file: question (messages with role and content), answer (one text, or one for each message of the user)',
  takes: ['path', 'file_name?', 'local_mode?'],
  localMode: true,
  encoding: 'utf-8-sig',
  change: chatRow,
})

function chatRow(entry: RowDict): RowDict {
  const messages = listAt(entry, 'question').map(messageOf)
  const answers = listAt(entry, 'answer')
  const asked = messages.filter(({ role }) => role === 'user')
  if (answers.length !== 1 && answers.length !== asked.length)
    fail(`there are ${answers.length} answers to ${asked.length} messages of the user: write one, or one for each`, entry)
  if (answers.some((answer) => typeof answer !== 'string')) fail('an answer is not a text', entry)
  if (asked.length === 0) fail('the user says nothing', entry)
  return row({ chatml_question: messages, chatml_answer: answers, question: asked[0]!.content, answer: answers[0]! }, entry)
}

function messageOf(message: PyValue): { role: string; content: string } {
  const role = textAt(message, 'role')
  if (!roles.includes(role)) fail(`the role "${role}" is none of ${roles.join(', ')}`, message)
  if (isList(get(message, 'content'))) fail('the content of a message has parts, and only texts can be asked', message)
  const text = textAt(message, 'content')
  return { role, content: role === 'user' ? text + reminder : text }
}
