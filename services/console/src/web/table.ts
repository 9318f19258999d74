import { type Child, type Html, html } from '@malipo/web/html'

export interface Column<Row> {
  readonly head: string
  readonly cell: (row: Row) => Child
  readonly isNumber?: boolean
}

/**
 * A table that becomes a list of cards on narrow screens. Roles are explicit, because such CSS hides it from screen
 * readers.
 */
export function table<Row>(given: {
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly empty: string
}): Html {
  const { caption, columns, rows, empty } = given
  if (rows.length === 0) return html`<p class="empty">${empty}</p>`
  return html`<table role="table" class="table">
    <caption class="unseen">
      ${caption}
    </caption>
    <thead role="rowgroup">
      <tr role="row">
        ${columns.map(({ head }) => html`<th role="columnheader" scope="col">${head}</th>`)}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${rows.map(
        (row) =>
          html`<tr role="row">
            ${columns.map(
              ({ head, cell, isNumber }) =>
                html`<td
                  role="cell"
                  data-head="${head}"
                  class="${isNumber === true ? 'number' : ''}"
                >
                  <div>${cell(row)}</div>
                </td>`,
            )}
          </tr>`,
      )}
    </tbody>
  </table>`
}

export function facts(rows: readonly (readonly [name: string, value: Child])[]): Html {
  return html`<dl class="facts">
    ${rows.map(
      ([name, value]) =>
        html`<dt>${name}</dt>
          <dd>${value}</dd>`,
    )}
  </dl>`
}
