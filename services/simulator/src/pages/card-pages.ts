import { majorText } from '@malipo/kernel/money'
import { html, type Html } from '@malipo/web/html'
import type { HostedOrder, HostedView } from '../providers/rules/rail'
import { outcomeOfExpiry, testCards } from '../providers/card/test-cards'

type FormView = Extract<HostedView, { readonly kind: 'form' }>
type ChallengeView = Extract<HostedView, { readonly kind: 'challenge' }>

/** The gateway's page for a card, with hints for testers below. */
export function cardFormPage(view: FormView, base: string): Html {
  return html`${banner}
    <main class="sheet">
      ${bill(view)}
      ${view.problem !== undefined && html`<p class="problem" role="alert">${view.problem}</p>`}
      <form method="post" target="_top" action="${base}/checkout/pay/${view.sessionId}">
        ${field('number', 'Card number', 'cc-number')}
        <div class="pair">
          ${field('month', 'Month', 'cc-exp-month')} ${field('year', 'Year', 'cc-exp-year')}
          ${field('csc', 'Security code', 'cc-csc')}
        </div>
        ${field('name', 'Name on the card', 'cc-name')}
        <button>Pay ${view.currency} ${majorText(view.amountMinor)}</button>
      </form>
      <p class="ways">
        ${view.cancelUrl !== undefined && html`<a href="${view.cancelUrl}" target="_top">Cancel</a>`}
        ${
          view.problem !== undefined &&
          view.leaveUrl !== undefined &&
          html`<a href="${view.leaveUrl}" target="_top">Back to ${view.merchantName}</a>`
        }
      </p>
    </main>
    <aside class="sheet">
      <h2>Cards to test with</h2>
      <ul>
        ${testCards.map(
          ([number, isEnrolled]) =>
            html`<li><code>${number}</code>${isEnrolled && html` asks for 3-D Secure`}</li>`,
        )}
      </ul>
      <ul>
        ${[...outcomeOfExpiry].map(([expiry, code]) => html`<li><code>${expiry}</code> ${code}</li>`)}
      </ul>
      <p>Security code 100. Any other date is declined.</p>
    </aside>`
}

/** The page on which the card's bank authenticates its customer. */
export function challengePage(view: ChallengeView, base: string): Html {
  return html`${banner}
    <main class="sheet">
      <h1>Your bank</h1>
      <p>
        ${view.merchantName} asks for ${view.currency} ${majorText(view.amountMinor)} from the card
        ${view.card}. Is this you?
      </p>
      <form method="post" action="${base}/checkout/3ds/${view.sessionId}">
        <button name="answer" value="yes">Yes, it is me</button>
        <button name="answer" value="no" class="quiet">No</button>
      </form>
    </main>`
}

/** The page after a payment whose merchant gave no address to return to. */
export function receiptPage(view: HostedOrder): Html {
  return html`${banner}
    <main class="sheet">
      <h1>Paid</h1>
      <p>
        ${view.merchantName} has your payment of ${view.currency} ${majorText(view.amountMinor)}.
      </p>
    </main>`
}

export function gonePage(): Html {
  return html`${banner}
    <main class="sheet">
      <h1>There is no such payment</h1>
      <p>The simulator has been started anew since, or the address is not complete.</p>
    </main>`
}

const banner = html`<p class="banner" role="note">This is a simulator. No money moves here.</p>`

function bill({ merchantName, currency, amountMinor, description }: HostedOrder): Html {
  return html`<h1>${merchantName}</h1>
    <p class="bill">${description}: <strong>${currency} ${majorText(amountMinor)}</strong></p>`
}

function field(name: string, label: string, autocomplete: string): Html {
  return html`<label
    >${label}
    <input name="${name}" autocomplete="${autocomplete}" required />
  </label>`
}
