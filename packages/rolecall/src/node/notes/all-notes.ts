import type { NoteRow, OwnNoteCode } from '@rolecall/core/internal/errors'
import { coreNotes } from '@rolecall/core/internal/errors'
import { inspectNotes } from '../../compat/inspect/inspect-notes.ts'
import { lmEvalNotes } from '../../compat/lm-eval/lm-eval-notes.ts'
import { opencompassNotes } from '../../compat/opencompass/opencompass-notes.ts'
import { resultsNotes } from '../../compat/results/results-notes.ts'
import { evaluationNotes } from '../../evaluation/run/evaluation-notes.ts'
import { modelNotes } from '../../model/language-model/model-notes.ts'
import { interpreterNotes } from '../../python/interpreter/interpreter-notes.ts'
import { appNotes } from './app-notes.ts'

/** The tables of all storeys, from bottom to top, with what their notes are about. */
export const noteTables = [
  { about: 'prompts', zh: '提示词', rows: coreNotes },
  { about: 'models', zh: '模型', rows: modelNotes },
  { about: 'configs, data and scores', zh: '配置、数据与评分', rows: evaluationNotes },
  { about: 'Python configs', zh: 'Python 配置', rows: interpreterNotes },
  { about: 'OpenCompass', zh: 'OpenCompass', rows: opencompassNotes },
  { about: 'lm-evaluation-harness', zh: 'lm-evaluation-harness', rows: lmEvalNotes },
  { about: 'Inspect', zh: 'Inspect', rows: inspectNotes },
  { about: 'results of other programs', zh: '其他程序的结果', rows: resultsNotes },
  { about: 'commands, servers and the viewer', zh: '命令、服务器与查看器', rows: appNotes },
] as const

/** Every note by its code; a table that is missing here does not compile. */
export const allNotes: Readonly<Record<OwnNoteCode, NoteRow>> = {
  ...coreNotes,
  ...modelNotes,
  ...evaluationNotes,
  ...interpreterNotes,
  ...opencompassNotes,
  ...lmEvalNotes,
  ...inspectNotes,
  ...resultsNotes,
  ...appNotes,
}

/** The row of a code. Records of other versions may have codes without one. */
export function noteRow(code: string): NoteRow | undefined {
  if (Object.hasOwn(allNotes, code)) return allNotes[code as OwnNoteCode]
  const judged = code.startsWith(judgePrefix) ? noteRow(code.slice(judgePrefix.length)) : undefined
  return judged && { ...judged, en: `the judge's prompt: ${judged.en}`, zh: `评审提示词：${judged.zh}` }
}

const judgePrefix = 'judge-'
