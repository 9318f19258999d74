import { useState } from 'preact/hooks'
import { ask, codes, Refusal } from '../api'
import { addressOf } from '../navigation'
import { announce } from '../parts/announcer'
import { Field, PinField } from '../parts/field'
import { FormNotice } from '../parts/form-notice'
import { Notice } from '../parts/notice'
import { useForm } from '../parts/use-form'
import { mySession, session } from '../session'
import { SecurityTabs } from './security-tabs'

/** Sets or changes the PIN that protects keys. */
export function Pin() {
  const { has_pin: hasPin } = mySession()
  const [isSet, setSet] = useState(false)
  const form = useForm(async ({ pin_again: again, ...body }) => {
    if (body['pin'] !== again) throw notTheSame
    await ask('POST', '/pin', body)
    form.ref.current?.reset()
    session.value = { ...mySession(), has_pin: true }
    setSet(true)
    announce('PIN set')
  })
  const isWrong = form.refusal?.code === codes.signInRefused
  return (
    <>
      <SecurityTabs />
      <section class="card narrow" aria-labelledby="pin">
        <h2 id="pin">{hasPin ? 'Change the PIN' : 'Set a PIN'}</h2>
        <p>
          4 to 8 digits. A new secret key needs it, so that a stolen password is not enough. Five
          wrong ones in a row lock it.
        </p>
        {isSet && (
          <Notice kind="good">
            <p>
              The PIN is set. <a href={addressOf('/integrations')}>Go on to your secret key</a>
            </p>
          </Notice>
        )}
        <form ref={form.ref} class="stack" onSubmit={form.submit}>
          {!isWrong && <FormNotice refusal={form.refusal} />}
          {hasPin ? (
            <PinField name="current_pin" label="Current PIN" error={form.errorOf('current_pin')} />
          ) : (
            <Field
              name="current_password"
              label="Current password"
              type="password"
              autocomplete="current-password"
              error={isWrong ? 'is not correct' : form.errorOf('current_password')}
              required
            />
          )}
          <PinField name="pin" label="New PIN" error={form.errorOf('pin')} />
          <PinField name="pin_again" label="New PIN again" error={form.errorOf('pin_again')} />
          <button class="button" aria-disabled={form.isBusy ? true : undefined}>
            {form.isBusy ? 'One moment…' : hasPin ? 'Change the PIN' : 'Set the PIN'}
          </button>
        </form>
      </section>
    </>
  )
}

const notTheSame = new Refusal({
  code: 1701,
  description: '',
  request_id: '',
  errors: [{ path: 'pin_again', message: 'is not the same' }],
})
