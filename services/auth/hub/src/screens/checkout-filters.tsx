import { exportedCheckoutsMax, foundCheckoutsMax } from '@malipo/interface/hub'
import { queryOf } from '../api'
import { go } from '../navigation'
import { Field, Labelled } from '../parts/field'
import { HourField } from '../parts/hour-field'
import { valuesOf } from '../parts/use-form'

export const filterNames = ['search', 'status', 'from', 'until', 'hour'] as const

/** Filters for the list and its CSV file, which has the same rows. */
export function CheckoutFilters({ filter }: { readonly filter: Readonly<Record<string, string>> }) {
  const apply = (event: Event) => {
    event.preventDefault()
    const values = valuesOf(event.currentTarget as HTMLFormElement)
    go(`/checkouts${queryOf(isOneDay(values) ? values : { ...values, hour: undefined })}`)
  }
  return (
    <form class="filters" role="search" onSubmit={apply}>
      <Field
        name="search"
        label="Search"
        type="search"
        maxLength={64}
        placeholder="Reference, receipt or id"
        defaultValue={filter['search']}
      />
      <Labelled name="status" label="Status">
        <select id="field-status" name="status">
          {statuses.map(([value, text]) => (
            <option key={value} value={value} selected={filter['status'] === value}>
              {text}
            </option>
          ))}
        </select>
      </Labelled>
      <Field name="from" label="From" type="date" defaultValue={filter['from']} />
      <Field name="until" label="Until" type="date" defaultValue={filter['until']} />
      {isOneDay(filter) && <HourField value={filter['hour'] ?? ''} />}
      <div class="buttons">
        <button class="button fitting">Show</button>
        <a
          class="button quiet fitting"
          href={`/v1/hub/checkouts.csv${queryOf(filter)}`}
          download="checkouts.csv"
          aria-describedby="csv-hint"
        >
          Download CSV
        </a>
      </div>
      <p class="field-hint" id="csv-hint">
        The file has the newest {exportedCheckoutsMax.toLocaleString('en')} checkouts at most.
        Filter by days, and one day by its hours, to get the others. A search finds{' '}
        {foundCheckoutsMax} at most.
      </p>
    </form>
  )
}

const isOneDay = ({ from, until }: Readonly<Record<string, string>>) =>
  from !== '' && from === until

const statuses = [
  ['', 'Any'],
  ['open', 'Open'],
  ['completed', 'Completed'],
  ['expired', 'Expired'],
  ['paid_after_expiry', 'Paid after expiry'],
  ['money_held', 'Money held'],
] as const
