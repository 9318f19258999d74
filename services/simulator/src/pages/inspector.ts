import { html, type Html } from '@malipo/web/html'
import type { SimEvent } from '../inspector/rules/event-log'
import { exportScenario } from '../scenarios/export-scenario'
import { storyOf } from '../inspector/rules/timeline-story'
import { timelineContains, timelinesOf, type Timeline } from '../inspector/rules/timelines'
import { shopOf } from '../inspector/rules/shop'
import type { World } from '../sessions/rules/world'
import { describeEvent } from './describe-event'
import { sequenceDiagram } from './sequence-diagram'

export interface View {
  readonly words: string
  /** The texts that the words stand for: a timeline that contains any of them is shown. */
  readonly searched: readonly string[]
  readonly open: readonly string[]
  readonly page: number
}

/** How many timelines a page has, and how many events each shows, so that ten thousand events do not slow the page. */
const timelinesPerPage = 15
const eventsPerTimeline = 80
const eventsRead = 10_000

/** The timeline of an account, while it is remembered. */
export function timelineOf(world: World, account: string): Timeline | undefined {
  return timelinesOf(world.events.since(0, eventsRead)).find((one) => one.account === account)
}

export function inspector(world: World, view: View): Html {
  const timelines = timelinesOf(world.events.since(0, eventsRead)).filter((timeline) =>
    timelineContains(timeline, view.searched),
  )
  const first = view.page * timelinesPerPage
  const shown = timelines.slice(first, first + timelinesPerPage)
  return html`<div class="timelines" data-key="timeline-count">
      <p class="note">
        ${timelines.length}
        ${timelines.length === 1 ? 'timeline' : 'timelines'}${view.words !== '' && ` with “${view.words}”`}.
        Events ${world.events.lastId()}, of which the last ten thousand are kept.
        ${
          timelines.length === 0 &&
          view.words.startsWith('cs_') &&
          html`Providers are told no checkout's id. The timeline of one is found while its payment
          goes on and after it was paid; find one that failed by its phone.`
        }
      </p>
    </div>
    ${shown.map((timeline) => timelineCard(timeline, view.open.includes(timeline.account), world))}
    <div class="row" data-key="timeline-pages">
      ${view.page > 0 && pageButton(view.page - 1, 'Newer')}
      ${timelines.length > first + timelinesPerPage && pageButton(view.page + 1, 'Older')}
    </div>`
}

function pageButton(page: number, label: string): Html {
  return html`<button type="button" class="small" data-page="${String(page)}">${label}</button>`
}

function baseOf({ session }: World): string {
  return session.isHome ? '' : `/s/${session.name}`
}

function timelineCard(timeline: Timeline, isOpen: boolean, world: World): Html {
  const { account } = timeline
  return html`<details
    class="timeline"
    name="timeline"
    data-key="timeline-${account}"
    data-timeline="${account}"
    ${isOpen && html`open`}
  >
    <summary>${account === '' ? besides(timeline) : summary(timeline)}</summary>
    ${isOpen && timelineBody(timeline, world)}
  </details>`
}

function besides({ events }: Timeline): Html {
  return html`<b>Everything else</b>
    <span class="note"
      >${events.length} ${events.length === 1 ? 'event' : 'events'}: tokens, rules, clock</span
    >`
}

function summary(timeline: Timeline): Html {
  const { standing, title } = storyOf(timeline)
  const facts = timeline.events.find((event) => event.facts['amount'] !== undefined)?.facts ?? {}
  return html`<span class="badge ${standing}">${title}</span>
    <b>${shopOf(timeline.events) ?? timeline.account}</b>
    ${shopOf(timeline.events) !== undefined && html`<span class="account">${timeline.account}</span>`}
    <span class="note">
      ${String(facts['msisdn'] ?? '')} · ${cents(facts['amount'])} · ${timeOf(timeline.events[0])}
    </span>`
}

function timelineBody(timeline: Timeline, world: World): Html {
  const { sentences } = storyOf(timeline)
  const left = timeline.events.length - eventsPerTimeline
  return html`<div class="detail">
    ${
      timeline.account !== '' &&
      html`<h3>${shopOf(timeline.events) ?? 'Payment'} ${timeline.account}</h3>
        <ul class="why" aria-label="Why">
          ${sentences.map((sentence) => html`<li>${sentence}</li>`)}
        </ul>`
    }
    ${timeline.account !== '' && sequenceDiagram(timeline.events)}
    <ol class="events">
      ${timeline.events.slice(-eventsPerTimeline).map(eventRow)}
    </ol>
    ${left > 0 && html`<p class="note">Older ones: ${left}</p>`}
    <p class="row">
      <a href="?timeline=${encodeURIComponent(timeline.account)}">Link to this timeline</a>
      ${exportLink(timeline, world)}
    </p>
  </div>`
}

function exportLink(timeline: Timeline, world: World): Html {
  const exported = exportScenario(timeline, { phones: world.phones, rules: world.rules.all() })
  if (exported === undefined) return html``
  return exported.kind === 'impossible'
    ? html`<span class="note">No scenario file: ${exported.why}</span>`
    : html`<a
        href="${baseOf(world)}/sim/scenario?timeline=${encodeURIComponent(timeline.account)}"
        download
        >Export as scenario file</a
      >`
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
