import { html, type Html } from '@malipo/web/html'
import type { EventLog, SimEvent } from '../domain/event-log'

const eventsShown = 40

/** The last events, the newest first. */
export function eventList(events: EventLog): Html {
  const last = events.since(events.lastId() - eventsShown, eventsShown)
  return html`<section class="events" data-key="events" aria-label="Events">
    <h2>Events</h2>
    <ol>
      ${[...last].reverse().map(eventRow)}
    </ol>
  </section>`
}

function eventRow({ id, at, kind, facts }: SimEvent): Html {
  const shown = Object.entries(facts).map(([name, value]) => `${name}=${String(value)}`)
  return html`<li>
    <span class="note">${id} · ${at.slice(11, 23)}</span> <b>${kind}</b> ${shown.join(' ')}
  </li>`
}
