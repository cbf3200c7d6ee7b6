// `@rolecall/adapters/vitest`: importing it prints prompts in snapshots as readable lines, and adds the matchers.
import { expect } from 'vitest'
import { matchers, type PromptMatchers } from './vitest/matchers.ts'
import { promptSerializer } from './vitest/prompt-serializer.ts'

export { matchers, type PromptMatchers } from './vitest/matchers.ts'
export { type PromptLinesOptions, promptLines } from './vitest/prompt-lines.ts'
export { promptSerializer } from './vitest/prompt-serializer.ts'

expect.extend(matchers)
expect.addSnapshotSerializer(promptSerializer())

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: the parameters of an interface that is extended must be the same
  interface Matchers<T = any> extends PromptMatchers<T> {}
}
