import type { LinkView } from '@malipo/interface/hub'
import { amountFromPerson } from '@malipo/kernel/money'
import { useState } from 'preact/hooks'
import { ask, codes, Refusal, takenText } from '../api'
import { Field } from '../parts/field'
import { FormDialog } from '../parts/form-dialog'
import { useForm } from '../parts/use-form'
import { mySession } from '../session'
import { showMoney } from '../show'

export function CreateLink(props: {
  readonly onMade: (link: LinkView) => void
  readonly onDone: () => void
}) {
  const { currency, amounts } = mySession()
  const [requestId, setRequestId] = useState(() => crypto.randomUUID())
  const form = useForm(async ({ title = '', amount = '', handle = '' }) => {
    const body = { request_id: requestId, ...given({ title, handle }), ...amountOf(amount) }
    props.onMade(await ask<LinkView>('POST', '/links', body))
  })
  const isTaken = form.refusal?.code === codes.handleTaken
  const isOutside = form.refusal?.code === 2702
  const limits = `${showMoney(amounts.min, currency)} to ${showMoney(amounts.max, currency)}`
  return (
    <FormDialog
      title="New link"
      form={form}
      action="Create link"
      busy="Making it…"
      isShownAtField={isTaken || isOutside}
      onInput={() => {
        setRequestId(crypto.randomUUID())
      }}
      onClose={props.onDone}
    >
      <p class="soft">With a title and an amount, or with neither: then the payer says how much.</p>
      <Field name="title" label="Title" maxLength={64} error={form.errorOf('title')} autofocus />
      <Field
        name="amount"
        label={`Amount in ${currency}`}
        inputMode="decimal"
        hint={
          amounts.whole ? limits : `${limits}. M-PESA takes whole shillings: cents are rounded up.`
        }
        error={isOutside ? `must be ${limits}` : form.errorOf('amount')}
      />
      <Field
        name="handle"
        label="Address"
        hint="Left empty, we make one up. A closed link keeps its address for ever."
        autocapitalize="none"
        maxLength={64}
        error={isTaken ? takenText : form.errorOf('handle')}
      />
    </FormDialog>
  )
}

function given(fields: Readonly<Record<string, string>>): Record<string, string> {
  const trimmed = Object.entries(fields).map(([name, text]) => [name, text.trim()] as const)
  return Object.fromEntries(trimmed.filter(([, text]) => text !== ''))
}

function amountOf(typed: string): { amount?: string } {
  if (typed.trim() === '') return {}
  const minor = amountFromPerson(typed)
  if (minor !== undefined && minor > 0n) return { amount: String(minor) }
  const errors = [{ path: 'amount', message: 'must be a number such as 1500 or 1500.50' }]
  throw new Refusal({ code: 1701, description: '', request_id: '', errors })
}
