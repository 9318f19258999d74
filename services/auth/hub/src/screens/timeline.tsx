import type { TimelineView } from '@malipo/interface/hub'
import { showExactMoment } from '../show'
import { eventsOf } from './timeline-events'

export function Timeline({ view }: { readonly view: TimelineView }) {
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
