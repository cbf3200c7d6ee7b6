import { type Remark, remarksAbout } from '../../../../src/evaluation/run/record/remarks.ts'
import type { PairResult } from '../../../../src/evaluation/run/record/run-record.ts'
import { visibleText } from '../../prompt/visible-text.tsx'
import { modelName } from '../../words/model-name.ts'
import { remarkWords } from '../../words/remarks.ts'
import { rowsHref } from '../links.ts'
import { remarkGroups, rowsOf } from './remark-rows.ts'
import type { RunPageProps } from './run-page.tsx'
import { Section } from './section.tsx'

type About = { remark: Remark; pair: number; result: PairResult }

/** What a reader of the figures must know: one heading for each kind, below it the pairs, with links to the rows that it is about. */
export function Remarks({ site, number, state }: RunPageProps) {
  const told = remarkWords()
  const all = state.pairs.flatMap(({ result }, pair) =>
    result ? remarksAbout(result).map((remark): About => ({ remark, pair, result })) : [],
  )
  const { groupNotes = [] } = state.summary ?? {}
  if (all.length + groupNotes.length === 0) return null
  return (
    <Section name="remarks" title={told.title(all.length + groupNotes.length)} isOpen={all.some(({ remark }) => remark.kind === 'failed')}>
      <dl class="remarks">
        {remarkGroups(all).map(({ kind, code, about }) => (
          <div key={`${kind} ${code}`}>
            <dt>
              {code === undefined ? told.kinds[kind] : told.kinds.note} {code !== undefined && <code>{visibleText(code, false)}</code>}
            </dt>
            {about.map(({ remark, pair, result }, index) => (
              <dd key={index}>
                <a href={rowsHref(site, number, pair, rowsOf(remark, result))}>
                  {visibleText(`${modelName(result)} · ${result.dataset}`, false)}
                </a>{' '}
                {told.about(remark, result)} {remark.detail !== undefined && <span lang="en">{visibleText(remark.detail, false)}</span>}
              </dd>
            ))}
          </div>
        ))}
        {groupNotes.length > 0 && (
          <div>
            <dt>{told.groups}</dt>
            {groupNotes.map((text) => (
              <dd key={text} lang="en">
                {visibleText(text, false)}
              </dd>
            ))}
          </div>
        )}
      </dl>
    </Section>
  )
}
