import type { CardRail, Rail, Refunds } from '@malipo/rails/rail'
import { providerDuration } from '@malipo/runtime/metrics'
import { openSpan } from '@malipo/runtime/telemetry'

/** The method names of a rail, as the metric `malipo_provider_seconds` labels them. */
type Call =
  | 'submit'
  | 'ask_status'
  | 'find_in_statement'
  | 'open_session'
  | 'send_refund'
  | 'ask_refund'
  | 'register_pay_bill'
  | 'list_payments'
  | 'draw_qr'

type Measure = <Outcome extends { readonly kind: string }>(
  call: Call,
  outcome: Promise<Outcome>,
) => Promise<Outcome>

/** Wraps a rail so that its calls are timed by rail, call and outcome. Arguments are passed on unchanged. */
export function measureRail(rail: Rail): Rail {
  const measure = measureOf(rail.name)
  const { payBill, drawQr, refunds } = rail
  return {
    ...rail,
    ...common(rail, measure),
    submit: (...given) => measure('submit', rail.submit(...given)),
    ...(refunds && { refunds: measureRefunds(refunds, measure) }),
    ...(drawQr && { drawQr: (wanted) => measure('draw_qr', drawQr(wanted)) }),
    ...(payBill && {
      payBill: {
        ...payBill,
        register: (...given) => measure('register_pay_bill', payBill.register(...given)),
        listPayments: (...given) => measure('list_payments', payBill.listPayments(...given)),
      },
    }),
  }
}

export function measureCardRail(rail: CardRail): CardRail {
  const measure = measureOf(rail.name)
  return {
    ...rail,
    ...common(rail, measure),
    openSession: (...given) => measure('open_session', rail.openSession(...given)),
    refunds: measureRefunds(rail.refunds, measure),
  }
}

function common(
  rail: Rail | CardRail,
  measure: Measure,
): Pick<Rail, 'askStatus' | 'findInStatement'> {
  return {
    askStatus: (...given) => measure('ask_status', rail.askStatus(...given)),
    findInStatement: (...given) => measure('find_in_statement', rail.findInStatement(...given)),
  }
}

function measureRefunds(refunds: Refunds, measure: Measure): Refunds {
  return {
    ...refunds,
    send: (...given) => measure('send_refund', refunds.send(...given)),
    ask: (...given) => measure('ask_refund', refunds.ask(...given)),
  }
}

/** Outcomes of a call that got no answer. */
const failures: ReadonlySet<string> = new Set(['not_sent', 'unknown', 'unanswered', 'not_opened'])

/** A rail returns provider and network errors instead of throwing; the result's kind is the outcome label. */
function measureOf(rail: Rail['name'] | CardRail['name']): Measure {
  return async (call, outcome) => {
    const stopTimer = providerDuration.startTimer({ rail, call })
    const span = openSpan(`${rail} ${call}`, { kind: 'CLIENT', attributes: { rail } })
    const ended = await outcome
    stopTimer({ outcome: ended.kind })
    span.end({ isError: failures.has(ended.kind), attributes: { outcome: ended.kind } })
    return ended
  }
}
