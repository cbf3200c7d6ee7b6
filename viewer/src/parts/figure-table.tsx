import type { ComponentChildren } from 'preact'

type FigureTableProps = {
  /** The headings of the columns; undefined for one that needs none, such as that of checkboxes. */
  names: readonly (ComponentChildren | undefined)[]
  class?: string
  /** What it shows, for those who do not see where it stands. */
  label?: string
  /** The lines. */
  children: ComponentChildren
}

/** A table with a line of headings, in a box of its own that scrolls where it is wider than the page. */
export function FigureTable({ names, class: kind = '', label, children }: FigureTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled with keys
    <section class="table-box" tabIndex={0} aria-label={label}>
      <table class={`figures ${kind}`}>
        <thead>
          <tr>
            {names.map((name, index) =>
              name === undefined ? (
                <td key={index} />
              ) : (
                <th key={index} scope="col">
                  {name}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  )
}
