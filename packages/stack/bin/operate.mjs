#!/usr/bin/env node
// `npm run operate`, `npm run audit`, `npm run reconcile`: what people do about money and accounts, and how they look at it.
import process from 'node:process'
import { parseArgs } from 'node:util'
import { setUp } from './set-up.mjs'

const help = `Usage: npm run operate -- WHAT [options]

  audit                        asks every invariant where it lives; fails when one does not hold
  reconcile --day 2026-11-20   the providers' word against the journal; fails when they differ
  suspense list                what could not be placed, the oldest first
  suspense show RECEIPT        all that became of a receipt, given as mpesa:QK12345678
  suspense apply RECEIPT       gives it to its owner: --checkout ID (exactly its amount) or --wallet ACCOUNT
  suspense refund RECEIPT      asks for a refund; --done: it went back at the provider already
  suspense approve REFUND      agrees to a refund that somebody else asked for
  suspense withdraw REFUND     takes it back
  suspense close REFUND        asks to write down how it ended, when the provider has not told for 72 hours: --paid or
                               --not-paid, with where that was seen as --note
  suspense approve-closing REFUND, suspense withdraw-closing REFUND: by somebody else, or takes it back
  pin forget USERNAME          takes away a PIN that is lost or locked, when its owner has proven who he is

  --as NAME        who you are; also OPERATOR of the environment. Everything is kept under it
  --note TEXT      why
  --country ke|ug  whose ledger; else by the receipt's provider, and Kenya for a refund
  --dir PATH       the folder of the stack (.stack). LEDGER_ADDRESS, COUNTRY and INTERNAL_SECRET name a ledger elsewhere,
                   ACCOUNTS_ADDRESS and INTERNAL_SECRET the accounts
  --help           this text

npm run audit is audit, and npm run reconcile is reconcile.
`

const options = {
  as: { type: 'string' },
  note: { type: 'string', default: '' },
  country: { type: 'string' },
  checkout: { type: 'string' },
  wallet: { type: 'string' },
  done: { type: 'boolean', default: false },
  paid: { type: 'boolean', default: false },
  'not-paid': { type: 'boolean', default: false },
  day: { type: 'string' },
  dir: { type: 'string', default: '.stack' },
  help: { type: 'boolean', default: false },
}

async function main() {
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  if (values.help || positionals.length === 0) return process.stdout.write(help)
  await setUp()
  const { openDoors } = await import('../dist/operations/ledgers.js')
  const { readOptions } = await import('../dist/config.js')
  const { dir } = readOptions(['--dir', values.dir], process.env)
  const operator = values.as ?? process.env.OPERATOR ?? ''
  const [what, verb, username] = positionals
  if (what === 'pin' && verb === 'forget') {
    const { findAccounts, forgetPin } = await import('../dist/operations/pins.js')
    const said = await forgetPin(findAccounts(dir, process.env), { username, operator })
    return process.stdout.write(`${said}\n`)
  }
  const doors = openDoors(dir, process.env)
  try {
    const { text, isGood } = await operate(doors, positionals, values)
    process.stdout.write(text)
    if (!isGood) process.exitCode = 1
  } finally {
    doors.close()
  }
}

async function operate(doors, [what, verb, subject = ''], values) {
  if (what === 'audit') {
    const { auditAll } = await import('../dist/operations/audit.js')
    const { table, holds } = await auditAll(doors)
    return { text: table, isGood: holds }
  }
  if (what === 'reconcile') {
    if (values.day === undefined) throw new Error('Which day? --day 2026-11-20')
    const { reconcileAll } = await import('../dist/operations/reconcile.js')
    const { table, holds } = await reconcileAll(doors, values.day)
    return { text: table, isGood: holds }
  }
  const act = what === 'suspense' ? verbs[verb] : undefined
  if (act === undefined) throw new Error(`There is no ${[what, verb].join(' ')}\n\n${help}`)
  const operator = values.as ?? process.env.OPERATOR ?? ''
  const { country, note } = values
  const suspense = await import('../dist/operations/suspense.js')
  return act({ suspense, doors, values, order: { subject, country, operator, note } })
}

const verbs = {
  list: async ({ suspense, doors }) => ({
    text: await suspense.listSuspense(doors, Date.now()),
    isGood: true,
  }),
  show: async ({ suspense, doors, order }) => ({
    text: await suspense.showReceipt(doors, order),
    isGood: true,
  }),
  apply: async ({ suspense, doors, order, values: { checkout, wallet } }) => {
    if ((checkout === undefined) === (wallet === undefined)) {
      throw new Error('Whose is it? --checkout ID or --wallet ACCOUNT')
    }
    const owner = checkout
      ? { $case: 'checkoutId', value: checkout }
      : { $case: 'accountId', value: wallet }
    return told(await suspense.applySuspense(doors, order, owner))
  },
  refund: async ({ suspense, doors, order, values }) =>
    told(await suspense.askRefund(doors, order, values.done)),
  approve: async ({ suspense, doors, order }) =>
    told(await suspense.decideRefund(doors, order, true)),
  withdraw: async ({ suspense, doors, order }) =>
    told(await suspense.decideRefund(doors, order, false)),
  close: async ({ suspense, doors, order, values }) => {
    if (values.paid === values['not-paid']) throw new Error('How did it end? --paid or --not-paid')
    return told(await suspense.askRefundClosing(doors, order, values.paid))
  },
  'approve-closing': async ({ suspense, doors, order }) =>
    told(await suspense.decideRefundClosing(doors, order, true)),
  'withdraw-closing': async ({ suspense, doors, order }) =>
    told(await suspense.decideRefundClosing(doors, order, false)),
}

function told({ said, isDone }) {
  return { text: `${said}\n`, isGood: isDone }
}

main().catch((error) => {
  const why = error.fields?.map(({ path, message }) => `${path} ${message}`).join(', ')
  process.stderr.write(`${why ? `Refused: ${why}` : error.message}\n`)
  process.exitCode = 1
})
