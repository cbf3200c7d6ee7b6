import type { Row } from '@rolecall/core/internal/conversation'
import { PromptError } from '@rolecall/core/internal/errors'
import { dictEntries, isDict, isListValue, type PyDict } from '@rolecall/core/internal/python'
import { ownMethod } from '../../compat/lm-eval/task/class-config.ts'
import type { TaskConfig } from '../../compat/lm-eval/task/task-config.ts'
import { askedSplit } from '../../compat/lm-eval/task/task-docs.ts'
import type { FindFunction } from '../../compat/lm-eval/task/task-function.ts'

/** The evaluated rows of a task that is a class, which reads them from its dataset; it has no examples. */
export function classRows(config: TaskConfig, find: FindFunction): Map<string, readonly Row[]> {
  const asked = askedSplit(config)
  const mark = ownMethod(config, `${asked}_docs`)
  const docs = find(mark).call([])
  if (!isListValue(docs) || !docs.every((doc) => isDict(doc)))
    throw new PromptError('bad-documents', {
      where: mark.file,
      problem: `${mark.path} returns no documents`,
      fix: 'let it return a dataset, or a list of dicts',
    })
  const rows = (docs as readonly PyDict[]).map((doc): Row => Object.fromEntries(dictEntries(doc)))
  return new Map(['validation', 'test'].map((split) => [split, split === asked ? rows : []]))
}
