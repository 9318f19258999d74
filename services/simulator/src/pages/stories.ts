import { html, type Html } from '@malipo/web/html'
import { magicNumbers, magicPrefixes } from '../faults/rules/magic'
import { packs } from '../faults/rules/packs'
import { storyOf } from './head-bar'
import type { Rules } from '../faults/rules/rules'
import type { Snapshot } from '../snapshots/rules/snapshot'

/** The ready-made scenarios, each started by one press. The running one shows what to do and what to look for. */
export function stories(rules: Rules): Html {
  const chosen = storyOf(rules)
  const all = [
    ['none', 'You answer the phones by hand.'],
    ...Object.entries(packs).map(([name, { about }]) => [name, about]),
  ]
  return html`<div data-key="stories">
    <div class="chips" role="group" aria-label="Stories">
      ${all.map(
        ([name = '', about = '']) =>
          html`<button
            type="button"
            class="chip"
            data-pack="${name}"
            title="${about}"
            aria-pressed="${name === chosen ? 'true' : 'false'}"
          >
            ${name}
          </button>`,
      )}
    </div>
  </div>`
}

/** The table of the magic numbers, which need no preparation. */
export function magicTable(): Html {
  return html`<details>
    <summary>Magic numbers: the last three digits say what happens</summary>
    <p class="note">
      Type one as the payer: ${magicPrefixes.map((prefix) => html`<code>${prefix}…</code> `)} and
      one of these. No other preparation.
    </p>
    <dl class="magic">
      ${magicNumbers.map(
        ({ digits, about }) =>
          html`<div>
            <dt>${digits}</dt>
            <dd>${about}</dd>
          </div>`,
      )}
    </dl>
  </details>`
}

export function scenes(snapshots: readonly Snapshot[]): Html {
  return html`<div data-key="scenes">
    ${
      snapshots.length > 0 &&
      html`<p class="row">
        ${snapshots
          .slice(-5)
          .map(
            ({ id, name, phones, rules }) =>
              html`<button type="button" class="small" data-restore="${id}">
                Put back ${name || id} (${phones.length} phones, ${rules.length} rules)
              </button>`,
          )}
      </p>`
    }
  </div>`
}
