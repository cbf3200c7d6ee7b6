export { openingOf } from './opening-of.ts'
export { answerSyntax, type ReadAnswer, readAnswer } from './read-answer.ts'
export { exactIds, type ReaderOptions, ReplyReader, readReply, type WrittenReply } from './reply-reader.ts'
export { type FoundSyntax, findSyntax, syntaxOf } from './syntax-of.ts'
