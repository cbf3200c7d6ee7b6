import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { Comment, CommentTag, Converter, ReferenceType, ReflectionKind } from 'typedoc'

// A plugin of TypeDoc, copied beside it with the table of api-groups.ts: entry points are called what programs import, and what they export is
// listed in groups, by the folder it comes from.
const { groups, descriptions } = JSON.parse(readFileSync(new URL('api-groups.json', import.meta.url), 'utf8'))

/** Types made by a schema, which TypeDoc would write out at every parameter, and two keys by which each is known. */
const made = { ModelConfig: ['abbr', 'meta_template'], DatasetConfig: ['abbr', 'infer_cfg'], Config: ['models', 'datasets'] }

function nameOf(type) {
  const keys = new Set((type?.declaration?.children ?? []).map(({ name }) => name))
  return Object.keys(made).find((name) => made[name].every((key) => keys.has(key)))
}

function groupOf(path) {
  return groups.find(([start]) => path.startsWith(start))?.[1] ?? 'Other'
}

export function load(app) {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    const exports = (project.children ?? []).find(({ name }) => name === 'index')?.children ?? []
    for (const parameter of project.getReflectionsByKind(ReflectionKind.Parameter)) {
      const name = nameOf(parameter.type)
      const target = name === undefined ? undefined : exports.find((exported) => exported.name === name)
      if (target !== undefined) parameter.type = ReferenceType.createResolvedReference(name, target, project)
    }
    for (const module of project.children ?? []) {
      module.name = module.name === 'index' ? 'rolecall' : `rolecall/${module.name.replace(/^entry-points\//, '').replace(/\/index$/, '')}`
      module.comment = new Comment([{ kind: 'text', text: descriptions[module.name] ?? '' }])
      for (const exported of module.children ?? []) {
        const file = (exported.sources ?? exported.signatures?.[0]?.sources)?.[0]?.fullFileName
        if (file === undefined) continue
        const category = new CommentTag('@category', [
          { kind: 'text', text: groupOf(relative(join(process.cwd(), 'packages'), file).replace('/src/', '/')) },
        ])
        // What a function does is written at its signatures; a comment of its own would hide that.
        for (const commented of exported.signatures ?? [exported]) {
          commented.comment ??= new Comment()
          commented.comment.blockTags.push(category)
        }
      }
    }
  })
}
