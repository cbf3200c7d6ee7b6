import { PromptError } from '../../errors/prompt-error.ts'
import { typeError } from '../python-error.ts'
import { notUnderstood, pythonError, showPlace } from '../syntax/import-error.ts'
import { repr } from '../values/repr.ts'
import { plainText } from '../values/text.ts'
import type { Kwargs, Value } from '../values/value.ts'
import { insideRoot } from './paths.ts'
import type { Session } from './session.ts'
import { FileValue, PathValue, Unknown } from './values.ts'

/** A file of the root, to be read as text. */
export function openFile(session: Session, args: readonly Value[], kwargs: Kwargs): Value {
  const [first] = args
  const given = first instanceof PathValue ? first.path : first
  const mode = args[1] ?? kwargs?.get('mode') ?? 'r'
  if (given instanceof Unknown) return given
  if (typeof given !== 'string') throw typeError('expected str, bytes or os.PathLike object')
  if (typeof mode !== 'string' || !/^r?t?$/.test(mode))
    throw notUnderstood(session.at, `opening a file with the mode ${plainText(repr(mode))}`, 'a config may only read text')
  const path = insideRoot(given)
  if (path === undefined)
    throw new PromptError('outside-root', {
      where: showPlace(session.at),
      problem: `"${given}" lies outside the folder that may be read`,
      fix: 'name a folder that has it with --root',
    })
  const text = session.readText(path)
  if (text === undefined)
    throw pythonError(session.at, `there is no file "${path}"`, 'put it there, or name the folder that has it with --root')
  return new FileValue(path, session.made(text.replace(/\r\n?/g, '\n')) as string)
}
