import { useRef, useState } from 'preact/hooks'
import { type Refusal, refusalOf } from '../api'

export interface FormState {
  readonly isBusy: boolean
  readonly refusal: Refusal | undefined
  readonly errorOf: (name: string) => string | undefined
  readonly submit: (event: Event) => void
  readonly ref: { current: HTMLFormElement | null }
}

/** Sends a form, once at a time. After a refusal the focus is at the first wrong field, or at the notice. */
export function useForm(
  send: (values: Readonly<Record<string, string>>) => Promise<void>,
): FormState {
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<Refusal>()
  const ref = useRef<HTMLFormElement>(null)
  const submit = (event: Event) => {
    event.preventDefault()
    if (isBusy || ref.current === null) return
    const values = valuesOf(ref.current)
    setBusy(true)
    setRefusal(undefined)
    void send(values).then(
      () => {
        setBusy(false)
      },
      (error: unknown) => {
        setBusy(false)
        setRefusal(refusalOf(error))
        requestAnimationFrame(() => {
          ref.current?.querySelector<HTMLElement>('[aria-invalid], .notice.bad')?.focus()
        })
      },
    )
  }
  const errorOf = (name: string) => refusal?.fields.find(({ path }) => path === name)?.message
  return { isBusy, refusal, errorOf, submit, ref }
}

export function valuesOf(form: HTMLFormElement): Record<string, string> {
  const entries = [...new FormData(form)].map(([name, value]) => [
    name,
    typeof value === 'string' ? value : '',
  ])
  return Object.fromEntries(entries) as Record<string, string>
}
