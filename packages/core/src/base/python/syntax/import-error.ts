import { PromptError } from '../../errors/prompt-error.ts'

/** `configs/mmlu.py:12:5`, which editors and terminals can open. */
export function showPlace({ file, line, column }: SourceLocation): string {
  return `${file}:${line}:${column}`
}

/** The file is not Python. */
export function syntaxError(place: SourceLocation, problem: string, fix: string): PromptError {
  return new PromptError('python-syntax', { where: showPlace(place), problem, fix })
}

/** It is Python that the interpreter does not support. */
export function notUnderstood(place: SourceLocation, construct: string, fix: string): PromptError {
  return new PromptError('not-understood', { where: showPlace(place), problem: `${construct} is not understood`, fix })
}

/** Python would stop here as well. */
export function pythonError(place: SourceLocation, problem: string, fix: string): PromptError {
  return new PromptError('python-error', { where: showPlace(place), problem, fix })
}

/** A limit that keeps a config from exhausting the machine. */
export class ImportLimitError extends PromptError {
  constructor(place: SourceLocation, problem: string) {
    super('import-limit', {
      where: showPlace(place),
      problem,
      fix: 'a config does not need that much: write shorter lists, or import a part of it',
    })
  }
}

/** A place in a file: lines from 1, columns from 1, as editors show them. */
export type SourceLocation = { file: string; line: number; column: number }
