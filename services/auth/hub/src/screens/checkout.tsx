import type { TimelineView } from '@malipo/interface/hub'
import { addressOf, place } from '../navigation'
import { CopyButton } from '../parts/copy-button'
import { Moment } from '../parts/moment'
import { Notice } from '../parts/notice'
import { Failed, Loading } from '../parts/states'
import { useLoad } from '../parts/use-load'
import { showMoney, showWords, showExactMoment } from '../show'
import { CheckoutStatusBadge } from './checkout-status'
import { completedNote } from './completed-note'
import { eventsOf } from './timeline-events'

export function Checkout() {
  const id = place.value.path.split('/').at(-1) ?? ''
  const { loaded, reload } = useLoad<TimelineView>(`/checkouts/${encodeURIComponent(id)}`)
  return (
    <>
      <p>
        <a href={addressOf('/checkouts')}>All checkouts</a>
      </p>
      {loaded.state === 'loading' && <Loading what="the checkout" />}
      {loaded.state === 'failed' && <Failed refusal={loaded.refusal} again={reload} />}
      {loaded.state === 'ready' && <Details view={loaded.data} reload={reload} />}
    </>
  )
}

function Details({ view, reload }: { readonly view: TimelineView; readonly reload: () => void }) {
  const { checkout } = view
  const note = completedNote(view)
  return (
    <div class="columns">
      <section class="card" aria-labelledby="details">
        <h2 id="details">{showWords(checkout.reference, 'Details')}</h2>
        <p class="balance">{showMoney(checkout.amount, checkout.currency)}</p>
        <p>
          <CheckoutStatusBadge checkout={checkout} />
        </p>
        {note !== undefined && (
          <Notice kind="warn">
            <p>{note}</p>
          </Notice>
        )}
        {checkout.money_held && <HeldNotice view={view} />}
        <Facts view={view} />
        <div class="buttons">
          <CopyButton text={view.url} what="Page address" />
          <button type="button" class="button quiet fitting" onClick={reload}>
            Refresh
          </button>
        </div>
      </section>
      <section class="card" aria-labelledby="timeline">
        <h2 id="timeline">Timeline</h2>
        <Timeline view={view} />
      </section>
    </div>
  )
}

function HeldNotice({ view }: { readonly view: TimelineView }) {
  const isUnconfirmed = view.attempts.some(({ held_because: held }) => held === 'unconfirmed')
  return (
    <Notice kind="warn">
      <p>
        Money for this checkout is held and not in your wallet; the timeline says why. We return it
        or pass it on to you; there is nothing that you need to do.
        {isUnconfirmed && ' Do not deliver for it yet.'}
      </p>
    </Notice>
  )
}

function Facts({ view }: { readonly view: TimelineView }) {
  const { checkout, return_url: returnUrl, paybill_account_number: payBill } = view
  const receipt = checkout.payment?.provider_receipt
  const received = checkout.status === 'completed' ? checkout.payment?.amount_settled : undefined
  return (
    <dl class="facts">
      <dt>Id</dt>
      <dd>
        <code class="wrap">{checkout.id}</code>
      </dd>
      {checkout.description !== null && (
        <Fact name="Description" value={showWords(checkout.description)} />
      )}
      <dt>Expires</dt>
      <dd>
        <Moment at={checkout.expires_at} />
      </dd>
      {received != null && received !== checkout.amount && (
        <Fact
          name="Received"
          value={`${showMoney(received, checkout.currency)}: M-PESA takes whole shillings only`}
        />
      )}
      {receipt != null && <Fact name="Receipt" value={receipt} />}
      {payBill !== null && <Fact name="Pay Bill account" value={payBill} />}
      {returnUrl !== null && <Fact name="Return address" value={returnUrl} />}
    </dl>
  )
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd class="wrap">{value}</dd>
    </>
  )
}

function Timeline({ view }: { readonly view: TimelineView }) {
  const events = eventsOf(view, new Date(Date.now()).toISOString())
  return (
    <ol class="timeline">
      {events.map(({ at, what, detail, kind }) => (
        <li class={kind} key={`${at} ${what}`}>
          <p class="timeline-what">{what}</p>
          {detail !== undefined && <p>{detail}</p>}
          <time class="soft" dateTime={at}>
            {showExactMoment(at)}
          </time>
        </li>
      ))}
    </ol>
  )
}
