import type { Country } from '@malipo/kernel/countries'
import { Fault } from '@malipo/kernel/errors'
import type { Ledger, Ledgers } from '@malipo/ledger-client/ledger'
import { type Html, html } from '@malipo/web/html'
import { showCountry } from '../web/show-values'

export interface Answers<Answer> {
  readonly answers: readonly { readonly country: Country; readonly answer: Answer }[]
  /** A notice of the ledgers that did not answer; without it, their rows would seem not to exist. */
  readonly missing: Html | undefined
}

/** Asks both ledgers at once. When one does not answer, the answer of the other is still shown. */
export async function askAll<Answer>(
  ledgers: Ledgers,
  ask: (ledger: Ledger) => Promise<Answer>,
): Promise<Answers<Answer>> {
  const all = Object.values(ledgers)
  const settled = await Promise.allSettled(all.map(ask))
  const [answers, missing]: [{ country: Country; answer: Answer }[], Country[]] = [[], []]
  for (const [place, result] of settled.entries()) {
    const country = all[place]?.country ?? 'ke'
    if (result.status === 'fulfilled') answers.push({ country, answer: result.value })
    else if (isAway(result.reason)) missing.push(country)
    else throw result.reason
  }
  return { answers, missing: missing.length === 0 ? undefined : missingNotice(missing) }
}

function isAway(error: unknown): boolean {
  return error instanceof Fault && error.reason === 'ledger_unavailable'
}

function missingNotice(missing: readonly Country[]): Html {
  const names = missing.map(showCountry).join(' and ')
  return html`<p class="notice bad" role="alert">
    The ledger of ${names} did not answer, so nothing of it is shown. Load the page again.
  </p>`
}
