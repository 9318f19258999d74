import type { SessionView } from '@malipo/interface/hub'
import { useState } from 'preact/hooks'
import { ask, codes, takenText } from '../api'
import { addressOf, go } from '../navigation'
import { describedBy, Field, Labelled, NewPasswordField } from '../parts/field'
import { FormNotice } from '../parts/form-notice'
import { useForm } from '../parts/use-form'
import { enter } from '../session'
import { WayIn } from './way-in'

const countryHint = 'Where your money is kept. It cannot be changed later.'

export function SignUp() {
  // Retries of one form share a request id; another username gets a new one.
  const [requestId, setRequestId] = useState(() => crypto.randomUUID())
  const form = useForm(async (values) => {
    const view = await ask<SessionView>('POST', '/sign-up', { request_id: requestId, ...values })
    go('/')
    enter(view)
  })
  const countryError = form.errorOf('home_country')
  const isTaken = form.refusal?.code === codes.handleTaken
  return (
    <WayIn title="Open an account">
      <form ref={form.ref} onSubmit={form.submit} class="stack">
        {!isTaken && <FormNotice refusal={form.refusal} />}
        <Field
          name="display_name"
          label="Business name"
          hint="Payers see it."
          autocomplete="organization"
          maxLength={64}
          error={form.errorOf('display_name')}
          required
        />
        <Field
          name="username"
          label="Username"
          hint="Letters, digits, dots, dashes and underscores. It is also the address where you can be paid."
          autocomplete="username"
          autocapitalize="none"
          maxLength={64}
          error={isTaken ? takenText : form.errorOf('username')}
          onInput={() => {
            setRequestId(crypto.randomUUID())
          }}
          required
        />
        <Labelled name="home_country" label="Country" hint={countryHint} error={countryError}>
          <select
            id="field-home_country"
            name="home_country"
            {...describedBy('home_country', countryHint, countryError)}
          >
            <option value="KE">Kenya (KES)</option>
            <option value="UG">Uganda (UGX)</option>
          </select>
        </Labelled>
        <NewPasswordField label="Password" error={form.errorOf('password')} />
        <button class="button" aria-disabled={form.isBusy ? true : undefined}>
          {form.isBusy ? 'Opening…' : 'Open the account'}
        </button>
      </form>
      <p>
        Already have an account? <a href={addressOf('/')}>Sign in</a>
      </p>
    </WayIn>
  )
}
