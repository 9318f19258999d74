import { html, type Html } from '@malipo/web/html'
import type { SimEvent } from '../domain/event-log'
import { storyOf } from '../domain/timeline-story'
import { timelineContains, timelinesOf, type Timeline } from '../domain/timelines'
import type { World } from '../domain/world'
import { describeEvent } from './describe-event'

/** The inspector's state: search words, open timelines, and the page number. */
export interface View {
  readonly words: string
  readonly open: readonly string[]
  readonly page: number
}

/** The page size for timelines, and for events in one, so that ten thousand events cost no more than fifty. */
const timelinesPerPage = 15
const eventsPerTimeline = 80
const eventsRead = 10_000

export function inspector(world: World, view: View): Html {
  const timelines = timelinesOf(world.events.since(0, eventsRead)).filter((timeline) =>
    timelineContains(timeline, view.words),
  )
  const first = view.page * timelinesPerPage
  const shown = timelines.slice(first, first + timelinesPerPage)
  return html`<div class="timelines" data-key="timeline-count">
      <p class="note">
        ${timelines.length}
        ${timelines.length === 1 ? 'timeline' : 'timelines'}${view.words !== '' && ` with “${view.words}”`}.
        Events ${world.events.lastId()}, of which the last ten thousand are kept.
      </p>
    </div>
    ${shown.map((timeline) => timelineCard(timeline, view.open.includes(timeline.account)))}
    <div class="row" data-key="timeline-pages">
      ${view.page > 0 && pageButton(view.page - 1, 'Newer')}
      ${timelines.length > first + timelinesPerPage && pageButton(view.page + 1, 'Older')}
    </div>`
}

function pageButton(page: number, label: string): Html {
  return html`<button type="button" class="small" data-page="${String(page)}">${label}</button>`
}

function timelineCard(timeline: Timeline, isOpen: boolean): Html {
  const { account, events } = timeline
  return html`<details
    class="timeline"
    data-key="timeline-${account}"
    data-timeline="${account}"
    ${isOpen && html`open`}
  >
    <summary>${account === '' ? besides(timeline) : summary(timeline)}</summary>
    ${isOpen && timelineBody(timeline)}
    ${isOpen && events.length > eventsPerTimeline && html`<p class="note">Older ones: ${events.length - eventsPerTimeline}</p>`}
  </details>`
}

function besides({ events }: Timeline): Html {
  return html`<b>Everything else</b>
    <span class="note">${events.length} events: tokens, rules, clock</span>`
}

function summary(timeline: Timeline): Html {
  const { standing, title } = storyOf(timeline)
  const facts = timeline.events.find((event) => event.facts['amount'] !== undefined)?.facts ?? {}
  return html`<span class="badge ${standing}">${title}</span> <b>${timeline.account}</b>
    <span class="note">
      ${String(facts['msisdn'] ?? '')} · ${cents(facts['amount'])} · ${timeOf(timeline.events[0])}
    </span>`
}

function timelineBody(timeline: Timeline): Html {
  const { sentences } = storyOf(timeline)
  return html`${
      timeline.account !== '' &&
      html`<ul class="why" aria-label="Why">
        ${sentences.map((sentence) => html`<li>${sentence}</li>`)}
      </ul>`
    }
    <ol class="events">
      ${timeline.events.slice(-eventsPerTimeline).map(eventRow)}
    </ol>
    <p><a href="?timeline=${encodeURIComponent(timeline.account)}">Link to this timeline</a></p>`
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
