import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CountryRules } from '@malipo/kernel/countries'
import { errors } from '@malipo/kernel/errors'
import type { Operation } from '@malipo/runtime/door'
import { html } from '@malipo/web/html'
import { layout } from '@malipo/web/layout'
import { tokens } from '@malipo/web/styles'
import { nonceOf } from './nonce'

const styles = tokens + readFileSync(join(__dirname, 'docs-page.css'), 'utf8')

export interface DocsPageOptions {
  readonly rules: CountryRules
  readonly baseUrl: string
}

/** `GET /`: the host has no page of its own; those who type its name want to know what it is. */
export const goToDocs: Operation = () =>
  Promise.resolve({
    status: 302,
    headers: { Location: '/docs', 'Cache-Control': 'no-store' },
    body: '',
  })

/** `GET /docs`: what a merchant's developer needs for a first payment on this host, and what each refusal means. */
export function docsPage({ rules, baseUrl }: DocsPageOptions): Operation {
  const checkouts = `${baseUrl}/v1/payments/merchant/checkouts`
  const body = html`<main>
    <h1>Take a payment in ${rules.currency}</h1>
    <h2>1. Your server creates a checkout</h2>
    <pre><code>${createExample(checkouts)}</code></pre>
    <p>
      The amount is a whole number of minor units, and 100 of them make one ${rules.currency}. A
      repeat with the same <code>Idempotency-Key</code> returns the checkout that the first made.
      The secret key stays on your server: never in a page, an app or an address.
    </p>
    ${!rules.wholeMajorOnly && cents}
    <h2>2. You send the payer to its <code>url</code></h2>
    <p>
      The page asks for a phone number, sends the prompt and says how it ended. A
      <code>return_url</code> brings the payer back; coming back proves nothing, so read the
      checkout.
    </p>
    <h2>3. Your server reads the checkout</h2>
    <pre><code>${readExample(checkouts, rules.checkoutIdPrefix)}</code></pre>
    <p>
      Deliver once, and only when <code>status</code> is <code>completed</code>. Read when the payer
      comes back, and open orders every 10 to 30 seconds; 120 requests a minute are yours.
      <code>payment.phone</code> is a string always: it is empty when the payer gave no phone, as by
      card.
    </p>
    ${waiting}
    <h2>Without a server: usernames and links</h2>
    <p>
      Whoever knows your username or one of your links pays it at <code>${baseUrl}/p/…</code>, in
      any amount; a link can suggest one. Two routes do the same without a page and without a key:
      the first says whom a name pays and how, the second sends a prompt.
    </p>
    <pre><code>${handleExample(baseUrl)}</code></pre>
    <h2>Every route, field and answer</h2>
    <p>
      <a href="/docs/openapi.json">The whole interface as OpenAPI 3.1</a>, from which tools make
      clients, collections and mock servers.
    </p>
    <h2>When something is refused</h2>
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th>Code</th>
            <th>HTTP</th>
            <th>Meaning</th>
            <th>Again?</th>
          </tr>
        </thead>
        <tbody>
          ${Object.values(errors).map(
            ({ code, http, description, retry }) =>
              html`<tr id="${code}">
                <td>${code}</td>
                <td>${http}</td>
                <td>${description}</td>
                <td>${retry ? 'may help' : 'no'}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </main>`
  return (_request, response) => {
    const page = { lang: 'en', title: 'Malipo for developers', styles, body }
    const text = layout({ ...page, nonce: nonceOf(response) })
    return Promise.resolve({ status: 200, headers, body: text })
  }
}

const waiting = html`<p>
  With <code>Prefer: wait=60</code> the same read is answered as soon as <code>status</code> or
  <code>payment.status</code> changes, else after 60 seconds (any number up to that) with the
  present state. It counts as one request; <code>Preference-Applied</code> says that it waited.
</p>`

const headers = { 'Content-Type': 'text/html; charset=utf-8' }

/** Where the country allows cents, and its rail does not. */
const cents = html`<p>
  M-PESA takes whole shillings only. For an amount with cents the page, the prompt and the Pay Bill
  menu ask the payer for the next whole shilling, and the page says so before a number is typed.
  <code>amount</code> stays as you sent it; <code>amount_settled</code> is what was received, and
  your wallet gets all of it: an <code>amount</code> of 123450 settles as 123500. A card cannot pay
  cents. On a local stack cents stay exact, unless it was started with
  <code>npm start -- --whole-shillings</code>.
</p>`

function createExample(checkouts: string): string {
  return `curl ${checkouts} \\
  -H 'Authorization: Bearer YOUR_SECRET_KEY' \\
  -H 'Content-Type: application/json' \\
  -H 'Idempotency-Key: order-1001' \\
  -d '{"amount": 150000, "reference": "order-1001", "description": "Two crates of mangoes"}'`
}

function handleExample(baseUrl: string): string {
  return `curl ${baseUrl}/v1/payments/public/handles/YOUR_HANDLE

curl ${baseUrl}/v1/payments/public/checkout \\
  -H 'Content-Type: application/json' \\
  -H 'Idempotency-Key: wish-1' \\
  -d '{"handle": "YOUR_HANDLE", "amount": "150000", "phone": "PAYERS_PHONE"}'`
}

function readExample(checkouts: string, prefix: string): string {
  return `curl ${checkouts}/${prefix}… \\
  -H 'Authorization: Bearer YOUR_SECRET_KEY'`
}
