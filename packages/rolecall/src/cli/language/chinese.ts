import { chineseCommands } from './chinese-commands.ts'
import { chineseExamples } from './chinese-examples.ts'
import { chineseFlags } from './chinese-flags.ts'
import { chineseMessages } from './chinese-messages.ts'
import { chineseTaskFlags } from './chinese-task-flags.ts'

/** Chinese translations by their English text; `help-texts.test.ts` lists the help texts that have none. */
export const chinese: Readonly<Record<string, string>> = {
  ...chineseMessages,
  ...chineseCommands,
  ...chineseFlags,
  ...chineseTaskFlags,
  ...chineseExamples,
}
