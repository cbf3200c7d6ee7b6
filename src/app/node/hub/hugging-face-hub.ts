import { z } from 'zod'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { HubClient, type HubReply } from './hub-client.ts'
import type { HubName } from './hub-name.ts'
import type { HubSettings } from './hub-settings.ts'
import type { HubSite, RepoFile } from './hub-site.ts'
import { blobHash, huggingFaceCache } from './hugging-face-cache.ts'

const infoSchema = z.object({ sha: z.string().regex(/^[0-9a-f]{40}$/), id: z.string().optional() })
const treeSchema = z.array(
  z.object({
    type: z.string(),
    path: z.string(),
    oid: blobHash,
    size: z.number(),
    lfs: z.object({ oid: blobHash, size: z.number() }).optional(),
  }),
)

/** The Hugging Face hub, or a mirror of it. */
export function huggingFace(settings: HubSettings, unreachable?: Map<string, string>): HubSite {
  const client = new HubClient(settings, (token) => ({ authorization: `Bearer ${token}` }), unreachable)
  const page = ({ kind, id }: HubName) => `${settings.endpoint}/${kind === 'datasets' ? 'datasets/' : ''}${id}`
  const site: HubSite = {
    title: 'Hugging Face',
    variables: { endpoint: 'HF_ENDPOINT', token: 'HF_TOKEN' },
    client,
    cache: huggingFaceCache(settings),
    page,
    address: (name, commit, path) =>
      `${name.kind === 'datasets' ? 'datasets/' : ''}${name.id}/resolve/${commit}/${path.split('/').map(encodeURIComponent).join('/')}`,
    async list(name) {
      const revision = name.revision === undefined ? '' : `/revision/${encodeURIComponent(name.revision)}`
      const info = await client.json(`api/${name.kind}/${name.id}${revision}`, infoSchema)
      if (info.body === undefined) throw hubError(site, name, info.reply, settings)
      const { sha, id = name.id } = info.body
      const files: RepoFile[] = []
      let next: string | undefined = `api/${name.kind}/${name.id}/tree/${sha}?recursive=true`
      while (next !== undefined) {
        const { body, reply }: Awaited<ReturnType<typeof client.json<z.infer<typeof treeSchema>>>> = await client.json(next, treeSchema)
        if (body === undefined) throw hubError(site, name, reply, settings)
        for (const { type, path, oid, size, lfs } of body)
          if (type === 'file') files.push({ path, size: lfs?.size ?? size, etag: lfs?.oid ?? oid })
        next = /<([^>]+)>;\s*rel="next"/.exec(reply.header('link') ?? '')?.[1]
      }
      return { commit: sha, files, ...(id === name.id ? {} : { movedTo: id }) }
    },
  }
  return site
}

/** The error for an answer that is neither a success nor worth a repetition. */
export function hubError(
  site: HubSite,
  name: HubName,
  reply: Pick<HubReply, 'status' | 'header' | 'url'>,
  settings: HubSettings,
  target?: string,
): PromptError {
  const code = reply.header('x-error-code')
  const { token } = site.variables
  const where = `${site.title} › ${name.id}${name.revision === undefined ? '' : `@${name.revision}`}`
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
