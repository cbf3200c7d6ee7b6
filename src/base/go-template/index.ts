export { evaluateGoTemplate, type GoPiece, type GoValue, Said } from './evaluate.ts'
export { type Node, type Operand, type Pipeline, parseGoTemplate } from './parse.ts'
export { quoteGo } from './tokens.ts'
