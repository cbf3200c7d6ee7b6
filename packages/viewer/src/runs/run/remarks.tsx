import type { ComponentChildren } from 'preact'
import { type Remark, remarksAbout } from 'rolecall/internal/evaluation/run/record/remarks'
import type { PairResult } from 'rolecall/internal/evaluation/run/record/run-record'
import { visibleText } from '../../prompt/visible-text.tsx'
import { modelName } from '../../texts/model-name.ts'
import { noteName } from '../../texts/note-names.ts'
import { remarkTexts } from '../../texts/remarks.ts'
import { rowsHref } from '../links.ts'
import { remarkGroups, rowsOf } from './remark-rows.ts'
import type { RunPageProps } from './run-page.tsx'
import { Section } from './section.tsx'

type About = { remark: Remark; pair: number; result: PairResult }

/** Remarks on the metrics: one heading per kind with its pairs, and links to the rows. */
export function Remarks({ site, number, state }: RunPageProps) {
  const ui = remarkTexts()
  const all = state.pairs.flatMap(({ result }, pair) =>
    result ? remarksAbout(result).map((remark): About => ({ remark, pair, result })) : [],
  )
  const { groupNotes = [] } = state.summary ?? {}
  if (all.length + groupNotes.length === 0) return null
  const failed = all.reduce((sum, { remark, result }) => sum + (remark.kind === 'failed' ? result.failed : 0), 0)
  return (
    <Section
      name="remarks"
      title={[ui.title(all.length + groupNotes.length), ...(failed > 0 ? [ui.failedRows(failed)] : [])].join(' · ')}
      isOpen={false}
    >
      <dl class="remarks">
        {remarkGroups(all).map(({ kind, code, about }) => (
          <div key={`${kind} ${code}`}>
            <dt>
              {code === undefined ? ui.kinds[kind] : ui.kinds.note} {code !== undefined && <code>{visibleText(code, false)}</code>}{' '}
              {code !== undefined && noteName(code)}
            </dt>
            {about.map(({ remark, pair, result }, index) => (
              <dd key={index}>
                <Rows {...{ site, number, pair }} query={rowsOf(remark, result)}>
                  {visibleText(`${modelName(result)} · ${result.dataset}`, false)}
                </Rows>{' '}
                {ui.about(remark, result)} {remark.detail !== undefined && ui.about(remark, result) !== '' && '· '}
                {remark.detail !== undefined && <span lang="en">{visibleText(remark.detail, false)}</span>}
              </dd>
            ))}
          </div>
        ))}
        {groupNotes.length > 0 && (
          <div>
            <dt>{ui.groups}</dt>
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

type RowsProps = Pick<RunPageProps, 'site' | 'number'> & { pair: number; query: ReturnType<typeof rowsOf>; children: ComponentChildren }

function Rows({ site, number, pair, query, children }: RowsProps) {
  return query ? <a href={rowsHref(site, number, pair, query)}>{children}</a> : <span>{children}</span>
}
