import type { Answers, Question } from './contract.ts'
import { drawPrompts } from './draw-prompts.ts'

/** Answers a question; what only some questions need is loaded with the first of them. */
export async function answerQuestion(question: Question): Promise<Answers[Question['kind']]> {
  switch (question.kind) {
    case 'prompts':
      return drawPrompts(question.columns, question.said)
    case 'rows':
      return (await import('./draw-rows.ts')).drawRows(question.columns, question.said)
    case 'lint':
      return (await import('./lint-source.ts')).lintSource(question.source)
    case 'reply':
      return (await import('./read-reply.ts')).readReply(question.column, question.said, question.reply)
    case 'read':
      return (await import('./read-paste.ts')).readPaste(question.text)
    case 'ask':
      return (await import('./ask-embedded.ts')).askEmbedded(question.column, question.said)
    default:
      return question satisfies never
  }
}
