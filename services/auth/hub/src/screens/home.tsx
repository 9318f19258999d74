import type {
  CheckoutPage,
  CheckoutView,
  KeyView,
  SummaryView,
  WalletView,
} from '@malipo/interface/hub'
import { useRef, useState } from 'preact/hooks'
import { ask } from '../api'
import { addressOf } from '../navigation'
import { Failed, Loading } from '../parts/states'
import { useLive } from '../parts/use-live'
import { type Loaded, useLoad } from '../parts/use-load'
import { Balance } from './balance'
import { announcePaid, CheckoutTable } from './checkouts'
import { FirstSteps } from './first-steps'
import { Summary } from './summary'
import { Waiting } from './waiting'

/** The latest checkouts on the home screen; the screen Checkouts has all of them. */
const checkoutsShown = 5

type WalletLoaded = ReturnType<typeof useLoad<{ readonly wallet: WalletView | null }>>

/** The least time between two loads of the summary: counting by day costs too much to repeat at each payment. */
const summaryEveryMs = 30_000

/**
 * What waits for the owner, the balance, the last days as charts, the latest payments, and the first steps until money
 * has come in.
 */
export function Home() {
  const keys = useLoad<{ readonly keys: readonly KeyView[] }>('/keys')
  const wallet: WalletLoaded = useLoad('/wallet')
  const checkouts = useLoad<CheckoutPage>('/checkouts')
  const { summary, sumAgain } = useSummary()
  const [fresh, setFresh] = useState<CheckoutPage>()
  const latest = (fresh ?? dataOf(checkouts.loaded))?.checkouts ?? []
  useLive(
    '/checkouts',
    (path) => ask<CheckoutPage>('GET', path),
    (page) => {
      if (checkouts.loaded.state === 'loading') return
      sumAgain(false)
      if (JSON.stringify(page.checkouts) === JSON.stringify(latest)) return
      announcePaid(latest, page.checkouts)
      setFresh(page)
      wallet.reload()
      sumAgain(true)
    },
  )
  const hasKey = dataOf(keys.loaded)?.keys.some((key) => key.revoked_at === null) ?? false
  // The steps are not for an owner with payments, so they are not shown before the payments have loaded.
  const isHere = [keys, wallet, checkouts].every(({ loaded }) => loaded.state !== 'loading')
  return (
    <>
      {summary.loaded.state === 'ready' && <Waiting summary={summary.loaded.data} />}
      <div class="columns">
        <WalletCard wallet={wallet} />
        {isHere && !isPaid(wallet, latest) && (
          <FirstSteps hasKey={hasKey} hasCheckout={latest.length > 0} />
        )}
      </div>
      <Summary {...summary} />
      {latest.length > 0 && (
        <section class="stack" aria-labelledby="latest">
          <h2 id="latest">Latest checkouts</h2>
          <CheckoutTable rows={latest.slice(0, checkoutsShown)} />
          <p>
            <a href={addressOf('/checkouts')}>All checkouts</a>
          </p>
        </section>
      )}
    </>
  )
}

/** The summary, loaded again after a change of the checkouts, but not within `summaryEveryMs` of the last time. */
function useSummary() {
  const summary = useLoad<SummaryView>('/summary')
  const known = useRef({ isStale: false, at: Date.now() })
  const sumAgain = (isChanged: boolean) => {
    const { isStale, at } = known.current
    const isDue = (isStale || isChanged) && Date.now() - at >= summaryEveryMs
    known.current = isDue
      ? { isStale: false, at: Date.now() }
      : { isStale: isStale || isChanged, at }
    if (isDue) summary.reload()
  }
  return { summary, sumAgain }
}

function WalletCard({ wallet: { loaded, reload } }: { readonly wallet: WalletLoaded }) {
  return (
    <section class="card" aria-labelledby="balance">
      <h2 id="balance">Wallet</h2>
      {loaded.state === 'loading' && <Loading what="the wallet" />}
      {loaded.state === 'failed' && <Failed refusal={loaded.refusal} again={reload} />}
      {loaded.state === 'ready' && <Balance wallet={loaded.data.wallet} />}
      <p>
        <a href={addressOf('/wallet')}>View history</a>
      </p>
    </section>
  )
}

function isPaid({ loaded }: WalletLoaded, latest: readonly CheckoutView[]): boolean {
  const balance = dataOf(loaded)?.wallet?.balance ?? '0'
  return balance !== '0' || latest.some(({ status }) => status === 'completed')
}

function dataOf<Data>(loaded: Loaded<Data>): Data | undefined {
  return loaded.state === 'ready' ? loaded.data : undefined
}
