export { evaluateGoTemplate, type GoPiece, type GoValue, Said } from './evaluate-go-template.ts'
export { GoBudget } from './go-budget.ts'
export { type Node, type Operand, type Pipeline, parseGoTemplate } from './parse.ts'
export { quoteGo } from './tokens.ts'
