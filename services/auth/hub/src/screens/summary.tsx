import type { SummaryView, UnpaidCauseView } from '@malipo/interface/hub'
import { asksPayers } from '@malipo/kernel/rail-abilities'
import { Bars } from '../parts/bars'
import { Failed } from '../parts/states'
import { Table } from '../parts/table'
import type { Loaded } from '../parts/use-load'
import { mySession } from '../session'
import { none, showDay, showMoney, showRail } from '../show'
import { causeText } from './cause-text'
import { successOf, type Totals, totalsByRail, totalsOf } from './payment-totals'

type Days = SummaryView['days']

/** The payments of some days as charts: received by day and rail, attempts by day, and why some were not paid. */
export function Summary(props: {
  readonly loaded: Loaded<SummaryView>
  readonly reload: () => void
}) {
  const { loaded, reload } = props
  // A new owner sees neither charts nor a note that charts are loading.
  if (loaded.state === 'loading' || (loaded.state === 'ready' && isQuiet(loaded.data))) return null
  return (
    <section class="stack" aria-labelledby="summary">
      <h2 id="summary">
        {loaded.state === 'ready' ? `Last ${String(loaded.data.days_max)} days` : 'Payments by day'}
      </h2>
      {loaded.state === 'failed' && <Failed refusal={loaded.refusal} again={reload} />}
      {loaded.state === 'ready' && <Charts summary={loaded.data} />}
    </section>
  )
}

function isQuiet({ days }: SummaryView): boolean {
  return days.length > 0 && days.every(({ rails }) => rails.length === 0)
}

function Charts({ summary }: { readonly summary: SummaryView }) {
  const { days, causes, days_max: daysMax } = summary
  const [first] = days
  if (first === undefined) {
    return <p>There are too many payments to draw them here. The statement in Wallet has each.</p>
  }
  return (
    <>
      {days.length < daysMax && (
        <p class="soft">
          Since {showDay(first.day)}. There are too many payments before that to draw them here.
        </p>
      )}
      <div class="columns">
        <Received days={days} />
        <Attempts days={days} />
        {causes.length > 0 && <Causes causes={causes} />}
      </div>
      <ByDay days={days} />
    </>
  )
}

function Received({ days }: { readonly days: Days }) {
  const { currency } = mySession()
  const rails = totalsByRail(days)
  const { receivedMinor, paid } = totalsOf(days.flatMap((one) => one.rails))
  const text = `${showMoney(String(receivedMinor), currency)} from ${counted(paid, 'payment')}`
  return (
    <section class="card" aria-labelledby="received">
      <h3 id="received">Received</h3>
      <p class="figure">{showMoney(String(receivedMinor), currency)}</p>
      <Highest days={days} />
      <Bars
        label={`Received by day: ${text}`}
        bars={days.map(({ day, rails: own }) => ({
          key: day,
          title: `${showDay(day)}: ${showMoney(String(totalsOf(own).receivedMinor), currency)}`,
          // Each bar has the rails in the same order, with the one that brought most at the bottom.
          parts: rails.map(({ rail }) => ({
            kind: rail,
            size: totalsOf(own.filter((one) => one.rail === rail)).receivedMinor,
          })),
        }))}
      />
      <Span days={days} />
      <ul class="legend">
        {rails
          .filter(({ paid: many }) => many > 0)
          .map(({ rail, paid: many, receivedMinor: minor }) => (
            <li key={rail}>
              <span class={`swatch of-${rail}`} aria-hidden="true" /> {showRail(rail)}:{' '}
              {showMoney(String(minor), currency)} from {counted(many, 'payment')}
            </li>
          ))}
      </ul>
      <p class="soft">Refunds are not deducted.</p>
    </section>
  )
}

/** The scale of the chart: its tallest bar. */
function Highest({ days }: { readonly days: Days }) {
  const { currency } = mySession()
  const [highest] = days
    .map(({ day, rails }) => ({ day, minor: totalsOf(rails).receivedMinor }))
    .sort((one, other) => (one.minor < other.minor ? 1 : -1))
  if (highest === undefined || highest.minor === 0n) return null
  return (
    <p class="soft">
      Highest: {showDay(highest.day)}, {showMoney(String(highest.minor), currency)}
    </p>
  )
}

/** An attempt that is not confirmed yet has its own word and colour, because its money may still come. */
const outcomes = [
  { kind: 'paid', text: 'paid' },
  { kind: 'unpaid', text: 'not paid' },
  { kind: 'unconfirmed', text: 'not confirmed yet' },
] as const

const outcomesIn = (totals: Totals) =>
  outcomes.filter(({ kind }) => kind !== 'unconfirmed' || totals[kind] > 0)

const showOutcomes = (totals: Totals) =>
  outcomesIn(totals)
    .map(({ kind, text }) => `${String(totals[kind])} ${text}`)
    .join(', ')

function Attempts({ days }: { readonly days: Days }) {
  const all = days.flatMap(({ rails }) => rails)
  const totals = totalsOf(all)
  const success = showPercent(successOf(all))
  const rails = totalsByRail(days)
  return (
    <section class="card" aria-labelledby="attempts">
      <h3 id="attempts">Attempts paid</h3>
      <p class="figure">{success}</p>
      <Bars
        label={`Attempts by day: ${showOutcomes(totals)}`}
        bars={days.map(({ day, rails: ofDay }) => {
          const own = totalsOf(ofDay)
          return {
            key: day,
            title: `${showDay(day)}: ${showOutcomes(own)}`,
            parts: outcomes.map(({ kind }) => ({ kind, size: BigInt(own[kind]) })),
          }
        })}
      />
      <Span days={days} />
      <ul class="legend">
        {outcomesIn(totals).map(({ kind, text }) => (
          <li key={kind}>
            <span class={`swatch of-${kind}`} aria-hidden="true" /> {totals[kind]} {text}
          </li>
        ))}
        {rails.length > 1 &&
          rails
            .filter(({ rail }) => asksPayers(rail))
            .map(({ rail }) => (
              <li key={rail}>
                {showRail(rail)}: {showPercent(successOf(all.filter((one) => one.rail === rail)))}
              </li>
            ))}
      </ul>
      {totals.unconfirmed > 0 && (
        <p class="soft">Money of an attempt that is not confirmed may still come.</p>
      )}
    </section>
  )
}

function Causes({ causes }: { readonly causes: readonly UnpaidCauseView[] }) {
  return (
    <section class="card" aria-labelledby="causes">
      <h3 id="causes">Why attempts were not paid</h3>
      <ol class="causes">
        {causes.slice(0, 6).map((one) => (
          <li key={`${one.rail} ${String(one.cause)}`}>
            <span>
              {causeText(one)} <span class="soft">{showRail(one.rail)}</span>
            </span>
            <span class="number">{one.count}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}

function ByDay({ days }: { readonly days: Days }) {
  const { currency } = mySession()
  return (
    <details>
      <summary>Day by day</summary>
      <Table
        caption="Payments by day, newest first"
        rows={[...days].reverse()}
        rowKey={({ day }) => day}
        columns={[
          { head: 'Day', cell: ({ day }) => showDay(day) },
          { head: 'Payments', cell: ({ rails }) => totalsOf(rails).paid, isNumber: true },
          { head: 'Not paid', cell: ({ rails }) => totalsOf(rails).unpaid, isNumber: true },
          {
            head: 'Not confirmed yet',
            cell: ({ rails }) => totalsOf(rails).unconfirmed,
            isNumber: true,
          },
          {
            head: 'Attempts paid',
            cell: ({ rails }) => showPercent(successOf(rails)),
            isNumber: true,
          },
          {
            head: 'Received',
            cell: ({ rails }) => showMoney(String(totalsOf(rails).receivedMinor), currency),
            isNumber: true,
          },
        ]}
      />
    </details>
  )
}

/** The first and the last day, below the ends of a chart. */
function Span({ days }: { readonly days: Days }) {
  const ends = [days[0], days.at(-1)].flatMap((one) => one?.day ?? [])
  return (
    <p class="span soft" aria-hidden="true">
      {ends.map((day) => (
        <span key={day}>{showDay(day)}</span>
      ))}
    </p>
  )
}

const showPercent = (percent: number | undefined) =>
  percent === undefined ? none : `${String(percent)} %`

const counted = (many: number, what: string) => `${String(many)} ${what}${many === 1 ? '' : 's'}`
