#!/usr/bin/env node
// `npm run operate`, `audit` and `reconcile`: how operators act on money and accounts, and how they look at them.
import { existsSync } from 'node:fs'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { cellIn } from './operate-cell.mjs'
import { help, helpOf, shapes } from './operate-help.mjs'
import { options } from './operate-options.mjs'

async function main() {
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  if (values.help || positionals.length === 0) return process.stdout.write(helpOf(positionals))
  await setUpClone()
  const { readOptions } = await import('../dist/config.js')
  const { dir } = readOptions(['--dir', values.dir], process.env)
  const [what, verb] = positionals
  const act = acts[what]?.[verb] ?? acts[what]?.['']
  if (act === undefined) throw new Error(`There is no ${[what, verb].join(' ')}\n\n${help}`)
  const { text, isGood } = await act({ dir, values, positionals })
  process.stdout.write(text)
  if (!isGood) process.exitCode = 1
}

/** Builds what is missing in a clone of the repository. A container image has no clone, and all of it is built. */
async function setUpClone() {
  if (!existsSync(new URL('../../../pnpm-workspace.yaml', import.meta.url))) return
  const { setUp } = await import('./set-up.mjs')
  await setUp()
}

/** A command that only reads, so it needs no operator key. */
const read = (ask) => async (given) => {
  const { openConnections } = await import('../dist/operations/ledgers.js')
  const where = { cell: await cellIn(given.values), country: given.values.country }
  return asking(openConnections(given.dir, process.env, where), (connections) =>
    ask(connections, given),
  )
}

/** A list, with ages at this moment. */
const listed = (load, name) =>
  read(async (connections) => (await load())[name](connections, Date.now()))

/** Each call of a command that acts is signed by the operator's key. */
async function signing(given, ask) {
  const { openConnections } = await import('../dist/operations/ledgers.js')
  const [identity, cell] = [await openIdentity(given), await cellIn(given.values)]
  const where = { cell, country: given.values.country }
  return asking(openConnections(given.dir, process.env, { identity, ...where }), ask)
}

/** A command that acts on money. `detailsOf` reads what its function in acts.ts takes beside the order. */
const money =
  (name, detailsOf = () => undefined) =>
  async (given) => {
    const { country, note } = given.values
    if (note.trim() === '') {
      throw new Error('Why? --note TEXT: each act with money is kept with its reason')
    }
    const { suggestOtherCountry } = await import('../dist/operations/ledgers.js')
    const operations = await import('../dist/operations/acts.js')
    const [, , subject = ''] = given.positionals
    const order = { subject, country, note }
    return signing(given, async (connections) => {
      const done = await operations[name](
        connections,
        order,
        detailsOf(given.values, given.positionals),
      )
      return resultOf(suggestOtherCountry(done, connections, order))
    })
  }

/** A command that acts on an operator. It goes to every ledger, so there is no other country to suggest. */
const onOperator =
  (name, detailsOf = () => undefined) =>
  async (given) => {
    const operations = await operatorActs()
    const [, , subject = ''] = given.positionals
    return signing(given, async (connections) =>
      resultOf(await operations[name](connections, subject, detailsOf(given))),
    )
  }

const [yes, no] = [() => true, () => false]

const operatorActs = () => import('../dist/operations/operators.js')
const suspenseLists = () => import('../dist/operations/suspense.js')

function endOf(values) {
  if (values.paid === values['not-paid']) throw new Error('How did it end? --paid or --not-paid')
  return values.paid
}

function ownerOf({ checkout, wallet }) {
  if ((checkout === undefined) === (wallet === undefined)) {
    throw new Error('Whose is it? --checkout ID or --wallet ACCOUNT')
  }
  return checkout ? { $case: 'checkoutId', value: checkout } : { $case: 'accountId', value: wallet }
}

function seenIn({ receipt, amount }) {
  if (receipt === undefined || amount === undefined) {
    throw new Error('What does the portal show? --receipt RECEIPT --amount 500.00')
  }
  return { receipt, amount }
}

function isOnIn(_, [, , , state]) {
  if (state !== 'on' && state !== 'off') throw new Error('On or off? wallet cards ACCOUNT on')
  return state === 'on'
}

async function asking(connections, ask) {
  try {
    return await ask(connections)
  } finally {
    connections.close()
  }
}

async function openIdentity({ dir, values }) {
  const { findIdentityFile, openIdentityFile, readPassphrase } =
    await import('../dist/operations/identity.js')
  const file = findIdentityFile(dir, values.identity ?? process.env.OPERATOR_IDENTITY)
  return openIdentityFile(file, await readPassphrase(process.env, { isNew: false }))
}

async function enroll({ dir, values, positionals: [, name] }) {
  if (name === undefined) throw new Error('Who are you? enroll NAME')
  const { enroll: enrollKey } = await import('../dist/operations/enroll.js')
  const { findIdentityFile } = await import('../dist/operations/identity.js')
  const file = findIdentityFile(dir, values.identity ?? name)
  return resultOf(await enrollKey({ dir, environment: process.env, name, file }))
}

async function restored(given) {
  const { dir, values } = given
  const { country, note } = values
  if (country !== 'ke' && country !== 'ug') throw new Error('Whose database? --country ke or ug')
  if (note.trim() === '') throw new Error('From which backup, and why? --note TEXT')
  const { acceptCopy } = await import('../dist/operations/restored.js')
  return {
    text: `${acceptCopy(dir, { country, cell: await cellIn(given.values) }, note)}\n`,
    isGood: true,
  }
}

async function findFiles({ dir, values }) {
  const { findDetachedFiles } = await import('../dist/operations/detached-files.js')
  return findDetachedFiles(dir, values.detached, process.env)
}

async function detach(given) {
  const { country, month, note } = given.values
  if (country !== 'ke' && country !== 'ug') throw new Error('Whose database? --country ke or ug')
  if (note.trim() === '') throw new Error('Why? --note TEXT: it is kept with the month')
  const { dirOf, ownerUrl } = await findFiles(given)
  const place = { country, cell: (await cellIn(given.values)) ?? 0 }
  const { detachMonth, detachNewest } = await import('../dist/retention/detach-month.js')
  const order = {
    ...{ databaseUrl: ownerUrl(place), country, dir: dirOf(place), note },
    onProgress: (line) => process.stderr.write(`${line}\n`),
  }
  const files =
    month === undefined
      ? await detachNewest(order, new Date())
      : [await detachMonth({ ...order, month })]
  return { text: `${files.join('\n')}\n`, isGood: true }
}

/** A command that acts on the PIN or the password of an account. Its calls are signed too. */
const onAccount = (load, name, isAgreed) => async (given) => {
  const { findAccounts } = await import('../dist/operations/accounts.js')
  const operations = await load()
  const [what, verb, username] = given.positionals
  if (username === undefined) throw new Error(`Whose account? ${what} ${verb} USERNAME`)
  const elsewhere = findAccounts(given.dir, process.env)
  const accounts = { elsewhere, identity: await openIdentity(given) }
  return resultOf(await operations[name](accounts, username, isAgreed))
}

const pinActs = () => import('../dist/operations/pins.js')

/** A command about providers, which needs no stack and no operator's key. */
const onProviders = (act) => async (given) => (await import('./providers.mjs'))[act](given)

const acts = {
  provider: {
    check: onProviders('checkProviders'),
    register: onProviders('registerUrls'),
    encrypt: onProviders('encryptCredential'),
    'pull-register': onProviders('registerPull'),
  },
  audit: {
    '': read(async (connections, given) => {
      const { auditAll } = await import('../dist/operations/audit.js')
      const { standby: onStandby } = given.values
      const detached = given.values.detached === undefined ? undefined : await findFiles(given)
      const { table, holds } = await auditAll(connections, { detached, onStandby })
      return { text: table, isGood: holds }
    }),
  },
  reconcile: {
    '': read(async (connections, { values }) => {
      if (values.day === undefined) throw new Error('Which day? --day 2026-11-20')
      const { reconcileAll } = await import('../dist/operations/reconcile.js')
      const { table, holds } = await reconcileAll(connections, values.day)
      return { text: table, isGood: holds }
    }),
  },
  enroll: { '': enroll },
  operators: {
    list: listed(operatorActs, 'listOperators'),
    ask: onOperator('askEnrollment', ({ positionals }) => positionals[3] ?? ''),
    approve: onOperator('decideEnrollment', yes),
    withdraw: onOperator('decideEnrollment', no),
    retire: onOperator('askRetirement'),
    'approve-retirement': onOperator('decideRetirement', yes),
    'withdraw-retirement': onOperator('decideRetirement', no),
  },
  suspense: {
    list: listed(suspenseLists, 'listSuspense'),
    show: read(async (connections, { values: { country }, positionals: [, , subject = ''] }) => {
      const { showReceipt } = await suspenseLists()
      return { text: await showReceipt(connections, { subject, country }), isGood: true }
    }),
    apply: money('askPlacement', ownerOf),
    refund: money('askRefund', ({ done }) => done),
    approve: money('decideOrder', yes),
    withdraw: money('decideOrder', no),
    close: money('askRefundClosing', endOf),
    'approve-closing': money('approveRefundClosing', endOf),
    'withdraw-closing': money('withdrawRefundClosing'),
  },
  reports: {
    list: listed(() => import('../dist/operations/reports.js'), 'listReports'),
    close: money('askReportClosing'),
    post: money('askReportPosting', seenIn),
    approve: money('decideReport', yes),
    withdraw: money('decideReport', no),
  },
  wallet: {
    freeze: money('askFreezing', yes),
    thaw: money('askFreezing', no),
    approve: money('decideFreezing', yes),
    withdraw: money('decideFreezing', no),
    cards: money('switchCards', isOnIn),
  },
  restored: { '': restored },
  detach: { '': detach },
  password: {
    code: onAccount(() => import('../dist/operations/passwords.js'), 'givePasswordCode'),
  },
  pin: {
    forget: onAccount(pinActs, 'forgetPin'),
    approve: onAccount(pinActs, 'decidePinForgetting', true),
    withdraw: onAccount(pinActs, 'decidePinForgetting', false),
  },
}

function resultOf({ message, isDone }) {
  return { text: `${message}\n`, isGood: isDone }
}

/** The gRPC status of a caller that a service does not accept; the reason is in the details. */
const unauthenticated = 16

/** How soon the process ends after its output: an open connection to a hanging ledger would keep it for minutes. */
const endWithinMs = 500

const done = main().catch((error) => {
  const fields = error.fields
    ?.map(({ path, message }) => [`${path} ${message}`, shapes[path]].filter(Boolean).join('; '))
    .join(', ')
  const why = error.facts?.grpcStatus === unauthenticated ? error.cause.details : fields
  const isAway = error.message === 'ledger_unavailable'
  const problem = isAway ? 'A ledger did not answer: docs/runbooks/process-down.md' : error.message
  process.stderr.write(`${why ? `Refused: ${why}` : problem}\n`)
  process.exitCode = 1
})
void done.then(() => setTimeout(() => process.exit(), endWithinMs).unref())
