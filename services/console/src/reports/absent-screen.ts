import type { QueueItem } from '@malipo/ledger-client/console'
import { html } from '@malipo/web/html'

/** The page of a report has the ledger list at most so many items of each kind. */
export const listedMax = 50

/**
 * What the page of a report shows when no listed item is of it: the report was decided, it waits under its attempt's id
 * by now, or more reports wait than are listed.
 */
export function absentScreen(subject: string, listed: readonly Pick<QueueItem, 'kind'>[]) {
  const reports = listed.filter(({ kind }) => kind === 'QUEUE_KIND_PAYMENT_REPORT')
  const text =
    reports.length < listedMax
      ? html`Nothing waits here any more. What still does is in the <a href="/">queue</a>.`
      : html`This report may still wait: the <a href="/">queue</a> shows ${String(listedMax)} of
          them. Decide those first, and open it again.`
  const content = html`<p class="card">${text}</p>`
  return { title: `Report ${subject}`, section: '/', content } as const
}
