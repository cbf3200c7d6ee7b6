import type { Damage, RunSite } from 'rolecall/internal/server/viewer/viewer-data'
import { visibleText } from '../prompt/visible-text.tsx'
import { damageTexts } from '../texts/damage.ts'
import { modelName } from '../texts/model-name.ts'

type DamageNoticeProps = {
  run: Pick<RunSite, 'name' | 'folder' | 'pairs'>
  damage: readonly Damage[] | undefined
  /** Set where pages show several runs. */
  isNamed?: boolean
}

/** What is wrong with the files of a run, on every page that shows it. */
export function DamageNotice({ run, damage = [], isNamed = false }: DamageNoticeProps) {
  if (damage.length === 0) return null
  const ui = damageTexts()
  const lacksRows = damage.some(({ kind }) => kind === 'rows')
  return (
    <div class="damage" role="alert">
      <p>
        <b>{isNamed ? visibleText(ui.titleOf(`${run.name}/${run.folder}`), false) : ui.title}</b> {lacksRows && ui.computed}{' '}
        {lacksRows && !isNamed && ui.leftOut}
      </p>
      <ul>
        {damage.map((one, index) => (
          <li key={index}>{visibleText(damageText(run, one), false)}</li>
        ))}
      </ul>
    </div>
  )
}

function damageText({ pairs }: Pick<RunSite, 'pairs'>, damage: Damage): string {
  const ui = damageTexts()
  if (damage.kind === 'file') return ui.file(damage.file)
  const pair = pairs[damage.pair]!
  return ui.rows(`${modelName(pair)} · ${pair.dataset}`, damage)
}

/** The damage of a run in a few words, for a list of runs. */
export function damageSummary(damage: readonly Damage[]): string {
  const sum = (of: 'missing' | 'unreadable') => damage.reduce((all, one) => all + (one.kind === 'rows' ? one[of] : 0), 0)
  return damageTexts().summary(
    sum('missing'),
    sum('unreadable'),
    damage.flatMap((one) => (one.kind === 'file' ? [one.file] : [])),
  )
}
