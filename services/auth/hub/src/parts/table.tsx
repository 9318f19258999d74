import type { ComponentChildren } from 'preact'

/**
 * A table that becomes a list of cards on narrow screens. The roles are explicit, because CSS that changes the layout
 * of a table hides it from screen readers.
 */
export function Table<Row>(props: {
  readonly caption: string
  readonly columns: readonly {
    readonly head: string
    readonly cell: (row: Row) => ComponentChildren
    readonly isNumber?: boolean
  }[]
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string
}) {
  const { caption, columns, rows, rowKey } = props
  return (
    <table role="table" class="table">
      <caption class="unseen">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ head, isNumber }) => (
            <th role="columnheader" scope="col" class={isNumber === true ? 'number' : ''}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr role="row" key={rowKey(row)}>
            {columns.map(({ head, cell, isNumber }) => (
              <td role="cell" data-head={head} class={isNumber === true ? 'number' : ''}>
                <div>{cell(row)}</div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
