import type { ComponentType } from 'preact'
import type { Site } from '../../../src/server/viewer/wire.ts'
import { lazy } from '../parts/lazy.tsx'
import type { Route } from '../route.ts'
import { PromptsPage } from './prompts.tsx'

export type PageProps = { site: Site; route: Route }

type Page = { path: string; name: string; isThere: (site: Site) => boolean; View: ComponentType<PageProps> }

/** The pages of the site, in the order of its menu. */
export const pages: readonly Page[] = [
  { path: 'prompts', name: 'Prompts', isThere: ({ configs }) => configs.length > 0, View: PromptsPage },
  {
    path: 'playground',
    name: 'Playground',
    isThere: () => true,
    View: lazy<PageProps>(async () => (await import('./playground.tsx')).PlaygroundPage),
  },
]
