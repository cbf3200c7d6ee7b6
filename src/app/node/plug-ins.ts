import { registerLmEval } from '../../compat/lm-eval/register.ts'

/** Registers every plug-in. Modules of `app/` that compile or run what users give them call it when they are loaded. */
export function registerPlugIns(): void {
  registerLmEval()
}
