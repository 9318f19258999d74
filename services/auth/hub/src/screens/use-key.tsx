import { CopyButton } from '../parts/copy-button'
import { mySession } from '../session'
import { showMoney } from '../show'

/** A sample call that creates a checkout. It has a placeholder for the key, which we do not store. */
export function UseKey() {
  const { payments_url: paymentsUrl, currency } = mySession()
  const call = [
    `curl ${paymentsUrl}/v1/payments/merchant/checkouts \\`,
    `  -H "Authorization: Bearer $MALIPO_KEY" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '{"amount": 150000, "description": "Two crates of mangoes"}'`,
  ].join('\n')
  return (
    <section class="card" aria-labelledby="use-key">
      <h2 id="use-key">Make a checkout</h2>
      <p>
        From your server, with the key in MALIPO_KEY. 150000 is {showMoney('150000', currency)}.
        Send the payer to the url of the answer.
      </p>
      <code class="example">{call}</code>
      <div class="buttons">
        <CopyButton text={call} what="Call" />
        <a
          class="button quiet fitting"
          href={`${paymentsUrl}/docs`}
          target="_blank"
          rel="noreferrer"
        >
          Documentation
        </a>
      </div>
    </section>
  )
}
