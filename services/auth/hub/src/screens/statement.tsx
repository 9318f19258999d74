import { statementEntriesMax } from '@malipo/interface/hub'
import { useState } from 'preact/hooks'
import { queryOf } from '../api'
import { Field } from '../parts/field'
import { HourField } from '../parts/hour-field'

/** Days are those of East Africa (UTC+3), not of the browser. */
const aheadOfUtcMs = 3 * 3_600_000

/** A CSV file of the wallet's entries between two days, with the opening and closing balance. */
export function Statement() {
  const [days, setDays] = useState(thisMonth)
  const change = (name: 'from' | 'until') => (event: { currentTarget: HTMLInputElement }) => {
    setDays({ ...days, [name]: event.currentTarget.value })
  }
  const isOneDay = days.from !== '' && days.from === days.until
  const query = queryOf(isOneDay ? days : { ...days, hour: undefined })
  const isPeriod = days.from !== '' && days.from <= days.until
  return (
    <>
      <h2 id="statement">Statement</h2>
      <section class="filters" aria-labelledby="statement">
        <Field name="from" label="From" type="date" value={days.from} onInput={change('from')} />
        <Field
          name="until"
          label="Until"
          type="date"
          value={days.until}
          onInput={change('until')}
          error={isPeriod ? undefined : 'must be a day after the first, or the same'}
        />
        {isOneDay && (
          <HourField
            value={days.hour}
            onChange={(hour) => {
              setDays({ ...days, hour })
            }}
          />
        )}
        {isPeriod && (
          <div class="buttons">
            <a
              class="button quiet fitting"
              href={`/v1/hub/wallet/statement.csv${query}`}
              download={`statement-${days.from}-${days.until}.csv`}
              aria-describedby="statement-hint"
            >
              Download CSV
            </a>
          </div>
        )}
        <p class="field-hint" id="statement-hint">
          A file has all entries of its days. With more than{' '}
          {statementEntriesMax.toLocaleString('en')} there is no file: take fewer days, or one day
          by its hours.
        </p>
      </section>
    </>
  )
}

function thisMonth(): { readonly from: string; readonly until: string; readonly hour: string } {
  const until = dayOf(Date.now())
  return { from: `${until.slice(0, 8)}01`, until, hour: '' }
}

function dayOf(epochMs: number): string {
  return new Date(epochMs + aheadOfUtcMs).toISOString().slice(0, dayLength)
}

const dayLength = '2026-11-22'.length
