import { html, type Html } from '@malipo/web/html'
import { packs } from '../faults/rules/packs'
import type { Rules } from '../faults/rules/rules'
import type { Simulation } from '../sessions/simulation-host'

/** The bar at the top: session, seed, clock and the next timer. */
export function headBar(simulation: Simulation): Html {
  const { world } = simulation
  const { nowMs, speed, paused, next, nextInMs, waiting } = simulation.clock.read()
  const pace = paused ? 'paused' : `× ${String(speed)}`
  const ringing = [...world.phones.all()].filter(
    ({ prompt }) => prompt?.shown === true && !prompt.ignored,
  )
  return html`<div
    class="state"
    data-key="state"
    data-now="${String(Math.round(nowMs))}"
    data-speed="${paused ? '0' : String(speed)}"
  >
    <p class="facts">
      <span>Session <b>${world.session.name}</b></span>
      <span>Seed <code>${world.seed}</code></span>
      <span>Clock <b>${pace}</b></span>
      <span>Payments in the book <b>${world.book.size()}</b></span>
      <span>Rules <b>${world.rules.all().length}</b></span>
    </p>
    ${playing(world.rules)}
    <p class="next">
      ${
        next !== null && nextInMs !== null
          ? html`Next: ${next} in
              <b data-expires="${String(Math.round(nowMs + nextInMs))}"></b
              >${waiting > 1 && `, then ${String(waiting - 1)} more`}
              <button type="button" class="small" data-next>Next event now</button>`
          : 'Nothing is scheduled.'
      }
    </p>
    <p class="ringing-now" role="status">
      ${
        ringing.length > 0 &&
        html`Rings:
        ${ringing
          .slice(0, 3)
          .map(({ msisdn, name }) => html`<a href="#phone-${msisdn}">${name}</a> `)}`
      }
      ${ringing.length > 3 && `and ${String(ringing.length - 3)} more`}
    </p>
  </div>`
}

/** What the chosen story does, and what to look for. */
function playing(rules: Rules): Html | false {
  const name = storyOf(rules)
  const pack = packs[name]
  return pack !== undefined && html`<p class="playing"><b>${name}</b> ${pack.about} ${pack.see}</p>`
}

/** The story whose rules are active; `none` when no story is. */
export function storyOf(rules: Rules): string {
  return rules.all().find(({ pack }) => pack !== undefined)?.pack ?? 'none'
}

export function clockButtons(): Html {
  return html`<div class="row" role="group" aria-label="Clock">
    <button type="button" class="small" data-clock='{"paused":true}'>Pause</button>
    <button type="button" class="small" data-clock='{"paused":false,"speed":1}'>Run</button>
    <button type="button" class="small" data-clock='{"paused":false,"speed":10}'>× 10</button>
    <button type="button" class="small" data-clock='{"jump_ms":60000}'>+ 1 min</button>
  </div>`
}

export function worldButtons(): Html {
  return html`<div class="row" role="group" aria-label="Simulation">
    <button type="button" class="small" data-snapshot>Save snapshot</button>
    <button type="button" class="small" data-reproduce>Reproduce seed</button>
    <button type="button" class="small" data-reset>Reset, new seed</button>
  </div>`
}
