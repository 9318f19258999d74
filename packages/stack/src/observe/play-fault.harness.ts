import { eventually } from '@malipo/testing/eventually'
import { playMainJob } from '../demo'
import type { StackFile } from '../stack-file'
import type { Fault, Observed } from './faults.harness'

/** Alerts that other programs on the same machine may cause, so they are no result of a fault. */
const ofTheMachine = new Set(['event-loop-slow', 'provider-slow'])

interface Alert {
  readonly labels: { readonly alertname: string }
}

/** The alerts that reach an operator: those that no other one silences. */
export async function alertsOf(stack: StackFile, wanted?: string): Promise<string[]> {
  const url = `${stack.alertmanager?.url ?? ''}/api/v2/alerts?active=true&silenced=false&inhibited=false`
  const alerts = (await (await fetch(url)).json()) as readonly Alert[]
  const names = new Set(alerts.map(({ labels }) => labels.alertname))
  return [...names].filter((name) => name === wanted || !ofTheMachine.has(name)).sort()
}

export interface Raised {
  readonly fault: string
  /** The alert that has to come; empty for a fault that heals before any alert. */
  readonly wanted: string
  readonly alerts: readonly string[]
  readonly seconds: number
}

const raisedWithinMs = 120_000
/** The longest wait for recovery after a fault: its alerts stay for up to eight minutes. */
const healedWithinMs = 600_000
/** How long a fault goes on after its alert, so that any second alert would come too. */
const heldMs = 30_000
/** A fault this short may raise no alert: most wait for a minute at least, and the others need more than it causes. */
const blipMs = 20_000
/** How long alerts are watched for after such a short fault: any that it could raise comes within this time. */
const watchedMs = 100_000

/** Keeps up a fault until its alert has come, and some time longer; then ends it and waits for a completed payment. */
export async function playFault(observed: Observed, fault: Fault): Promise<Raised> {
  const traffic = startTraffic(observed.stack)
  await traffic.untilPaid()
  const end = await fault.begin(observed)
  const from = performance.now()
  const { seen, poll } = watchAlerts(observed, fault.alert)
  const hasCome = async () => (await poll(), seen.has(fault.alert))
  await eventually(`an alert of ${fault.name}`, hasCome, raisedWithinMs, 1_000).catch(
    () => undefined,
  )
  const seconds = Math.round((performance.now() - from) / 1_000)
  await pollFor(poll, heldMs)
  await end()
  await traffic.untilPaid()
  await traffic.stop()
  return { fault: fault.name, wanted: fault.alert, alerts: [...seen].sort(), seconds }
}

/** Pays until no alert is left, or for ten minutes. Returns the alerts that were there in that time. */
export async function untilQuiet(observed: Observed): Promise<string[]> {
  const traffic = startTraffic(observed.stack)
  const { seen, poll } = watchAlerts(observed)
  const isQuiet = async () => (await poll(), (await alertsOf(observed.stack)).length === 0)
  await eventually('no alert is left', isQuiet, healedWithinMs, 1_000).catch(() => undefined)
  await traffic.stop()
  return [...seen].sort()
}

/** Ends a fault after a short time, and watches what it raises. */
export async function playBlip(observed: Observed, fault: Fault): Promise<Raised> {
  const traffic = startTraffic(observed.stack)
  await traffic.untilPaid()
  const end = await fault.begin(observed)
  const { seen, poll } = watchAlerts(observed)
  await pollFor(poll, blipMs)
  await end()
  await pollFor(poll, watchedMs)
  await traffic.untilPaid()
  await traffic.stop()
  const name = `${fault.name}, ${String(blipMs / 1_000)} s`
  return { fault: name, wanted: '', alerts: [...seen].sort(), seconds: 0 }
}

function watchAlerts(observed: Observed, wanted?: string) {
  const seen = new Set<string>()
  const poll = async () => {
    for (const name of await alertsOf(observed.stack, wanted)) seen.add(name)
  }
  return { seen, poll }
}

async function pollFor(poll: () => Promise<void>, forMs: number): Promise<void> {
  const until = performance.now() + forMs
  const isOver = async () => (await poll(), performance.now() > until)
  await eventually('the time is over', isOver, forMs + healedWithinMs, 1_000)
}

/** The time between two payments, within what a merchant may ask for in a minute. Payments during a fault may fail. */
const paymentEveryMs = 1_500

function startTraffic(stack: StackFile) {
  const payments = new Set<Promise<void>>()
  let paid = 0
  const pay = () => {
    const payment = playMainJob(stack, () => undefined)
      .then(() => void paid++)
      .catch(() => undefined)
      .finally(() => payments.delete(payment))
    payments.add(payment)
  }
  let isOver = false
  const payInTurn = async () => {
    for (let dueMs = performance.now(); !isOver; dueMs += paymentEveryMs) {
      await eventually('the next payment is due', () => isOver || performance.now() >= dueMs)
      pay()
    }
  }
  const paying = payInTurn()
  return {
    /** Resolves at the next completed payment. Without payments many faults would change nothing that is measured. */
    async untilPaid() {
      const from = paid
      await eventually('a payment completes', () => paid > from, healedWithinMs)
    },
    async stop() {
      isOver = true
      await paying
      await Promise.all(payments)
    },
  }
}
