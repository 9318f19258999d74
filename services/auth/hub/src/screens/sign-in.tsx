import type { SessionView } from '@malipo/interface/hub'
import { ask } from '../api'
import { addressOf } from '../navigation'
import { Field } from '../parts/field'
import { FormNotice } from '../parts/form-notice'
import { Notice } from '../parts/notice'
import { useForm } from '../parts/use-form'
import { enter, hasEnded, hasNewPassword } from '../session'
import { WayIn } from './way-in'

export function SignIn() {
  const form = useForm(async ({ username = '', password = '' }) => {
    enter(await ask<SessionView>('POST', '/sign-in', { username: username.trim(), password }))
  })
  return (
    <WayIn title="Sign in">
      <form ref={form.ref} onSubmit={form.submit} class="stack">
        {hasEnded.value && form.refusal === undefined && (
          <Notice kind="warn">
            <p>Your session has ended. Sign in to go on where you were.</p>
          </Notice>
        )}
        {hasNewPassword.value && form.refusal === undefined && (
          <Notice kind="good">
            <p>Your new password is set, and you are signed out everywhere. Sign in with it.</p>
          </Notice>
        )}
        <FormNotice refusal={form.refusal} />
        <Field
          name="username"
          label="Username"
          autocomplete="username"
          autocapitalize="none"
          required
        />
        <Field
          name="password"
          label="Password"
          type="password"
          autocomplete="current-password"
          required
        />
        <button class="button" aria-disabled={form.isBusy ? true : undefined}>
          {form.isBusy ? 'Signing in…' : 'Sign in'}
        </button>
      </form>
      <p>
        <a href={addressOf('/lost-password')}>Lost your password?</a>
      </p>
      <p>
        New here? <a href={addressOf('/sign-up')}>Open an account</a>
      </p>
    </WayIn>
  )
}
