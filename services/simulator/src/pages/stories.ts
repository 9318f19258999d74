import { html, type Html } from '@malipo/web/html'
import { magicNumbers, magicPrefixes } from '../domain/magic'
import { packs } from '../domain/packs'
import type { Rules } from '../domain/rules'
import type { Snapshot } from '../domain/snapshot'

/** The ready-made scenarios, each started by one press. The running one shows what to do and what to look for. */
export function stories(rules: Rules): Html {
  const chosen = rules.all().find(({ pack }) => pack !== undefined)?.pack ?? 'none'
  const all = [
    ['none', 'You answer the phones by hand.'],
    ...Object.entries(packs).map(nameAndAbout),
  ]
  return html`<div data-key="stories">
    <p class="playing">
      ${
        chosen === 'none'
          ? 'No story plays: answer the phones by hand, or choose one.'
          : html`<b>${chosen}</b> ${packs[chosen]?.about} <br />${packs[chosen]?.see}`
      }
    </p>
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

function nameAndAbout([name, { about }]: [string, { about: string }]): readonly string[] {
  return [name, about]
}

/** Numbers that need no preparation. */
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
