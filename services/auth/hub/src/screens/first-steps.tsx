import { addressOf } from '../navigation'
import { mySession } from '../session'

/** The steps to a first payment: done, next, and later. */
export function FirstSteps(props: { readonly hasKey: boolean; readonly hasCheckout: boolean }) {
  const { account, has_pin: hasPin, payments_url: paymentsUrl } = mySession()
  const steps = [
    {
      isDone: hasPin,
      path: '/security',
      text: 'Set a PIN',
      why: 'It protects your secret key.',
    },
    {
      isDone: props.hasKey,
      path: '/integrations',
      text: 'Create a secret key',
      why: 'Your server uses it to sign in.',
    },
    {
      isDone: props.hasCheckout,
      path: '/integrations',
      text: 'Make a checkout',
      why: 'Your server asks for an amount, and sends the payer to the page in the answer.',
    },
  ]
  const next = steps.find(({ isDone }) => !isDone)
  return (
    <section class="card" aria-labelledby="steps">
      <h2 id="steps">Take your first payment</h2>
      <ol class="steps">
        {steps.map((step) => (
          <li key={step.text}>
            <a class={step === next ? 'button fitting' : ''} href={addressOf(step.path)}>
              {step.text}
            </a>
            {step.isDone && <span class="badge good">Done</span>}
            <p class="soft">{step.why}</p>
          </li>
        ))}
      </ol>
      <p class="soft">
        No code at hand? <a href={addressOf('/links')}>Share a link</a>, or{' '}
        <a href={`${paymentsUrl}/p/${account.username}`} target="_blank" rel="noreferrer">
          your own page
        </a>
        .
      </p>
    </section>
  )
}
