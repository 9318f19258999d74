import type { QueueItem, QueueTotal } from '@malipo/ledger-client/console'
import { html } from '@malipo/web/html'

/**
 * A report whose closing or posting waits for approval is counted as a report, but listed as its closing or posting.
 */
const kindsOfReports = new Set([
  'QUEUE_KIND_PAYMENT_REPORT',
  'QUEUE_KIND_REPORT_CLOSING',
  'QUEUE_KIND_REPORT_POSTING',
])

interface ListedQueue {
  readonly items: readonly Pick<QueueItem, 'kind'>[]
  readonly totals: readonly Pick<QueueTotal, 'kind' | 'count'>[]
}

/**
 * What the page of a report shows when the queue lists no item for it: the report was decided, it is listed under its
 * attempt's id by now, or more reports wait than are listed.
 */
export function absentScreen(subject: string, { items, totals }: ListedQueue) {
  const listed = items.filter(({ kind }) => kindsOfReports.has(kind)).length
  const waiting = totals.find(({ kind }) => kind === 'QUEUE_KIND_PAYMENT_REPORT')?.count ?? 0
  const text =
    waiting <= listed
      ? html`Nothing waits here any more. What still does is in the <a href="/">queue</a>.`
      : html`This report may still wait: the <a href="/">queue</a> does not show all reports. Decide
          those that it shows first, and open this one again.`
  const content = html`<div class="card"><p>${text}</p></div>`
  return { title: `Report ${subject}`, section: '/', content } as const
}
