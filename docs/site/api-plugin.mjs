import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { Comment, CommentTag, Converter } from 'typedoc'

// A plugin of TypeDoc, copied beside it with the table of api-groups.ts: entry points are called what programs import, and what they export is
// listed in groups, by the folder it comes from.
const groups = JSON.parse(readFileSync(new URL('api-groups.json', import.meta.url), 'utf8'))

function groupOf(path) {
  return groups.find(([start]) => path.startsWith(start))?.[1] ?? 'Other'
}

export function load(app) {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.children ?? []) {
      module.name = module.name === 'index' ? 'rolecall' : `rolecall/${module.name.replace(/^entry-points\//, '').replace(/\/index$/, '')}`
      for (const exported of module.children ?? []) {
        const file = (exported.sources ?? exported.signatures?.[0]?.sources)?.[0]?.fullFileName
        if (file === undefined) continue
        exported.comment ??= new Comment()
        exported.comment.blockTags.push(
          new CommentTag('@category', [{ kind: 'text', text: groupOf(relative(join(process.cwd(), 'src'), file)) }]),
        )
      }
    }
  })
}
