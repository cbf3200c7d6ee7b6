import { PromptError } from '@rolecall/core/internal/errors'
import { staysInside } from '../stays-inside.ts'
import type { HubReply, HubUnreachable } from './hub-client.ts'
import { type HubName, showHubName } from './hub-name.ts'
import type { HubSettings } from './hub-settings.ts'
import type { HubSite } from './hub-site.ts'

/** A file of a repository, and the path that it is downloaded to. */
export type HubFile = { file?: string; target?: string }

/** The place of an error: hub, repository and file. */
export function placeOf(site: HubSite, { id, revision }: HubName, file?: string): string {
  return `${site.title} › ${id}${revision === undefined ? '' : `@${revision}`}${file === undefined ? '' : ` › ${file}`}`
}

/** The error for an answer that is neither a success nor worth a repetition. */
export function hubError(
  site: HubSite,
  name: HubName,
  reply: Pick<HubReply, 'status' | 'header' | 'url'>,
  settings: HubSettings,
  { file, target }: HubFile = {},
): PromptError {
  const code = reply.header('x-error-code')
  const { token } = site.variables
  const where = placeOf(site, name, file)
  const make = (kind: string, problem: string, fix: string) =>
    new PromptError(kind, {
      where,
      problem: `${problem} (${reply.url})`,
      fix: target === undefined ? fix : `${fix}; the file belongs at ${target}`,
    })
  const hasToken = settings.token !== undefined
  if (code === 'RevisionNotFound')
    return make('hub-no-revision', `there is no revision "${name.revision}"`, 'check the branch, tag or commit')
  if (code === 'GatedRepo')
    return hasToken
      ? make('hub-gated', 'the account of this token has not been granted access', `ask for access at ${site.page(name)}`)
      : make('hub-gated', 'the repository is gated', `accept its conditions at ${site.page(name)}, then set ${token}`)
  if (reply.status === 401 && hasToken && code === undefined)
    return make('hub-token', 'the hub does not accept the token', `check ${token}, or unset it for public repositories`)
  if (reply.status === 401 || reply.status === 404) {
    const check = name.id.includes('/') ? 'check the name' : 'check the name, which most often has an organisation (hf://ORG/NAME)'
    return make(
      'hub-no-repository',
      `there is no such ${name.kind === 'datasets' ? 'dataset' : 'model'}, or it is private`,
      hasToken ? `${check}, and that the account of the token may read it` : `${check}; for a private repository set ${token}`,
    )
  }
  return make('hub', `the hub answered ${reply.status}`, `try again later, or set ${site.variables.endpoint} to a mirror`)
}

/** A repository that was not found may be of the other kind, or lack only the revision: ModelScope has no separate error for that. */
export async function explained(site: HubSite, name: HubName, error: unknown): Promise<unknown> {
  if (!(error instanceof PromptError) || error.code !== 'hub-no-repository') return error
  const { revision, ...whole } = name
  const exists = (one: HubName) =>
    site.list(one).then(
      () => true,
      () => false,
    )
  const { code, where, problem, fix } = error
  if (revision !== undefined && site.title === 'ModelScope' && (await exists(whole)))
    return new PromptError('hub-no-revision', { where, problem: `there is no revision "${revision}"`, fix: 'check the branch or tag' })
  const other: HubName = { site: name.site, id: name.id, kind: name.kind === 'models' ? 'datasets' : 'models' }
  if (!(await exists(other))) return error
  const [noun, found] = name.kind === 'models' ? ['model', 'dataset'] : ['dataset', 'model']
  return new PromptError(code, {
    where,
    problem: `${problem}; but there is a ${found} ${showHubName(other)}`,
    fix: `a ${noun} is expected here: ${fix}`,
  })
}

/** A listing from a stranger must not lead out of the cache. */
export function checkPath(path: string, name: HubName, site: HubSite): void {
  if (staysInside(path)) return
  throw new PromptError('hub-unsafe', {
    where: `${site.title} › ${name.id}`,
    problem: `the repository lists the path ${JSON.stringify(path)}, which leads out of its folder`,
    fix: 'do not use this repository; report it to the hub',
  })
}

export function notCached(site: HubSite, name: HubName, file?: string): PromptError {
  return new PromptError('hub-offline', {
    where: showHubName(name),
    problem: `${file ?? 'the repository'} is not in the cache ${site.client.settings.cache}, and HF_HUB_OFFLINE forbids downloads`,
    fix: 'unset HF_HUB_OFFLINE once, or copy the cache from a machine with a network (rolecall hub pack)',
  })
}

export function unreachable(site: HubSite, name: HubName, error: HubUnreachable, { file, target }: HubFile = {}): PromptError {
  const { endpoint, token } = site.variables
  return new PromptError('hub-unreachable', {
    where: placeOf(site, name, file),
    problem: error.message,
    fix: `${remedy(error, token)}${target === undefined ? ' or' : ','} set ${endpoint} to a mirror${target === undefined ? '' : `, or download the file by hand to ${target}`}`,
  })
}

function remedy({ status, message }: HubUnreachable, token: string): string {
  if (status === 429) return `wait a few minutes, set ${token} (the hub answers more requests with one)`
  return message.includes('certificate') ? 'give the certificates of your network in NODE_EXTRA_CA_CERTS' : 'check the network'
}
