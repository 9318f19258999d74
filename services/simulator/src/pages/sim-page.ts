import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { html, render, trusted, type Html } from '@malipo/web/html'
import { layout } from '@malipo/web/layout'
import { darkTokens, tokens } from '@malipo/web/styles'
import compression from 'compression'
import express, { type Request, type Response, type Router } from 'express'
import { z } from 'zod'
import type { Phone } from '../phones/rules/phone'
import type { Rail } from '../providers/rules/rail'
import { namedSession } from '../wire/session-middleware'
import type { Sessions } from '../sessions/sessions'
import type { SimulationHost } from '../sessions/simulation-host'
import { clockButtons, headBar, worldButtons } from './head-bar'
import { exportScenario } from '../scenarios/export-scenario'
import { inspector, timelineOf, type View } from './inspector'
import { phoneCard } from './phone-card'
import { ruleBuilder, ruleList } from './rule-builder'
import type { SearchFor } from './find-checkout'
import { streamChanges } from './stream-changes'
import { magicTable, scenes, stories } from './stories'

const fileHere = (name: string) => readFileSync(join(__dirname, name), 'utf8')
const styles =
  tokens +
  darkTokens +
  ['sim-page', 'workbench', 'phones', 'inspector'].map((name) => fileHere(`${name}.css`)).join('')
const scripts = ['live', 'actions', 'rules', 'inspector'].map((name) =>
  fileHere(`${name}.client.mjs`),
)

/** A page of thousands of phones is unusable: load tests add that many, and use the control API. */
const phonesShown = 40

type TypedView = Omit<View, 'searched'>

const viewShape = z
  .object({
    words: z.string().max(200).catch(''),
    timeline: z.string().max(64).optional().catch(undefined),
    open: z.union([z.string().transform((one) => [one]), z.array(z.string())]).catch([]),
    page: z.coerce.number().int().min(0).max(1_000).catch(0),
  })
  .transform(({ timeline, ...view }): TypedView => {
    return timeline === undefined ? view : { words: timeline, open: [timeline], page: 0 }
  })

const accountShape = z.string().max(64).catch('')

/** The tester's page: phones with their prompts, scenarios, rules, the clock, and the causes of each result. */
export function simPage(sessions: Sessions, searchFor: SearchFor): Router {
  const router = express.Router()
  const hostOf = (request: Request) => namedSession(request)?.host ?? sessions.home
  const compressed = compression()
  const viewOf = async ({ query }: Request): Promise<View> => {
    const view = viewShape.parse(query)
    return { ...view, searched: await searchFor(view.words) }
  }
  router.get('/', compressed, async (request, response) => {
    const nonce = randomBytes(16).toString('base64')
    const base = namedSession(request)?.base ?? ''
    const body = wholePage(hostOf(request), { nonce, base, view: await viewOf(request) })
    protect(response, nonce).send(
      layout({ lang: 'en', title: 'Malipo simulator', nonce, styles, body }),
    )
  })
  // The script replaces these parts after each event.
  router.get('/sim/live', compressed, async (request, response) => {
    const view = await viewOf(request)
    protect(response, '').send(render(html`${Object.values(liveLists(hostOf(request), view))}`))
  })
  router.get('/sim/scenario', (request, response, next) => {
    const { world } = hostOf(request).current()
    const account = accountShape.parse(request.query['timeline'])
    const timeline = timelineOf(world, account)
    const exported =
      timeline && exportScenario(timeline, { phones: world.phones, rules: world.rules.all() })
    if (exported === undefined) next()
    else if (exported.kind === 'impossible')
      response.status(409).type('text').send(`No scenario file: ${exported.why}`)
    else {
      // The account is a merchant's text, so characters that a file name must not have are replaced.
      response
        .attachment(`${account.replace(/[^\w-]/g, '_')}.yaml`)
        .type('text/yaml')
        .send(exported.text)
    }
  })
  router.get('/sim/changes', streamChanges(hostOf))
  return router
}

function protect(response: Response, nonce: string): Response {
  const ours = nonce === '' ? "'none'" : `'nonce-${nonce}'`
  return response.type('html').set({
    'content-security-policy': `default-src 'none'; script-src ${ours}; style-src ${ours}; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  })
}

interface Around {
  readonly nonce: string
  /** `/s/NAME`, the prefix of this session's addresses; empty for the home session. */
  readonly base: string
  readonly view: View
}

function wholePage(host: SimulationHost, { nonce, base, view }: Around): Html {
  const { rails } = host.current()
  const lists = liveLists(host, view)
  return html`<header>
      <p class="banner" role="note">This is a simulator. No money moves here.</p>
      <div class="top" id="top" data-base="${base}">
        <div class="tools">
          <h1>Provider simulator</h1>
          ${clockButtons()} ${worldButtons()} ${panels(lists, rails)}
          <a href="${base}/sim/v1/openapi.json">API</a>
        </div>
        ${lists.state}
        <p class="announcement" role="status" data-announcement></p>
      </div>
    </header>
    <main>
      <noscript
        ><p class="banner">This page needs JavaScript; the control API does not.</p></noscript
      >
      <section id="phones" aria-labelledby="phones-title">
        <div class="row">
          <h2 id="phones-title">Phones</h2>
          <button type="button" class="small" data-add-phone>Add a phone</button>
        </div>
        ${lists.phones}
      </section>
      <section id="inspector" aria-labelledby="inspector-title">
        <h2 id="inspector-title">Payments</h2>
        <label class="filter">
          Filter payments by
          <input
            type="search"
            data-words
            value="${view.words}"
            placeholder="account, shop, phone, receipt, cs_ or pi_ id"
          />
        </label>
        ${lists.timelines}
      </section>
      <p class="empty-detail note" aria-hidden="true">
        Open a payment: why it ended as it did, and every call and callback.
      </p>
    </main>
    ${scripts.map(
      (script) =>
        html`<script type="module" nonce="${nonce}">
          ${trusted(script)}
        </script>`,
    )}`
}

/** What opens over the page: stories, rules, and the payer's page. */
function panels(lists: ReturnType<typeof liveLists>, rails: readonly Rail[]): Html {
  return html`<details class="panel stories-panel" id="stories">
      <summary>Stories</summary>
      <div class="sheet">
        <p class="note">Choose one, then pay with the number of a phone.</p>
        ${lists.stories} ${lists.scenes} ${magicTable()}
      </div>
    </details>
    <details class="panel rules-panel" id="rules">
      <summary>Rules</summary>
      <div class="sheet">
        ${lists.rules} ${ruleBuilder([...new Set(rails.flatMap(({ errorNames }) => errorNames))])}
      </div>
    </details>
    <details class="panel pay-panel" id="pay">
      <summary>Pay</summary>
      <div class="sheet">
        <form data-pay class="row">
          <label>
            Address of a checkout or of a shop's page
            <input name="address" type="url" required placeholder="http://localhost:4000/…" />
          </label>
          <button type="submit" class="small">Open beside</button>
        </form>
        <p class="note">The payer's page opens in a narrow window; pay there by a number below.</p>
      </div>
    </details>`
}

/** The lists whose items are replaced one by one, so that a half-typed PIN survives an update of another phone. */
function liveLists(host: SimulationHost, view: View) {
  const simulation = host.current()
  const { world } = simulation
  return {
    state: list('state', headBar(simulation)),
    stories: list('stories', stories(world.rules)),
    scenes: list('scenes', scenes(host.snapshots)),
    phones: list('phones', phoneCards([...world.phones.all()])),
    timelines: list('timelines', inspector(world, view)),
    rules: list('rules', ruleList(world.rules)),
  }
}

function list(name: string, parts: Html): Html {
  return html`<div class="${name}" data-list="${name}">${parts}</div>`
}

function phoneCards(phones: readonly Phone[]): Html {
  const left = phones.length - phonesShown
  // Ringing phones come first, because they wait for the tester.
  const ringing = phones.filter(({ prompt }) => prompt?.shown === true && !prompt.ignored)
  const shown = [...new Set([...ringing, ...phones])].slice(0, phonesShown)
  return html`${shown.map(phoneCard)}
  ${left > 0 && html`<p class="note" data-key="more">${left} more phones, by the control API.</p>`}`
}
