export * from './materials.ts'
export * from './molecule-answers.ts'
export * from './sequences.ts'
export * from './yes-or-no-answers.ts'
