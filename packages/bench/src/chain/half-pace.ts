import { setTimeout as wait } from 'node:timers/promises'
import { openSimulatorControl } from '@malipo/testing/simulator-control'
import { Connection } from '../connection'
import { percentile } from '../overload/answers'
import type { Merchants } from './merchants'
import type { Payer } from './payers'
import type { HalfPace } from './report'
import { type Paid, pay, requestsOfPayment } from './units'

export interface HalfPaceOptions {
  readonly port: number
  readonly simulatorUrl: string
  readonly merchants: Merchants
  readonly nextPayer: () => Payer
  readonly paymentsPerSecond: number
  readonly seconds: number
}

/** Begins payments by the clock, whether or not earlier ones ended. Measures the time from callback to merchant. */
export async function measureHalfPace(options: HalfPaceOptions): Promise<HalfPace> {
  const { merchants, paymentsPerSecond, seconds } = options
  const simulator = openSimulatorControl(options.simulatorUrl)
  const since = (await simulator.events()).at(-1)?.id ?? 0
  const payments = Math.ceil(paymentsPerSecond * seconds)
  const paid = await merchants.withBudget(payments * requestsOfPayment, (accountOf) =>
    payByTheClock(options, payments, (payment) => accountOf(payment * requestsOfPayment).secretKey),
  )
  const sentAt = new Map(
    (await simulator.events(since))
      .filter(({ kind }) => kind === 'callback_delivered')
      .map(({ at, facts }) => [
        String(facts['msisdn']),
        Date.parse(at) - Number(facts['took_ms'] ?? 0),
      ]),
  )
  const completedMs = paid
    .flatMap(({ phone, completedAt }) => {
      const sent = sentAt.get(phone)
      return sent === undefined ? [] : [completedAt - sent]
    })
    .sort((one, other) => one - other)
  if (completedMs.length < paid.length) throw new Error('the simulator forgot some callbacks')
  const createdMs = paid.map((it) => it.createdAfterMs).sort((one, other) => one - other)
  return {
    paymentsPerSecond,
    completedP50Ms: percentile(completedMs, 0.5),
    completedP99Ms: percentile(completedMs, 0.99),
    createdP99Ms: percentile(createdMs, 0.99),
  }
}

async function payByTheClock(
  { port, nextPayer, paymentsPerSecond }: HalfPaceOptions,
  payments: number,
  secretKeyOf: (payment: number) => string,
): Promise<readonly Paid[]> {
  const beganAt = performance.now()
  const underWay: Promise<Paid>[] = []
  const payOnce = async (payment: number) => {
    const connection = new Connection(port)
    const paid = await pay(connection, { secretKey: secretKeyOf(payment), ...nextPayer() })
    connection.close()
    return paid
  }
  for (let payment = 0; payment < payments; payment += 1) {
    const dueAt = beganAt + (payment * 1_000) / paymentsPerSecond
    await wait(Math.max(0, dueAt - performance.now()))
    underWay.push(payOnce(payment))
  }
  return Promise.all(underWay)
}
