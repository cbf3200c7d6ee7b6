import type { ComponentType } from 'preact'
import { distinctModels } from 'rolecall/internal/evaluation/run/record/pair-name'
import type { Site } from 'rolecall/internal/server/viewer/viewer-data'
import { lazy } from '../parts/lazy.tsx'
import type { Route } from '../route.ts'
import type { headerTexts } from '../texts/header.ts'
import { RunsPage } from './runs.tsx'

export type PageProps = { site: Site; route: Route }

type Page = { path: keyof ReturnType<typeof headerTexts>['page']; isThere: (site: Site) => boolean; View: ComponentType<PageProps> }

/** The pages in menu order; `texts/header.ts` has their names. Pages that render prompts need most of the library and are loaded on demand. */
export const pages: readonly Page[] = [
  { path: 'runs', isThere: ({ runs }) => runs.length > 0, View: RunsPage },
  {
    path: 'grid',
    isThere: ({ runs, shared }) => runs.length > 0 && !shared,
    View: lazy<PageProps>(async () => (await import('../runs/grid/grid-page.tsx')).GridPage),
  },
  {
    path: 'compare',
    isThere: ({ runs }) => runs.length > 1 || runs.some(({ pairs }) => distinctModels(pairs).length > 1),
    View: lazy<PageProps>(async () => (await import('./compare.tsx')).ComparePage),
  },
  {
    path: 'conversations',
    isThere: ({ conversations }) => conversations.length > 0,
    View: lazy<PageProps>(async () => (await import('./conversations.tsx')).ConversationsPage),
  },
  {
    path: 'prompts',
    isThere: ({ configs, shared }) => configs.length > 0 && !shared,
    View: lazy<PageProps>(async () => (await import('./prompts.tsx')).PromptsPage),
  },
  {
    path: 'side-by-side',
    isThere: ({ configs, shared }) => configs.length > 0 && !shared,
    View: lazy<PageProps>(async () => (await import('./side-by-side.tsx')).SideBySidePage),
  },
]
