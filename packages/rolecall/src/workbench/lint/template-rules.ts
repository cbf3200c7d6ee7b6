import type { TemplateRule } from './rule.ts'
import { bosNever, bosTwice } from './template-rules/bos.ts'
import { broken } from './template-rules/broken.ts'
import { callsUnreadable } from './template-rules/calls.ts'
import { changingPrompt } from './template-rules/changing-prompt.ts'
import { dropped } from './template-rules/dropped.ts'
import { promptEndsInSpace } from './template-rules/ends-in-space.ts'
import { generationPrompt, noGenerationPrompt } from './template-rules/generation-prompt.ts'
import { emptySystem, hiddenInstructions } from './template-rules/hidden-instructions.ts'
import { imageDropped, partsPrinted } from './template-rules/images.ts'
import { argumentsQuoted, jsonUnescaped, pythonValues } from './template-rules/json.ts'
import { markerNotToken } from './template-rules/markers.ts'
import { prefixCache } from './template-rules/prefix-cache.ts'
import { dataInMarker, foreignRole, roleRefused } from './template-rules/roles.ts'
import { noEndOfTurn, stopNeverWritten } from './template-rules/stop.ts'
import { textAltered, textTrimmed } from './template-rules/texts.ts'
import { fastGrowth } from './template-rules/work.ts'

/** All chat template rules, in the order of reported findings. */
export const templateRules: readonly TemplateRule[] = [
  broken,
  prefixCache,
  changingPrompt,
  bosTwice,
  bosNever,
  stopNeverWritten,
  markerNotToken,
  noEndOfTurn,
  generationPrompt,
  noGenerationPrompt,
  promptEndsInSpace,
  ...dropped,
  imageDropped,
  partsPrinted,
  roleRefused,
  foreignRole,
  dataInMarker,
  textTrimmed,
  textAltered,
  jsonUnescaped,
  pythonValues,
  argumentsQuoted,
  hiddenInstructions,
  emptySystem,
  fastGrowth,
  callsUnreadable,
]
