import type { Attack } from './attack.ts'
import { blockedLoops } from './blocked-loops.ts'
import { brokenHttp } from './broken-http.ts'
import { batchApis, chatApis } from './chat-apis.ts'
import { cheatsOfCode } from './code-cheats.ts'
import { foreignRuns } from './foreign-runs.ts'
import { formatFiles } from './format-files.ts'
import { garbageReplies } from './garbage-replies.ts'
import { goTemplates } from './go-templates.ts'
import { hostileHubs } from './hostile-hubs.ts'
import { httpFuzz } from './http-fuzz.ts'
import { hugeFiles } from './huge-files.ts'
import { injection } from './injection.ts'
import { kills } from './kills.ts'
import { lockRaces } from './lock-races.ts'
import { ownClasses } from './own-classes.ts'
import { ownProcesses } from './own-processes.ts'
import { proxyMemory } from './proxy-memory.ts'
import { pythonTasks } from './python-tasks.ts'
import { replyFloods } from './reply-floods.ts'
import { responseTemplates } from './response-templates.ts'
import { rowChecks } from './row-checks.ts'
import { rowFiles } from './row-files.ts'
import { rowInjection } from './row-injection.ts'
import { sandboxEscapes } from './sandbox-escapes.ts'
import { templateBombs } from './template-bombs.ts'
import { tokenizerBombs } from './tokenizer-bombs.ts'
import { unpackBombs } from './unpack-bombs.ts'
import { viewerPages } from './viewer-pages.ts'

/**
 * One family for each door by which something enters from outside. A new door gets a file beside this one and a line here: `npm run attack`,
 * its help and the tests take the families from this list.
 */
export const attacks: readonly Attack[] = [
  injection,
  rowInjection,
  rowFiles,
  rowChecks,
  templateBombs,
  formatFiles,
  goTemplates,
  pythonTasks,
  ownClasses,
  ownProcesses,
  httpFuzz,
  blockedLoops,
  proxyMemory,
  replyFloods,
  brokenHttp,
  garbageReplies,
  chatApis,
  batchApis,
  responseTemplates,
  tokenizerBombs,
  unpackBombs,
  hugeFiles,
  hostileHubs,
  foreignRuns,
  viewerPages,
  sandboxEscapes,
  cheatsOfCode,
  kills,
  lockRaces,
]
