import type { Checkout } from '../merchant'
import type { Tester } from './tester'

/** How a story is played by hand, how its checkout ends, and the words of the inspector that explain the end. */
export interface Play {
  /** What the tester does after having chosen the story and opened the checkout's page. */
  act(tester: Tester): Promise<void>
  /** What the payer reads in the end. */
  readonly payerReads: RegExp
  /** What the merchant reads in the end. */
  readonly status: readonly Checkout['status'][]
  /** What the timeline of the payment shows: the badge, and the sentences that explain the end. */
  readonly badge: RegExp
  readonly why: readonly RegExp[]
}

const moved = /^Money moved, with receipt [\w.]+\.$/

const pay = (tester: Tester) => tester.pay()

const paid = {
  act: pay,
  payerReads: /Paid to/,
  status: ['completed'],
  badge: /^Paid$/,
  why: [moved],
} satisfies Play

const unpaid = { act: pay, payerReads: /No money was taken/, status: ['open'] } as const

const menuRefused = /^The menu payment was refused: .*the amount is wrong\.$/

const wrongAmount: Play = {
  ...unpaid,
  async act(tester) {
    await tester.pay()
    await tester.finds(menuRefused)
    await tester.pressNext(/rings out/)
  },
  badge: /^Prompt ignored$/,
  why: [menuRefused, /^The prompt ended: prompt ignored\.$/],
}

export const plays = {
  'happy-path': paid,
  'wrong-pin-then-success': {
    ...paid,
    async act(tester) {
      await tester.pay()
      await tester.reads(/Wrong PIN/)
      await tester.pay()
    },
  },
  'no-funds': {
    ...unpaid,
    badge: /^Not enough money$/,
    why: [/^The prompt ended: not enough money\.$/],
  },
  cancel: { ...unpaid, badge: /^Cancelled$/, why: [/^The prompt ended: cancelled\.$/] },
  ignore: {
    ...unpaid,
    async act(tester) {
      await tester.pay()
      await tester.pressNext(/rings out/)
    },
    badge: /^Prompt ignored$/,
    why: [/^The prompt ended: prompt ignored\.$/],
  },
  'callback-lost': {
    ...paid,
    why: [
      moved,
      /^The callback \(result (?:0|TS)\) was never sent\.$/,
      /^We were asked how it stands, and answered (?:0|TS)\.$/,
    ],
  },
  'paid-not-found': {
    ...paid,
    async act(tester) {
      await tester.pay()
      await tester.reads(/Do not pay again/)
    },
    why: [moved, /the answer to a status query is an error/],
  },
  // In Kenya, which has no MTN, this story only loses the callback. A db test of the worker plays MTN's move.
  'platform-move': {
    ...paid,
    why: [moved, /^The callback \(result 0\) was never sent\.$/],
  },
  'double-callback': {
    ...paid,
    why: [moved, /^The callback \(result (?:0|TS)\) was delivered.*2 times/],
  },
  'early-callback': {
    ...paid,
    why: [moved, /^By rule_\d+, the answer to a push waits for the callback\.$/],
  },
  'echoed-as-pay-bill': {
    ...paid,
    why: [moved, /^By rule_\d+, the callback is confirmed as Pay Bill too/],
  },
  'late-success': {
    ...paid,
    async act(tester) {
      await tester.pay()
      await tester.seesBadge(/^Paid$/)
      await tester.pressNext(/callback/)
    },
    why: [moved, /^By rule_\d+, the callback comes later\.$/],
  },
  'late-pay-bill': {
    ...paid,
    async act(tester) {
      await tester.pay()
      await tester.pressNext(/rings out/)
      await tester.pressNext(/menu/)
      await tester.finds(moved)
      await tester.checksThePage()
    },
    why: [moved, /^The prompt ended: prompt ignored\.$/],
  },
  'both-paid': { ...paid, badge: /^Paid 2 times$/, why: [moved, moved] },
  'part-payment': wrongAmount,
  'over-payment': wrongAmount,
  'two-tabs': {
    ...paid,
    async act(tester) {
      await tester.openSecondTab()
      await tester.pay()
      await tester.payInSecondTab()
      await tester.readsInSecondTab(/Paid to/)
    },
  },
  'provider-storm': {
    ...paid,
    // If only status queries were answered, the page repeats the provider's answer.
    payerReads: /Paid to|[Nn]o money was taken/,
    status: ['completed', 'open'],
    badge: /./,
    why: [/^By rule_|^The callback/],
  },
  'key-replaced': {
    ...paid,
    why: [moved, /the answer to a push is an error \(invalid token\)\.$/],
  },
} satisfies Readonly<Record<string, Play>>

/** The stories that Airtel knows: Uganda has no Pay Bill menu, and only MTN's platform moves. */
export const airtelStories: readonly (keyof typeof plays)[] = [
  'happy-path',
  'wrong-pin-then-success',
  'no-funds',
  'cancel',
  'ignore',
  'callback-lost',
  'paid-not-found',
  'double-callback',
  'early-callback',
  'late-success',
  'two-tabs',
  'provider-storm',
  'key-replaced',
]
