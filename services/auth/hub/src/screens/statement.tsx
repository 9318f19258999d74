import { useState } from 'preact/hooks'
import { queryOf } from '../api'
import { Field } from '../parts/field'

/** Days are those of East Africa (UTC+3), not of the browser. */
const aheadOfUtcMs = 3 * 3_600_000

/** A CSV file of the wallet's entries between two days, with the opening and closing balance. */
export function Statement() {
  const [days, setDays] = useState(thisMonth)
  const change = (name: 'from' | 'until') => (event: { currentTarget: HTMLInputElement }) => {
    setDays({ ...days, [name]: event.currentTarget.value })
  }
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
        {isPeriod && (
          <div class="buttons">
            <a
              class="button quiet fitting"
              href={`/v1/hub/wallet/statement.csv${queryOf(days)}`}
              download={`statement-${days.from}-${days.until}.csv`}
            >
              Download CSV
            </a>
          </div>
        )}
      </section>
    </>
  )
}

function thisMonth(): { readonly from: string; readonly until: string } {
  const until = dayOf(Date.now())
  return { from: `${until.slice(0, 8)}01`, until }
}

function dayOf(epochMs: number): string {
  return new Date(epochMs + aheadOfUtcMs).toISOString().slice(0, dayLength)
}

const dayLength = '2026-11-22'.length
