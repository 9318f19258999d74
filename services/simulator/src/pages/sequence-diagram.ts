import { html, type Html } from '@malipo/web/html'
import type { SimEvent } from '../inspector/rules/event-log'
import { type Message, participants, sequenceOf } from '../inspector/rules/sequence'

const width = 480
const headHeight = 34
const rowHeight = 30
/** The most messages in a diagram, because a load test has thousands. */
const rowsMax = 40

const middleOf = (index: number) => 70 + (index * (width - 140)) / (participants.length - 1)

/** The payment as a sequence diagram. The events below it say the same in words. */
export function sequenceDiagram(events: readonly SimEvent[]): Html | false {
  const messages = sequenceOf(events).slice(-rowsMax)
  if (messages.length === 0) return false
  const height = headHeight + messages.length * rowHeight + 10
  return html`<svg
    class="sequence"
    viewBox="0 0 ${String(width)} ${String(height)}"
    role="img"
    aria-label="Sequence diagram: ${messages.map(({ from, to, text }) => `${from} to ${to}, ${text}`).join('; ')}"
  >
    ${participants.map((name, index) => {
      const x = String(middleOf(index))
      return html`<text x="${x}" y="16" text-anchor="middle" class="who">${name}</text>
        <line x1="${x}" x2="${x}" y1="24" y2="${String(height)}" class="life" />`
    })}
    ${messages.map(arrow)}
  </svg>`
}

function arrow({ from, to, text, isBad }: Message, row: number): Html {
  const start = middleOf(participants.indexOf(from))
  const end = middleOf(participants.indexOf(to))
  const y = headHeight + row * rowHeight + 20
  const back = end > start ? -7 : 7
  return html`<g class="${isBad ? 'bad' : 'good'}">
    <text x="${String((start + end) / 2)}" y="${String(y - 5)}" text-anchor="middle">${text}</text>
    <line x1="${String(start)}" x2="${String(end)}" y1="${String(y)}" y2="${String(y)}" />
    <path d="M${String(end)} ${String(y)}l${String(back)} -4v8z" />
  </g>`
}
