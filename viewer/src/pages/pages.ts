import type { ComponentType } from 'preact'
import { distinctModels } from '../../../src/record/pair-name.ts'
import type { Site } from '../../../src/server/viewer/wire.ts'
import { lazy } from '../parts/lazy.tsx'
import type { Route } from '../route.ts'
import type { headerWords } from '../words/header.ts'
import { ComparePage } from './compare.tsx'
import { ConversationsPage } from './conversations.tsx'
import { PromptsPage } from './prompts.tsx'
import { RunsPage } from './runs.tsx'
import { SideBySidePage } from './side-by-side.tsx'

export type PageProps = { site: Site; route: Route }

type Page = { path: keyof ReturnType<typeof headerWords>['page']; isThere: (site: Site) => boolean; View: ComponentType<PageProps> }

/** The pages of the site, in the order of its menu; `words/header.ts` has their names. */
export const pages: readonly Page[] = [
  { path: 'runs', isThere: ({ runs }) => runs.length > 0, View: RunsPage },
  {
    path: 'compare',
    isThere: ({ runs }) => runs.length > 1 || runs.some(({ pairs }) => distinctModels(pairs).length > 1),
    View: ComparePage,
  },
  { path: 'conversations', isThere: ({ conversations }) => conversations.length > 0, View: ConversationsPage },
  { path: 'prompts', isThere: ({ configs }) => configs.length > 0, View: PromptsPage },
  { path: 'side-by-side', isThere: ({ configs }) => configs.length > 0, View: SideBySidePage },
  {
    path: 'playground',
    isThere: ({ isOneFile }) => isOneFile !== true,
    View: lazy<PageProps>(async () => (await import('./playground.tsx')).PlaygroundPage),
  },
]
