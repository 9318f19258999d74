import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { html, render, type Html } from '@malipo/web/html'
import { layout } from '@malipo/web/layout'
import { tokens } from '@malipo/web/styles'
import express, { type Request, type Response, type Router } from 'express'
import { packs } from '../domain/packs'
import type { Rules } from '../domain/rules'
import type { Sessions } from '../rails/sessions'
import type { Simulation } from '../rails/stage'
import { namedSession } from '../http/session-door'
import { eventList } from './event-list'
import { phoneCard } from './phone-card'

const styles = tokens + readFileSync(join(__dirname, 'phone-page.css'), 'utf8')
const script = readFileSync(join(__dirname, 'phone-page.client.mjs'), 'utf8')

/** A page of thousands of phones helps nobody: load tests fill the shelf, and use the control API. */
const phonesShown = 40

/** The tester's page: every phone with its prompt, the clock, the stories, and what happened. */
export function phonePage(sessions: Sessions): Router {
  const stageOf = (request: Request) => namedSession(request)?.stage ?? sessions.home
  const router = express.Router()
  router.get('/', (request, response) => {
    const nonce = randomBytes(16).toString('base64')
    const body = wholePage(stageOf(request).current())
    protect(response, nonce).send(
      layout({ lang: 'en', title: 'Malipo simulator', nonce, styles, script, body }),
    )
  })
  // What the script puts in place of the old parts when something has happened.
  router.get('/sim/live', (request, response) => {
    protect(response, '').send(render(live(stageOf(request).current())))
  })
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

function wholePage(simulation: Simulation): Html {
  return html`<p class="banner" role="note">This is a simulator. No money moves here.</p>
    <header class="top">
      <h1>Providers, played</h1>
      <div class="row" role="group" aria-label="Clock">
        <button type="button" class="small" data-clock='{"paused":true}'>Pause</button>
        <button type="button" class="small" data-clock='{"paused":false,"speed":1}'>Run</button>
        <button type="button" class="small" data-clock='{"paused":false,"speed":10}'>× 10</button>
        <button type="button" class="small" data-clock='{"jump_ms":60000}'>+ 1 min</button>
        <button type="button" class="small" data-reset>Reset</button>
      </div>
      <p class="note" role="status" data-said></p>
    </header>
    <noscript><p class="banner">This page needs JavaScript; the control API does not.</p></noscript>
    <main id="live">${live(simulation)}</main>
    <footer><a href="/sim/v1/openapi.json">Control API</a></footer>`
}

/** Every part with a `data-key` is replaced alone, so that half a PIN survives news about another phone. */
function live(simulation: Simulation): Html {
  const { world } = simulation
  const { nowMs, speed, paused } = simulation.clock.read()
  const phones = [...world.shelf.all()]
  return html`<p
      class="note"
      data-key="state"
      data-now="${String(Math.round(nowMs))}"
      data-speed="${paused ? '0' : String(speed)}"
    >
      Seed <code>${world.seed}</code> · ${paused ? 'clock paused' : `clock × ${String(speed)}`} ·
      ${world.book.size()} payments in the book · ${world.rules.all().length} rules
    </p>
    ${storyChoice(world.rules)}
    <div class="phones">
      ${phones.slice(0, phonesShown).map(phoneCard)}
      ${
        phones.length > phonesShown &&
        html`<p class="note" data-key="more">
          ${phones.length - phonesShown} more phones, by the control API.
        </p>`
      }
    </div>
    ${eventList(world.events)}`
}

function storyChoice(rules: Rules): Html {
  const chosen = rules.all().find(({ pack }) => pack !== undefined)?.pack ?? 'none'
  const stories = [['none', 'people answer by hand'], ...storiesOf(packs)]
  return html`<div class="story" data-key="story">
    <label for="pack">Story</label>
    <select id="pack" data-pack>
      ${stories.map(
        ([name = '', about = '']) =>
          html`<option value="${name}" ${name === chosen && html`selected`}>
            ${name}: ${about}
          </option>`,
      )}
    </select>
  </div>`
}

function storiesOf(all: typeof packs): readonly (readonly string[])[] {
  return Object.entries(all).map(([name, { about }]) => [name, about])
}
