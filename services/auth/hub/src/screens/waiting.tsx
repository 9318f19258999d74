import type { SummaryView } from '@malipo/interface/hub'
import { addressOf } from '../navigation'

/** The things that wait for the owner to act. Shows nothing when there are none. */
export function Waiting({ summary }: { readonly summary: SummaryView }) {
  const { held_checkouts: held, webhooks_off: off, webhooks_failing: failing } = summary
  const all = [
    {
      count: held,
      path: '/checkouts?status=money_held',
      text: (many: string, s: string) => `Money is held for ${many} checkout${s}`,
      todo: 'Open one to see why.',
    },
    {
      count: off,
      path: '/integrations/webhooks',
      text: (many: string, s: string) => `${many} webhook${s} switched off`,
      todo: 'Nothing is sent there until you switch it on. Its card says which events are kept.',
    },
    {
      count: failing,
      path: '/integrations/webhooks',
      text: (many: string, s: string) => `${many} webhook${s} failing`,
      todo: 'Your server does not take events. We try each of them nine times in two days.',
    },
  ]
  const waiting = all.filter(({ count }) => count > 0)
  if (waiting.length === 0) return null
  return (
    <section class="card" aria-labelledby="waiting">
      <h2 id="waiting">Waiting for you</h2>
      <ul class="waiting">
        {waiting.map(({ count, path, text, todo }) => (
          <li key={todo}>
            <a href={addressOf(path)}>{text(String(count), count === 1 ? '' : 's')}</a>
            <p class="soft">{todo}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}
