import type { ComponentChildren } from 'preact'

type FigureTableProps = {
  /** Column headings; undefined for columns without one, such as checkboxes. */
  names: readonly (ComponentChildren | undefined)[]
  class?: string
  /** The accessible name. */
  label?: string
  /** The rows. */
  children: ComponentChildren
}

/** A table with headings, in a box that scrolls if it is wider than the page. */
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
