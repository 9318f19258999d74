import { useState } from 'preact/hooks'
import { ask, codes } from '../api'
import { announce } from '../parts/announcer'
import { Field, NewPasswordField } from '../parts/field'
import { FormNotice } from '../parts/form-notice'
import { Notice } from '../parts/notice'
import { useForm } from '../parts/use-form'
import { mySession } from '../session'
import { SecurityTabs } from './security-tabs'

export function Password() {
  const { username } = mySession().account
  const [isChanged, setChanged] = useState(false)
  const form = useForm(async ({ current_password, password }) => {
    setChanged(false)
    await ask('POST', '/password', { current_password, password })
    form.ref.current?.reset()
    setChanged(true)
    announce('Password changed')
  })
  const isWrong = form.refusal?.code === codes.signInRefused
  return (
    <>
      <SecurityTabs />
      <section class="card narrow" aria-labelledby="password">
        <h2 id="password">Change the password</h2>
        <p>Everywhere else you are signed out then. Your secret key goes on working.</p>
        {isChanged && (
          <Notice kind="good">
            <p>The password is changed.</p>
          </Notice>
        )}
        <form ref={form.ref} class="stack" onSubmit={form.submit}>
          {!isWrong && <FormNotice refusal={form.refusal} />}
          {/* A hidden username, because password managers store passwords by username. */}
          <input name="username" autocomplete="username" value={username} readOnly hidden />
          <Field
            name="current_password"
            label="Current password"
            type="password"
            autocomplete="current-password"
            error={isWrong ? 'is not correct' : undefined}
            required
          />
          <NewPasswordField label="New password" error={form.errorOf('password')} />
          <button class="button" aria-disabled={form.isBusy ? true : undefined}>
            {form.isBusy ? 'One moment…' : 'Change the password'}
          </button>
        </form>
      </section>
    </>
  )
}
