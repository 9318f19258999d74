import { html, type Html } from '@malipo/web/html'
import type { SimEvent } from '../domain/event-log'
import { storyOf } from '../domain/lane-story'
import { laneContains, lanesOf, type Lane } from '../domain/lanes'
import type { World } from '../domain/world'
import { describeEvent } from './describe-event'

/** What the inspector shows: words that lanes must contain, the lanes that are open, and which page. */
export interface View {
  readonly words: string
  readonly open: readonly string[]
  readonly page: number
}

/** A page of lanes, and of events in one: the rest is a press away, and ten thousand events cost no more than fifty. */
const lanesPerPage = 15
const eventsPerLane = 80
const eventsRead = 10_000

export function inspector(world: World, view: View): Html {
  const lanes = lanesOf(world.events.since(0, eventsRead)).filter((lane) =>
    laneContains(lane, view.words),
  )
  const first = view.page * lanesPerPage
  const shown = lanes.slice(first, first + lanesPerPage)
  return html`<div class="lanes" data-key="lane-count">
      <p class="note">
        ${lanes.length}
        ${lanes.length === 1 ? 'lane' : 'lanes'}${view.words !== '' && ` with “${view.words}”`}.
        Events ${world.events.lastId()}, of which the last ten thousand are kept.
      </p>
    </div>
    ${shown.map((lane) => laneCard(lane, view.open.includes(lane.account)))}
    <div class="row" data-key="lane-pages">
      ${view.page > 0 && pageButton(view.page - 1, 'Newer')}
      ${lanes.length > first + lanesPerPage && pageButton(view.page + 1, 'Older')}
    </div>`
}

function pageButton(page: number, label: string): Html {
  return html`<button type="button" class="small" data-page="${String(page)}">${label}</button>`
}

function laneCard(lane: Lane, isOpen: boolean): Html {
  const { account, events } = lane
  return html`<details
    class="lane"
    data-key="lane-${account}"
    data-lane="${account}"
    ${isOpen && html`open`}
  >
    <summary>${account === '' ? besides(lane) : summary(lane)}</summary>
    ${isOpen && laneBody(lane)}
    ${isOpen && events.length > eventsPerLane && html`<p class="note">Older ones: ${events.length - eventsPerLane}</p>`}
  </details>`
}

function besides({ events }: Lane): Html {
  return html`<b>Everything else</b>
    <span class="note">${events.length} events: tokens, rules, clock</span>`
}

function summary(lane: Lane): Html {
  const { standing, title } = storyOf(lane)
  const facts = lane.events.find((event) => event.facts['amount'] !== undefined)?.facts ?? {}
  return html`<span class="badge ${standing}">${title}</span> <b>${lane.account}</b>
    <span class="note">
      ${String(facts['msisdn'] ?? '')} · ${cents(facts['amount'])} · ${timeOf(lane.events[0])}
    </span>`
}

function laneBody(lane: Lane): Html {
  const { sentences } = storyOf(lane)
  return html`${
      lane.account !== '' &&
      html`<ul class="why" aria-label="Why">
        ${sentences.map((sentence) => html`<li>${sentence}</li>`)}
      </ul>`
    }
    <ol class="events">
      ${lane.events.slice(-eventsPerLane).map(eventRow)}
    </ol>
    <p><a href="?lane=${encodeURIComponent(lane.account)}">Link to this lane</a></p>`
}

function eventRow(event: SimEvent): Html {
  const { id, exchange } = event
  const way = exchange === undefined ? '·' : exchange.direction === 'in' ? '→' : '←'
  const line = html`<span class="note">${timeOf(event)}</span>
    <span aria-hidden="true">${way}</span> ${describeEvent(event)}`
  return html`<li id="event-${String(id)}">
    ${
      exchange === undefined
        ? line
        : html`<button
            type="button"
            class="exchange"
            data-event="${String(id)}"
            aria-expanded="false"
          >
            ${line}
          </button>`
    }
  </li>`
}

function timeOf(event: SimEvent | undefined): string {
  return event?.at.slice(11, 23) ?? ''
}

/** `15050` -> `150.50`. */
function cents(amount: unknown): string {
  return typeof amount === 'string'
    ? amount.replace(
        /^(\d*?)(\d{1,2})$/,
        (_, whole: string, rest: string) => `${whole || '0'}.${rest.padStart(2, '0')}`,
      )
    : ''
}
