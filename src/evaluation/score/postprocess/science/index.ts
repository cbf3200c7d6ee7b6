export * from './materials.ts'
export * from './molecules.ts'
export * from './sequences.ts'
export * from './yes-or-no.ts'
