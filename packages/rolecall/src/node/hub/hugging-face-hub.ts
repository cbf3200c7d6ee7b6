import { z } from 'zod'
import { boundedPages } from './bounded-pages.ts'
import { HubClient } from './hub-client.ts'
import { hubError } from './hub-errors.ts'
import type { HubName } from './hub-name.ts'
import type { HubSettings } from './hub-settings.ts'
import { fileSize, type HubSite, type RepoFile } from './hub-site.ts'
import { blobHash, huggingFaceCache } from './hugging-face-cache.ts'

const infoSchema = z.object({ sha: z.string().regex(/^[0-9a-f]{40}$/), id: z.string().optional() })
const treeSchema = z.array(
  z.object({
    type: z.string(),
    path: z.string(),
    oid: blobHash,
    size: fileSize,
    lfs: z.object({ oid: blobHash, size: fileSize }).optional(),
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
      const files = await boundedPages(`api/${name.kind}/${name.id}/tree/${sha}?recursive=true`, async (address) => {
        const { body, reply } = await client.json(address, treeSchema)
        if (body === undefined) throw hubError(site, name, reply, settings)
        const listed = body.flatMap(({ type, path, oid, size, lfs }): RepoFile[] =>
          type === 'file' ? [{ path, size: lfs?.size ?? size, etag: lfs?.oid ?? oid }] : [],
        )
        return { files: listed, next: /<([^>]+)>;\s*rel="next"/.exec(reply.header('link') ?? '')?.[1] }
      })
      return { commit: sha, files, ...(id === name.id ? {} : { movedTo: id }) }
    },
  }
  return site
}
