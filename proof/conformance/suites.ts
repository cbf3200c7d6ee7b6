import { internlm2AgentFormat } from './chat/internlm2-agent-format.ts'
import { internlm2Misc } from './chat/internlm2-misc.ts'
import { internlm2ParseRecommended } from './chat/internlm2-parse-recommended.ts'
import { internlm2ParseReference } from './chat/internlm2-parse-reference.ts'
import { internlm2Render } from './chat/internlm2-render.ts'
import { internlm2Segments } from './chat/internlm2-segments.ts'
import { jinjaCases, jinjaRender, jinjaTemplates } from './chat/jinja.ts'
import { judges } from './judge/suite.ts'
import { lmEval } from './lm-eval/suite.ts'
import { customEntries, loaderRuns } from './loaders/suite.ts'
import { masks } from './masks/suite.ts'
import { mlc } from './mlc/suite.ts'
import { opencompass } from './opencompass/suite.ts'
import { parts, partsDetect, partsPlaceholders } from './parts/suite.ts'
import { partsTemplates } from './parts/templates.ts'
import { disputedReplies, replies } from './replies/suite.ts'
import { replyTemplates } from './replies/templates.ts'
import { responseTemplates } from './response-templates/suite.ts'
import { scoring } from './scoring/suite.ts'
import { scoring2 } from './scoring2/suite.ts'
import type { Suite } from './suite.ts'
import { toolcallLayout } from './toolcalls/layout.ts'
import { toolcallSchemas } from './toolcalls/schemas.ts'
import { toolcallVerdicts } from './toolcalls/verdicts.ts'

export const suites: readonly Suite[] = [
  ...responseTemplates,
  opencompass,
  mlc,
  internlm2Render,
  internlm2Segments,
  internlm2AgentFormat,
  internlm2Misc,
  internlm2ParseRecommended,
  internlm2ParseReference,
  // Before `jinjaTemplates`, whose entries have no `media`.
  partsTemplates,
  parts,
  partsDetect,
  partsPlaceholders,
  jinjaRender,
  jinjaTemplates,
  jinjaCases,
  ...lmEval,
  // Before `scoring`, whose vectors differ only in the number of configs.
  scoring2,
  replies,
  disputedReplies,
  replyTemplates,
  scoring,
  loaderRuns,
  customEntries,
  ...judges,
  toolcallVerdicts,
  toolcallSchemas,
  toolcallLayout,
  ...masks,
]
