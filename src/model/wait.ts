export type { Wait } from '../http/wait.ts'
