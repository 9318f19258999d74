import type { KeyView, WalletView } from '@malipo/interface/hub'
import { addressOf } from '../navigation'
import { Failed, Loading } from '../parts/states'
import { useLoad } from '../parts/use-load'
import { mySession } from '../session'
import { Balance } from './balance'

/** What is there, and what is still to be done before the first payment. */
export function Home() {
  const { account, has_pin: hasPin } = mySession()
  const keys = useLoad<{ readonly keys: readonly KeyView[] }>('/keys')
  const wallet = useLoad<{ readonly wallet: WalletView | null }>('/wallet')
  const hasKey =
    keys.loaded.state === 'ready' && keys.loaded.data.keys.some((key) => key.revoked_at === null)
  return (
    <div class="columns">
      <section class="card" aria-labelledby="balance">
        <h2 id="balance">Wallet</h2>
        {wallet.loaded.state === 'loading' && <Loading what="the wallet" />}
        {wallet.loaded.state === 'failed' && (
          <Failed refusal={wallet.loaded.refusal} again={wallet.reload} />
        )}
        {wallet.loaded.state === 'ready' && <Balance wallet={wallet.loaded.data.wallet} />}
        <p>
          <a href={addressOf('/wallet')}>See what came in</a>
        </p>
      </section>
      <section class="card" aria-labelledby="steps">
        <h2 id="steps">Take your first payment</h2>
        <ol class="steps">
          <Step
            isDone={hasPin}
            path="/security"
            text="Set a PIN"
            why="It protects your secret key."
          />
          <Step
            isDone={hasKey}
            path="/integrations"
            text="Create a secret key"
            why="Your server uses it to make checkouts."
          />
          <Step
            isDone={false}
            path="/links"
            text="Or share a link"
            why={`No code needed. Payers can also use @${account.username}.`}
          />
        </ol>
      </section>
    </div>
  )
}

function Step(props: {
  readonly isDone: boolean
  readonly path: string
  readonly text: string
  readonly why: string
}) {
  const { isDone, path, text, why } = props
  return (
    <li class={isDone ? 'done' : ''}>
      <a href={addressOf(path)}>{text}</a>
      {isDone && <span class="badge good">Done</span>}
      <p class="soft">{why}</p>
    </li>
  )
}
