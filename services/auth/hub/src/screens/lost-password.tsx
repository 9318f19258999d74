import { ask, codes } from '../api'
import { addressOf, go } from '../navigation'
import { announce } from '../parts/announcer'
import { Field, type FieldProps, NewPasswordField } from '../parts/field'
import { FormNotice } from '../parts/form-notice'
import { Notice } from '../parts/notice'
import { useForm } from '../parts/use-form'
import { hasEnded, hasNewPassword } from '../session'
import { WayIn } from './way-in'

/** Sets a new password with the codes that two people of support gave the owner. */
export function LostPassword() {
  const form = useForm(async ({ username = '', ...values }) => {
    await ask('POST', '/lost-password', { username: username.trim(), ...values })
    hasEnded.value = false
    hasNewPassword.value = true
    announce('Password set')
    go('/')
  })
  const isWrong = form.refusal?.code === codes.signInRefused
  return (
    <WayIn title="Set a new password">
      <p>
        Ask support. Two of our people make sure that the account is yours, and each gives you a
        code. With both you set a new password here, within an hour.
      </p>
      <form ref={form.ref} onSubmit={form.submit} class="stack">
        {isWrong ? <WrongCodes /> : <FormNotice refusal={form.refusal} />}
        <Field
          name="username"
          label="Username"
          autocomplete="username"
          autocapitalize="none"
          required
        />
        <CodeField name="first_code" label="First code" hint="It looks like 7K2M-9QXD-4TPA." />
        <CodeField name="second_code" label="Second code" hint="It comes from another person." />
        <NewPasswordField label="New password" error={form.errorOf('password')} />
        <button class="button" aria-disabled={form.isBusy ? true : undefined}>
          {form.isBusy ? 'One moment…' : 'Set the password'}
        </button>
      </form>
      <p>
        Found it again? <a href={addressOf('/')}>Sign in</a>
      </p>
    </WayIn>
  )
}

function CodeField(props: Pick<FieldProps, 'name' | 'label' | 'hint'>) {
  return <Field autocomplete="off" autocapitalize="none" maxLength={64} {...props} required />
}

function WrongCodes() {
  return (
    <Notice kind="bad">
      <p>
        These do not belong together. Check the username and both codes. Codes end after an hour,
        after five wrong tries, and once used: then ask support for new ones.
      </p>
    </Notice>
  )
}
